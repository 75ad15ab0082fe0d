/**
 * A character map of Adobe's, as PDFs name them: which glyph (CID) a code of so many bytes stands for. Read from and
 * written in the packed form that pdf.js takes.
 */
export interface CharMap {
  readonly isVertical: boolean;
  /** The map that holds for codes which this one does not name. */
  readonly base: string | undefined;
  readonly codeSpaces: readonly CodeSpace[];
  /** From {@link codeOf} to the glyph. */
  readonly glyphs: ReadonlyMap<number, number>;
}

/** Codes of so many bytes from `low` to `high`, each byte by itself. */
export interface CodeSpace {
  readonly bytes: number;
  readonly low: number;
  readonly high: number;
}

const beyondCodes = 2 ** 32;

/** A code together with its length: 41 and 0041 are two. */
export function codeOf(bytes: number, value: number): number {
  return bytes * beyondCodes + value;
}

/** How many bytes a code has, and its value. */
export function partsOf(code: number): { readonly bytes: number; readonly value: number } {
  return { bytes: Math.floor(code / beyondCodes), value: code % beyondCodes };
}

/** Reads a packed map. Throws a RangeError for one that is cut off, an Error for parts that no such map has. */
export function readCharMap(packed: Uint8Array): CharMap {
  const input = new PackedReader(packed);
  const isVertical = (input.byte() & 1) === 1;
  const codeSpaces: CodeSpace[] = [];
  const glyphs = new Map<number, number>();
  let base: string | undefined;
  while (!input.isAtEnd) {
    const head = input.byte();
    const kind = head >> 5;
    if (kind === comment) {
      const text = input.text();
      if ((head & 0x1f) === 1) base = text;
      continue;
    }
    const part = { bytes: (head & 15) + 1, isSequence: (head & 0x10) !== 0, count: input.number() };
    if (kind === codeSpace) readRanges(input, part, false, (low, high) => codeSpaces.push({ ...part, low, high }));
    else if (kind === unused) readRanges(input, part, true, () => {});
    else if (kind === chars) readChars(input, part, glyphs);
    else if (kind === ranges)
      readRanges(input, part, true, (from, to, glyph) => addRange(glyphs, part, from, to, glyph));
    else throw new Error(`A character map has parts of an unknown kind: ${kind}`);
  }
  return { isVertical, base, codeSpaces, glyphs };
}

const codeSpace = 0;
const unused = 1;
const chars = 2;
const ranges = 3;
const texts = 4;
const comment = 7;

interface Part {
  readonly bytes: number;
  readonly isSequence: boolean;
  readonly count: number;
}

function readRanges(
  input: PackedReader,
  { bytes, isSequence, count }: Part,
  hasGlyph: boolean,
  add: (from: number, to: number, glyph: number) => void,
): void {
  let next = 0;
  for (let item = 0; item < count; item++) {
    const gap = item === 0 ? input.code(bytes) : hasGlyph && isSequence ? 0 : input.number();
    const from = next + gap;
    const to = from + input.number();
    add(from, to, hasGlyph ? input.number() : 0);
    next = to + 1;
  }
}

function readChars(input: PackedReader, { bytes, isSequence, count }: Part, glyphs: Map<number, number>): void {
  let next = 0;
  let glyph = 0;
  for (let item = 0; item < count; item++) {
    const code = next + (item === 0 ? input.code(bytes) : isSequence ? 0 : input.number());
    glyph = item === 0 ? input.number() : glyph + 1 + input.signed();
    glyphs.set(codeOf(bytes, code), glyph);
    next = code + 1;
  }
}

function addRange(glyphs: Map<number, number>, { bytes }: Part, from: number, to: number, glyph: number): void {
  for (let code = from; code <= to; code++) glyphs.set(codeOf(bytes, code), glyph + code - from);
}

class PackedReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length;
  }

  byte(): number {
    const value = this.#bytes[this.#at++];
    if (value === undefined) throw new RangeError('A character map is cut off.');
    return value;
  }

  code(bytes: number): number {
    let value = 0;
    for (let left = bytes; left > 0; left--) value = value * 256 + this.byte();
    return value;
  }

  number(): number {
    let value = 0;
    for (;;) {
      const byte = this.byte();
      value = value * 128 + (byte & 0x7f);
      if (byte < 0x80) return value;
    }
  }

  signed(): number {
    const value = this.number();
    return value % 2 === 1 ? -(value + 1) / 2 : value / 2;
  }

  text(): string {
    return String.fromCharCode(...Array.from({ length: this.number() }, () => this.number()));
  }
}

/** Packs a map. `base` is not written: it has to be part of the map already. */
export function packCharMap({ isVertical, codeSpaces, glyphs }: Omit<CharMap, 'base'>): Uint8Array<ArrayBuffer> {
  const output = [isVertical ? 1 : 0];
  for (const { bytes, low, high } of codeSpaces) {
    output.push((codeSpace << 5) | (bytes - 1), 1, ...bytesOf(low, bytes), ...numberOf(high - low));
  }
  const codes = [...glyphs.keys()].sort((a, b) => a - b);
  for (let at = 0; at < codes.length; ) {
    const { bytes, value } = partsOf(codes[at] ?? 0);
    const glyph = glyphs.get(codes[at] ?? 0) ?? 0;
    let length = 1;
    while (glyphs.get(codeOf(bytes, value + length)) === glyph + length && (value + length) % 256 !== 0) length++;
    output.push((ranges << 5) | (bytes - 1), 1, ...bytesOf(value, bytes), ...numberOf(length - 1), ...numberOf(glyph));
    at += length;
  }
  return Uint8Array.from(output);
}

/** Packs which character each glyph stands for, as far as it is one of UTF-16's single units. */
export function packTexts(characters: ReadonlyMap<number, number>): Uint8Array<ArrayBuffer> {
  const output = [0, (codeSpace << 5) | 1, 1, 0, 0, ...numberOf(0xffff)];
  for (const [glyph, character] of characters) {
    if (character > 0xffff) continue;
    output.push((texts << 5) | 1, 1, ...bytesOf(glyph, 2), ...bytesOf(character, 2));
  }
  return Uint8Array.from(output);
}

function bytesOf(value: number, bytes: number): number[] {
  return Array.from({ length: bytes }, (_, index) => Math.floor(value / 256 ** (bytes - 1 - index)) % 256);
}

function numberOf(value: number): number[] {
  const groups = [value % 128];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) groups.unshift(128 + (rest % 128));
  return groups;
}
