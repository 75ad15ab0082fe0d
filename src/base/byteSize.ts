import { l10n } from './l10n.ts';

const units = ['kB', 'MB', 'GB', 'TB'] as const;

/**
 * Bytes as a person reads them, in the unit that fits: `812 bytes`, `14 kB`, `2.1 MB`, `61 MB`, `1.5 GB`. One decimal
 * below ten; a kB has 1,000 bytes, as the service counts them.
 */
export function byteSize(bytes: number, locale = 'en'): string {
  const format = (value: number, digits: number) =>
    new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }).format(value);
  if (Math.round(bytes) < 1000)
    return Math.round(bytes) === 1 ? l10n.t('1 byte') : l10n.t('{0} bytes', format(Math.round(bytes), 0));
  for (const [index, unit] of units.entries()) {
    const value = bytes / 1000 ** (index + 1);
    // Rounded first: 999,900 bytes are 1.0 MB, not 1,000 kB.
    if (Math.round(value) < 1000 || unit === units.at(-1)) return `${format(value, value < 9.95 ? 1 : 0)} ${unit}`;
  }
  return l10n.t('{0} bytes', format(bytes, 0));
}
