import { utcTime } from '../../base/clock.ts';
import { l10n } from '../../base/l10n.ts';
import { byteSize } from '../../base/words.ts';

const dayStyle = { year: 'numeric', month: 'short', day: 'numeric', timeZone: 'UTC' } as const;
const monthStyle = { year: 'numeric', month: 'long', timeZone: 'UTC' } as const;

/**
 * A date at the precision it came with: year, month or day (CNV-5). Text that is no such date comes back as it is.
 */
export function formatDate(iso: string, locale: string): string {
  const date = parseDate(iso);
  if (!date) return iso;
  if (date.precision === 'year') return iso;
  return new Intl.DateTimeFormat(locale, date.precision === 'month' ? monthStyle : dayStyle).format(date.time);
}

/** A period from its first to its last day; an unknown end is said in words. Null when both are unknown. */
export function formatPeriod(start: string | null, end: string | null, locale: string): string | null {
  if (start === null && end === null) return null;
  if (start === null) return l10n.t('until {0}', formatDate(end as string, locale));
  if (end === null) return l10n.t('from {0}', formatDate(start, locale));
  const first = parseDate(start);
  const last = parseDate(end);
  if (first?.precision === 'day' && last?.precision === 'day' && first.time <= last.time)
    return new Intl.DateTimeFormat(locale, dayStyle).formatRange(first.time, last.time);
  return `${formatDate(start, locale)} – ${formatDate(end, locale)}`;
}

/** A UTC timestamp to the minute. Text that is no timestamp comes back as it is. */
export function formatTimestamp(iso: string, locale: string): string {
  const time = /^\d{4}-\d{2}-\d{2}[T ]/.test(iso) ? utcTime(iso) : Number.NaN;
  if (Number.isNaN(time)) return iso;
  const style = { ...dayStyle, hour: '2-digit', minute: '2-digit', hourCycle: 'h23' } as const;
  return `${new Intl.DateTimeFormat(locale, style).format(time)} UTC`;
}

function parseDate(iso: string): { precision: 'year' | 'month' | 'day'; time: number } | undefined {
  const match = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(iso);
  if (!match) return undefined;
  const [, year, month, day] = match;
  const time = Date.UTC(Number(year), Number(month ?? 1) - 1, Number(day ?? 1));
  const real = new Date(time).toISOString().startsWith(iso);
  if (!real) return undefined;
  return { precision: day !== undefined ? 'day' : month !== undefined ? 'month' : 'year', time };
}

/** The ISO 639-1 codes of a report, however they were separated (CNV-6). */
export function languageCodes(value: string): string[] {
  return value.split(/[\s;,|/+&]+/).filter((code) => code !== '');
}

/** Languages in words, e.g. `German and English`; a code that no one knows stays as it is. */
export function formatLanguages(value: string, locale: string): string {
  const names = new Intl.DisplayNames([locale], { type: 'language', fallback: 'code' });
  const words = languageCodes(value).map((code) => {
    try {
      return names.of(code) ?? code;
    } catch {
      return code;
    }
  });
  return new Intl.ListFormat(locale, { type: 'conjunction' }).format(words);
}

/** A size that the service gives in megabytes. */
export function formatMegabytes(megabytes: number, locale: string): string {
  return byteSize(megabytes * 1e6, locale);
}
