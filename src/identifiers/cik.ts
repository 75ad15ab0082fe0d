import type { Check } from './check.ts';
import { cleanText } from './check.ts';

/**
 * Checks a CIK: 1 to 10 digits, not all zeros, with or without the letters CIK before them. The value keeps its
 * digits as they were written; compare two by {@link cikKey}.
 */
export function checkCik(text: string): Check {
  const value = cleanText(text).replace(/^cik[\s:#]*/iu, '');
  if (!/^[0-9]{1,10}$/.test(value)) return { valid: false, reason: 'A CIK is a number of 1 to 10 digits.' };
  if (/^0+$/.test(value)) return { valid: false, reason: 'A CIK is not zero.' };
  return { valid: true, value };
}

/** The ten-digit form by which two CIKs compare. */
export function cikKey(value: string): string {
  return value.padStart(10, '0');
}
