import * as z from 'zod/mini';

/** In PDF points, along a side of a page. */
export const coordinateSchema = z.number().check(z.gte(-1_000_000), z.lte(1_000_000));
/** Left, bottom, right, top in PDF points, from the lower left of the page. */
export const boxSchema = z.tuple([coordinateSchema, coordinateSchema, coordinateSchema, coordinateSchema]);
export type Box = z.output<typeof boxSchema>;
export const boxesSchema = z.array(boxSchema).check(z.maxLength(1000));

/** The one text of a page, and where it is printed. */
export interface PlacedText {
  /** The text that the index, Find, Quote and `verify_quote` share: in the normal form, on one line. */
  readonly text: string;
  /** For each UTF-16 unit: left, bottom, right, top in PDF points; all zero for a unit that isn't printed. */
  readonly boxes: ArrayLike<number>;
}

/** What of a text is printed on one line, and at which of its units that begins. */
export interface PlacedLine {
  readonly box: Box;
  readonly start: number;
}

interface PrintedLine extends PlacedLine {
  /** The unit behind its last one. */
  readonly end: number;
  /** Whether it goes across the page, or up or down; null of a single character. */
  readonly isUpright: boolean | null;
}

/** Where a unit is printed; undefined for one that isn't. */
export function boxAt({ boxes }: PlacedText, unit: number): Box | undefined {
  const [left = 0, bottom = 0, right = 0, top = 0] = [0, 1, 2, 3].map((side) => boxes[4 * unit + side]);
  return right > left && top > bottom ? [left, bottom, right, top] : undefined;
}

/** The lines that a part of a page's text is printed on, in its order. */
export function linesOf(placed: PlacedText, start = 0, end = placed.text.length): PrintedLine[] {
  const lines: { box: Box; start: number; end: number; isUpright: boolean | null }[] = [];
  for (let unit = start; unit < end; unit += 1) {
    const box = placed.text[unit] === ' ' ? undefined : boxAt(placed, unit);
    if (!box) continue;
    const line = lines.at(-1);
    const isUpright = line ? follows(line.box, box) : null;
    if (line && isUpright !== null && (line.isUpright ?? isUpright) === isUpright)
      Object.assign(line, { isUpright, box: around(line.box, box), end: unit + 1 });
    else lines.push({ box, start: unit, end: unit + 1, isUpright: null });
  }
  const rounded = (value: number) => Math.round(value * 100) / 100;
  return lines.map((line) => ({ ...line, box: line.box.map(rounded) as Box }));
}

/** Whether a box continues a line that goes across the page (true), or up or down (false); null where it is neither. */
function follows(line: Box, next: Box): boolean | null {
  const shared = (side: 0 | 1) => Math.min(line[side + 2] ?? 0, next[side + 2] ?? 0) - Math.max(line[side], next[side]);
  const extent = (side: 0 | 1) => Math.min((line[side + 2] ?? 0) - line[side], (next[side + 2] ?? 0) - next[side]);
  if (shared(1) > extent(1) / 2 && -shared(0) < extent(1) * 1.5) return true;
  return shared(0) > extent(0) / 2 && -shared(1) < extent(0) * 0.9 ? false : null;
}

function around(one: Box, two: Box): Box {
  return [Math.min(one[0], two[0]), Math.min(one[1], two[1]), Math.max(one[2], two[2]), Math.max(one[3], two[3])];
}

export type Bound = 'start' | 'end';

/**
 * The unit whose character is nearest to a point; undefined on a page without text.
 * @param side which unit to choose if several are printed as one character, as in a ligature
 */
export function unitNear(placed: PlacedText, [x, y]: readonly [number, number], side: Bound): number | undefined {
  let [nearest, least]: [number | undefined, number] = [undefined, Number.POSITIVE_INFINITY];
  for (let unit = 0; unit < placed.text.length; unit += 1) {
    const box = boxAt(placed, unit);
    if (!box) continue;
    const outside = Math.hypot(Math.max(box[0] - x, 0, x - box[2]), Math.max(box[1] - y, 0, y - box[3]));
    const distance = outside + Math.hypot((box[0] + box[2]) / 2 - x, (box[1] + box[3]) / 2 - y) / 100;
    if (side === 'start' ? distance < least : distance <= least) [nearest, least] = [unit, distance];
  }
  return nearest;
}

const isBlank = (character = ' ') => /\s/.test(character);

/** Whether a word begins, or ends, with a unit. */
export function isWordEdge(text: string, unit: number, side: Bound): boolean {
  return !isBlank(text[unit]) && isBlank(text[side === 'start' ? unit - 1 : unit + 1]);
}

/** The unit, or one close by, that a word begins or ends with; the unit itself where there is none. */
export function wordEdge(text: string, unit: number, side: Bound): number {
  const offset = [0, -1, 1, -2, 2].find((by) => isWordEdge(text, unit + by, side) && unit + by >= 0) ?? 0;
  return Math.min(unit + offset, text.length - 1);
}
