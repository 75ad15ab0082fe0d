import fc from 'fast-check';

const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const digits = '0123456789';
const consonants = 'BCDFGHJKLMNPQRSTVWXYZ';

function textOf(characters: string, length: number): fc.Arbitrary<string> {
  return fc.string({ unit: fc.constantFrom(...characters), minLength: length, maxLength: length });
}

export const isinBody = fc.tuple(textOf(letters, 2), textOf(letters + digits, 9)).map((parts) => parts.join(''));
export const leiBody = textOf(letters + digits, 18);
export const figiBody = textOf(consonants + digits, 8).map((rest) => `BBG${rest}`);

/** Adds `by` to a digit at or after `place`, modulo 10; the text itself when it has no digit. */
export function mistyped(text: string, place: number, by: number): string {
  const places = [...text.matchAll(/[0-9]/g)].map((match) => match.index);
  const at = places[place % Math.max(1, places.length)];
  if (at === undefined) return text;
  return `${text.slice(0, at)}${(Number(text[at]) + by) % 10}${text.slice(at + 1)}`;
}

/** Any text at all, broken surrogate pairs included; made much faster than the library's own of all code points. */
export const anyText = fc.string({
  unit: fc.oneof(
    fc.integer({ min: 0, max: 0x7f }).map((code) => String.fromCharCode(code)),
    fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code)),
    fc.constantFrom('😀', 'é', '\u202E', 'ß'),
  ),
});
