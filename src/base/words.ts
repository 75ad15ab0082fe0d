import { l10n } from './l10n.ts';

/** All but the joiners, without which several scripts and emoji can't be read. */
const controls = /(?:(?![\u200C\u200D])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}])+/gu;

/** Others' text for a message: controls and invisible characters become blanks, the rest past `longest` is cut. */
export function plainText(text: string, longest = 300): string {
  const clean = text
    .slice(0, longest * 4)
    .replace(controls, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  if (clean.length <= longest) return clean;
  // Half of a character that takes two places is none.
  return `${clean
    .slice(0, longest - 1)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`;
}

/** `3 s`, `2 min 5 s`, `1 h 4 min`: a wait in ms as a person says it. */
export function duration(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return join(`${minutes} min`, seconds % 60, 's');
  return join(`${Math.floor(minutes / 60)} h`, minutes % 60, 'min');
}

function join(first: string, rest: number, unit: string): string {
  return rest === 0 ? first : `${first} ${rest} ${unit}`;
}

/** What stands between thousands, in the languages that the product speaks. */
const separators: Readonly<Record<string, string>> = { en: ',', 'en-us': ',', 'en-gb': ',', de: '.' };

/** A whole number as `toLocaleString` has it, whose first call costs as much as opening a panel. */
export function countText(count: number): string {
  const language = l10n.language();
  const separator = separators[language.toLowerCase()];
  if (separator === undefined || !Number.isSafeInteger(count)) return count.toLocaleString(language);
  return String(count).replace(/\B(?=(?:\d{3}){1,5}$)/g, separator);
}

/** A count with its noun: `1 report`, `3 reports`. Mark both forms with `l10n.later`, except in the log and CLI. */
export function counted(count: number, one: string, other: string): string {
  const form = new Intl.PluralRules(l10n.language()).select(count) === 'one' ? one : other;
  return l10n.word(form).replace('{0}', countText(count));
}

const units = ['kB', 'MB', 'GB', 'TB'] as const;

/** Bytes in the unit that fits: `812 bytes`, `14 kB`, `2.1 MB`, `61 MB`. A kB has 1,000 bytes, as at the service. */
export function byteSize(bytes: number, locale = 'en'): string {
  const inBytes = new Intl.NumberFormat(locale, {
    style: 'unit',
    unit: 'byte',
    unitDisplay: 'long',
    maximumFractionDigits: 0,
  });
  const format = (value: number, digits: number) =>
    new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
  if (Math.round(bytes) < 1000) return inBytes.format(Math.round(bytes));
  for (const [index, unit] of units.entries()) {
    const value = bytes / 1000 ** (index + 1);
    // Rounded first: 999,900 bytes are 1.0 MB, not 1,000 kB.
    if (Math.round(value) < 1000 || unit === units.at(-1)) return `${format(value, value < 9.95 ? 1 : 0)} ${unit}`;
  }
  return inBytes.format(bytes);
}

/** Characters that show nothing or change their neighbors: controls, bidi marks. Joiners stay. */
const hidden = /(?!\u200D|[\t\n\u200C\u0600-\u0605\u06DD\u070F\u0890\u0891\u08E2])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Text from the service as a person may see it: nothing in it hides, reorders or breaks what stands around it. */
export function visibleText(text: string): string {
  const whole = text.toWellFormed().replaceAll('\r\n', '\n');
  return whole.replace(hidden, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `\u27E8U+${code}\u27E9`;
  });
}

/** One line of at most `length` characters, for a tab title or another place that can't wrap. */
export function oneLine(text: string, length: number): string {
  const flat = visibleText(text).replace(/\s+/g, ' ').trim();
  const characters = Array.from(flat);
  return characters.length > length ? `${characters.slice(0, length - 1).join('')}…` : flat;
}

/** What is stated of several things, as a person may see it. */
export function inALine(texts: readonly (string | null)[]): string {
  const stated = texts.filter((text) => text !== null);
  return stated.map(visibleText).join(' · ');
}
