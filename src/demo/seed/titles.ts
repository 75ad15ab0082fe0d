import { reportTypeName } from '../../api/schemas/reportTypes.ts';
import patterns from '../data/titles.json' with { type: 'json' };

const { special, ...byLanguage } = patterns;
const patternsOf: Readonly<Record<string, Readonly<Record<string, string>>>> = byLanguage;
const specialTitles: Readonly<Record<string, string>> = special;

/** A title that follows no pattern: a very long one, and one of a type that the interface does not know. */
export function specialTitleOf(reportKey: string): string | undefined {
  return specialTitles[reportKey];
}

/**
 * The title of a report in its language; both languages for a bilingual one, English where no pattern is at hand.
 * @param year what the cover says: a year, a span, or an empty string on undated documents.
 */
export function titleOf(type: string, lang: string, year: string): string {
  const titles = lang.split(';').map((language) => titleIn(type, language, year));
  return [...new Set(titles)].join(' / ');
}

export function titleIn(type: string, language: string, year: string): string {
  const pattern = patternsOf[language]?.[type] ?? patternsOf.en?.[type] ?? `${reportTypeName(type)} #`;
  return pattern.replace('#', year).trim();
}
