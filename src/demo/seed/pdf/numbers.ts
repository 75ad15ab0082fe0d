import type { Words } from './words/words.ts';

type Marks = Pick<Words, 'group' | 'decimal'>;

/** A whole number with its digits in groups of three. */
export function grouped(value: number, marks: Marks): string {
  const digits = String(Math.abs(Math.round(value))).replace(/\B(?=(?:\d{3})+$)/g, marks.group);
  return value < 0 ? `–${digits}` : digits;
}

/** A number with one decimal. */
export function oneDecimal(value: number, marks: Marks): string {
  const tenths = Math.round(Math.abs(value) * 10);
  const text = `${grouped(Math.floor(tenths / 10), marks)}${marks.decimal}${tenths % 10}`;
  return value < 0 && tenths > 0 ? `–${text}` : text;
}

/** The change from one value to another, in per cent with a sign. */
export function changeBetween(from: number, to: number, marks: Marks): string {
  const change = from === 0 ? 0 : (to / from - 1) * 100;
  const text = oneDecimal(change, marks);
  return change > 0 ? `+${text}` : text;
}
