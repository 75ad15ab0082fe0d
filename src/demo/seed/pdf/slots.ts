/** A place in a template's bytes that takes a text of up to `length` bytes. */
export interface Slot {
  readonly name: string;
  readonly at: number;
  readonly length: number;
}

/** A text of exactly `length` characters that {@link slotsIn} finds again in the bytes of an uncompressed PDF. */
export function placeholder(name: string, length: number): string {
  return `~${name}`.padEnd(length, '~');
}

/** Every place where a placeholder is written as a PDF string. */
export function slotsIn(bytes: Uint8Array): Slot[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
  return [...text.matchAll(/\((~([a-z0-9]+)~+)\)/g)].map((match) => ({
    name: match[2] ?? '',
    at: match.index + 1,
    length: (match[1] ?? '').length,
  }));
}

/** Bytes 0x80 to 0x9F of Windows-1252, in order. */
const highCharacters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ';

/** The text as the inside of a PDF string in Windows-1252, cut or filled up with blanks to `length` bytes. */
export function escaped(text: string, length: number): Uint8Array {
  const bytes = new Uint8Array(length).fill(0x20);
  let at = 0;
  for (const character of text) {
    const high = highCharacters.indexOf(character);
    const code = high >= 0 ? 0x80 + high : character.charCodeAt(0) > 0xff ? 0x3f : character.charCodeAt(0);
    const needsMark = code === 0x28 || code === 0x29 || code === 0x5c;
    if (at + (needsMark ? 2 : 1) > length) break;
    if (needsMark) bytes[at++] = 0x5c;
    bytes[at++] = code;
  }
  return bytes;
}
