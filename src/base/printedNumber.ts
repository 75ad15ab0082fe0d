/** How a column's numbers are printed: what parts thousands, and what begins the decimals. */
export const numberStyles = ['1,234.5', '1.234,5', '1 234,5'] as const;
export type NumberStyle = (typeof numberStyles)[number];

/** Blanks, the narrow ones too, and the marks of the Swiss stand for one another. */
const forms: Readonly<Record<NumberStyle, RegExp>> = {
  '1,234.5': /^(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?$/,
  '1.234,5': /^(?:\d{1,3}(?:\.\d{3})+|\d+)(?:,\d+)?$/,
  '1 234,5': /^(?:\d{1,3}(?:[ '’]\d{3})+|\d+)(?:,\d+)?$/,
};

/** Currencies and units of one sign, which change no value, and the raised marks of notes. */
const around = /[\p{Sc}%‰*†‡⁰¹²³⁴-⁹]/gu;

/**
 * A printed number in a style that a person told; null where the text is none in that style. A minus of any shape counts,
 * and so do parentheses around it. A percentage is its number: 12 % is 12.
 */
export function printedNumber(text: string, style: NumberStyle): number | null {
  const bare = text.replace(around, '').replace(/\s/g, ' ').trim();
  const isNegative = /^[-−–‐]|^\(.*\)$/.test(bare);
  const digits = bare.replace(/^[-−–‐+]|^\(|\)$/g, '').trim();
  if (/^\(|\)$/.test(bare) && !/^\([^()]*\)$/.test(bare)) return null;
  if (digits.length > 40 || !forms[style].test(digits)) return null;
  const plain = style === '1,234.5' ? digits.replaceAll(',', '') : digits.replace(/[. '’]/g, '').replace(',', '.');
  const value = Number(plain);
  return isNegative ? -value : value;
}
