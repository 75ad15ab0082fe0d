import type { Words } from './words.ts';

/** What stands in a packed body for one value. The number 0 says "as predicted". */
export type Cell = string | number | null;

/** A value that usually follows from others: 0 when it does, else the text itself. */
export function predicted(value: string, prediction: string | null): Cell {
  return value === prediction ? 0 : value;
}

export function fromPredicted(cell: Cell | undefined, prediction: string | null): string {
  return typeof cell === 'string' ? cell : (prediction ?? '');
}

/** Digits are shorter as a number; whatever would not print the same again stays text. */
export function numeric(value: string): Cell {
  if (value === '' || value.length > 15) return value;
  const whole = value.charCodeAt(0) === zero ? null : digits(value, 0, value.length);
  if (whole !== null) return whole;
  const number = Number(value);
  return Number.isFinite(number) && String(number) === value ? number : value;
}

const zero = 48;

/** The number that a part of a text spells in nothing but digits; null when anything else stands there. */
function digits(text: string, from: number, to: number): number | null {
  let number = 0;
  for (let at = from; at < to; at++) {
    const digit = text.charCodeAt(at) - zero;
    if (digit < 0 || digit > 9) return null;
    number = number * 10 + digit;
  }
  return number;
}

export function fromNumeric(cell: Cell | undefined): string {
  return typeof cell === 'number' ? String(cell) : typeof cell === 'string' ? cell : '';
}

/** A text of a small vocabulary: its number in the dictionary. */
export function word(value: string, words: Words): Cell {
  return value === '' ? '' : (words.mayHave(value) ?? value);
}

export function fromWord(cell: Cell | undefined, words: Words): string {
  return typeof cell === 'number' ? words.text(cell) : typeof cell === 'string' ? cell : '';
}

/** A value of a type the interface leaves open: null, the number of its JSON in the dictionary, or its JSON. */
export function open(value: unknown, reportId: string, words: Words): Cell {
  if (value === null || value === undefined) return null;
  const given = JSON.stringify(value);
  const json = given.includes(reportId) ? given.replaceAll(reportId, ownId) : given;
  return words.mayHave(json) ?? json;
}

export function fromOpen(cell: Cell | undefined, reportId: number, words: Words): unknown {
  const json = typeof cell === 'number' ? words.text(cell) : cell;
  return typeof json === 'string' ? JSON.parse(json.replaceAll(ownId, String(reportId))) : null;
}

/** Stands for the report's own id, so that paths made from it can be shared. JSON text can't hold a raw control. */
const ownId = '\u0001';

const separators = ['-', '-', 'T', ':', ':', 'Z'];
const ends = [4, 7, 10, 13, 16, 19];

/** A timestamp to the second in UTC as its fourteen digits, which are shorter; any other text as it is. */
export function time(value: string | null): Cell {
  if (value === null || value.length !== 20 || value.charCodeAt(0) === zero) return value;
  let number = 0;
  let from = 0;
  for (let part = 0; part < ends.length; part++) {
    const end = ends[part] ?? 0;
    const spelt = digits(value, from, end);
    if (spelt === null || value[end] !== separators[part]) return value;
    number = number * (part === 0 ? 1 : 100) + spelt;
    from = end + 1;
  }
  return number;
}

export function fromTime(cell: Cell | undefined): string | null {
  if (typeof cell !== 'number') return typeof cell === 'string' ? cell : null;
  const d = String(cell);
  return `${d.slice(0, 4)}-${d.slice(4, 6)}-${d.slice(6, 8)}T${d.slice(8, 10)}:${d.slice(10, 12)}:${d.slice(12, 14)}Z`;
}

/** 32 or more bytes written as lower-case hexadecimal digits, as the bytes; null for anything else. */
export function hexBytes(value: unknown): Uint8Array | null {
  if (typeof value !== 'string' || value.length < 16 || value.length > 128 || value.length % 2 === 1) return null;
  return hex.test(value) ? Buffer.from(value, 'hex') : null;
}

const hex = /^[0-9a-f]*$/;

export function fromHexBytes(bytes: Uint8Array | null): string | null {
  return bytes ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex') : null;
}
