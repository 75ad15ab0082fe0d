import { l10n } from '../base/l10n.ts';
import type { Check } from './check.ts';
import { characterValue, compactCode } from './check.ts';

/** Checks an LEI (ISO 17442): 18 letters or digits and two check digits (ISO 7064, MOD 97-10). */
export function checkLei(text: string): Check {
  const value = compactCode(text);
  if (value.length !== 20)
    return { valid: false, reason: l10n.t('An LEI has 20 characters, this has {0}.', value.length) };
  if (!/^[A-Z0-9]{18}[0-9]{2}$/.test(value)) {
    return { valid: false, reason: l10n.t('An LEI has only letters A to Z and digits, and ends with two digits.') };
  }
  if (value !== completeLei(value.slice(0, 18))) {
    return {
      valid: false,
      reason: l10n.t('The check digits do not fit the rest of the LEI: a character may be mistyped.'),
    };
  }
  return { valid: true, value };
}

/**
 * Adds the two check digits to the first 18 characters of an LEI.
 * @throws RangeError when they are not 18 letters or digits.
 */
export function completeLei(body: string): string {
  if (!/^[A-Z0-9]{18}$/.test(body)) throw new RangeError('The body of an LEI is 18 letters or digits.');
  return `${body}${String(98 - remainder97(`${body}00`)).padStart(2, '0')}`;
}

function remainder97(text: string): number {
  let remainder = 0;
  for (const character of text) {
    const value = characterValue(character) ?? 0;
    remainder = (remainder * (value > 9 ? 100 : 10) + value) % 97;
  }
  return remainder;
}
