import { l10n } from '../base/l10n.ts';
import type { Check } from './check.ts';
import { characterValue, compactCode } from './check.ts';

/** Country codes a FIGI may not begin with, so that it can't be taken for an ISIN. */
const excludedPrefixes = new Set(['BS', 'BM', 'GG', 'GB', 'GH', 'KY', 'VG']);
const consonantOrDigit = '[B-DF-HJ-NP-TV-Z0-9]';
const shape = new RegExp(`^[B-DF-HJ-NP-TV-Z]{2}G${consonantOrDigit}{8}[0-9]$`);

/** True when the text could be a FIGI but for its check digit: two consonants, `G`, no vowels, no barred prefix. */
export function looksLikeFigi(text: string): boolean {
  const value = compactCode(text);
  return shape.test(value) && !excludedPrefixes.has(value.slice(0, 2));
}

/** Checks a FIGI as the Open FIGI standard describes it: 12 characters, `G` third, no vowels, check digit last. */
export function checkFigi(text: string): Check {
  const value = compactCode(text);
  if (value.length !== 12) return { valid: false, reason: `A FIGI has 12 characters, this has ${value.length}.` };
  if (excludedPrefixes.has(value.slice(0, 2))) {
    return { valid: false, reason: `A FIGI never begins with ${value.slice(0, 2)}.` };
  }
  if (!shape.test(value)) {
    return {
      valid: false,
      reason: 'A FIGI begins with two consonants and G, has no vowels and ends with a digit.',
    };
  }
  if (value !== completeFigi(value.slice(0, 11))) {
    return {
      valid: false,
      reason: l10n.t('The check digit does not fit the rest of the FIGI: a character may be mistyped.'),
    };
  }
  return { valid: true, value };
}

/**
 * Adds the check digit (modulo 10, double add double) to the first 11 characters of a FIGI.
 * @throws RangeError when they do not have the form of a FIGI's first 11 characters.
 */
export function completeFigi(body: string): string {
  if (!shape.test(`${body}0`)) throw new RangeError('The body of a FIGI is two consonants, G and eight more.');
  let sum = 0;
  [...body].forEach((character, index) => {
    const value = (characterValue(character) ?? 0) * (index % 2 === 1 ? 2 : 1);
    sum += Math.floor(value / 10) + (value % 10);
  });
  return `${body}${(10 - (sum % 10)) % 10}`;
}
