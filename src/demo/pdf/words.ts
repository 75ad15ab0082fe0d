import de from '../data/words.de.json' with { type: 'json' };
import en from '../data/words.en.json' with { type: 'json' };
import fr from '../data/words.fr.json' with { type: 'json' };
import { isShown } from './paper.ts';

/** Everything that a PDF says in one language. Only characters of the standard fonts. */
export type DocumentWords = typeof en;

const all: Readonly<Record<string, DocumentWords>> = { de, en, fr };

/** The words of a language; English for a language without words. */
export function wordsIn(language: string): DocumentWords {
  return Object.hasOwn(all, language) ? (all[language] ?? en) : en;
}

/** A report's languages, with English instead of those without words. */
export function documentLanguages(codes: string): string[] {
  return [...new Set(codes.split(/[^a-z]+/i).map((code) => (Object.hasOwn(all, code) ? code : 'en')))];
}

/** The text with each `{name}` replaced; names without a value stay. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** Writes YYYY-MM-DD out. The engine's own formats may change from one release to the next. */
export function writtenDate(iso: string, words: DocumentWords): string {
  const [year = '', month, day] = iso.split('-').map(Number);
  const values: Readonly<Record<string, string | undefined>> = {
    d: day === 1 ? words.firstDay : String(day),
    m: words.months[Number(month) - 1],
    y: String(year),
  };
  return words.date.replace(/\b[dmy]\b/g, (part) => values[part] ?? part);
}

/** The parts of a bilingual text (separated by ` / `) that the standard fonts can show; empty when none can be. */
export function shownPart(text: string): string {
  return isShown(text) ? text : text.split(' / ').filter(isShown).join(' / ');
}

/** A whole number with its digits in groups of three. */
export function grouped(value: number, words: DocumentWords): string {
  const digits = String(Math.abs(Math.round(value))).replace(/\B(?=(?:\d{3})+$)/g, words.group);
  return value < 0 ? `–${digits}` : digits;
}

/** The change from one value to another, in percent with a sign and one decimal. */
export function changeBetween(from: number, to: number, words: DocumentWords): string {
  const tenths = from === 0 ? 0 : Math.round(Math.abs(to / from - 1) * 1000);
  const sign = tenths === 0 ? '' : to > from ? '+' : '–';
  return `${sign}${grouped(Math.floor(tenths / 10), words)}${words.decimal}${tenths % 10}`;
}
