import { l10n } from './l10n.ts';

/** What stands between thousands, in the languages that the product speaks. */
const separators: Readonly<Record<string, string>> = { en: ',', 'en-us': ',', 'en-gb': ',', de: '.' };

/**
 * A count, a whole number, in the reader's language. Says what `toLocaleString` would; but the first that a page asks of
 * that costs as much as the rest of a panel's opening (`npm run bench -- reportPanel`), so that our own languages do without.
 */
export function countText(count: number): string {
  const language = l10n.language();
  const separator = separators[language.toLowerCase()];
  if (separator === undefined || !Number.isSafeInteger(count)) return count.toLocaleString(language);
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, separator);
}
