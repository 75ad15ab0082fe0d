import { l10n } from '../base/l10n.ts';
import type { Check } from './check.ts';
import { characterValue, compactCode } from './check.ts';

/** Checks an ISIN (ISO 6166): country, nine characters, check digit. Case, blanks and hyphens do not matter. */
export function checkIsin(text: string): Check {
  const value = compactCode(text);
  if (value.length !== 12) return invalid(l10n.t('An ISIN has 12 characters, this has {0}.', value.length));
  if (!/^[A-Z]{2}/.test(value)) return invalid(l10n.t('An ISIN begins with two letters, the country.'));
  if (!/^[A-Z]{2}[A-Z0-9]{9}[0-9]$/.test(value)) {
    return invalid(l10n.t('An ISIN has only letters A to Z and digits, and ends with a digit.'));
  }
  if (value !== completeIsin(value.slice(0, 11))) {
    return invalid(l10n.t('The check digit does not fit the rest of the ISIN: a character may be mistyped.'));
  }
  return { valid: true, value };
}

/**
 * Adds the check digit (Luhn, modulo 10, letters as two digits) to the first 11 characters of an ISIN.
 * @throws RangeError when they are not two letters and nine letters or digits.
 */
export function completeIsin(body: string): string {
  if (!/^[A-Z]{2}[A-Z0-9]{9}$/.test(body)) throw new RangeError('The body of an ISIN is two letters and nine more.');
  const digits = [...body].map((character) => characterValue(character)).join('');
  let sum = 0;
  for (let index = 0; index < digits.length; index++) {
    const digit = Number(digits[digits.length - 1 - index]);
    const weighed = index % 2 === 0 ? digit * 2 : digit;
    sum += weighed > 9 ? weighed - 9 : weighed;
  }
  return `${body}${(10 - (sum % 10)) % 10}`;
}

function invalid(reason: string): Check {
  return { valid: false, reason };
}
