/** The text of a page, with four numbers for each UTF-16 unit: left, bottom, right, top in PDF points; zeros for none. */
export interface PlacedText {
  readonly text: string;
  readonly boxes: ArrayLike<number>;
}

/** Left, bottom, right, top. */
export type Box = [left: number, bottom: number, right: number, top: number];

/** What of a text is printed on one line, from its first unit up to but without `end`. */
export interface PrintedLine {
  readonly box: Box;
  readonly start: number;
  readonly end: number;
  /** Whether it runs up or down the page, as on one that lies on its side. */
  readonly isVertical: boolean;
}

/** Where a unit is printed; undefined for one that isn't. */
export function boxAt({ boxes }: PlacedText, unit: number): Box | undefined {
  const [left = 0, bottom = 0, right = 0, top = 0] = [0, 1, 2, 3].map((side) => boxes[4 * unit + side]);
  return right > left && top > bottom ? [left, bottom, right, top] : undefined;
}

/** The lines that a part of a page's text is printed on, in its order. */
export function printedLines(placed: PlacedText, start = 0, end = placed.text.length): PrintedLine[] {
  const lines: { box: Box; start: number; end: number; isVertical: boolean }[] = [];
  let isVertical: boolean | undefined;
  for (let unit = start; unit < end; unit += 1) {
    const box = boxAt(placed, unit);
    if (isVertical === undefined || isBlank(placed.text[unit - 1]))
      isVertical = runsVertically(placed, unit, isVertical);
    if (!box) continue;
    const line = lines.at(-1);
    if (line?.isVertical === isVertical && isSameLine(line.box, box, isVertical)) {
      line.box = around(line.box, box);
      line.end = unit + 1;
    } else lines.push({ box, start: unit, end: unit + 1, isVertical });
  }
  return lines;
}

/** Whether most letters of a word are wider than high. A single one tells nothing. */
function runsVertically(placed: PlacedText, unit: number, before = false): boolean {
  let [all, lying] = [0, 0];
  for (let at = unit; at < unit + 50 && at < placed.text.length && !isBlank(placed.text[at]); at += 1) {
    const box = boxAt(placed, at);
    if (!box) continue;
    all += 1;
    if (box[2] - box[0] > box[3] - box[1]) lying += 1;
  }
  return all < 2 ? before : lying > all / 2;
}

/** Characters follow one another on a line: next to each other, and as high. */
function isSameLine(one: Box, two: Box, isVertical: boolean): boolean {
  const [along, across] = isVertical ? ([1, 0] as const) : ([0, 1] as const);
  const [oneEnd, twoEnd] = [
    [one[2], one[3]],
    [two[2], two[3]],
  ] as const;
  const height = Math.min(oneEnd[across] - one[across], twoEnd[across] - two[across]);
  const shared = Math.min(oneEnd[across], twoEnd[across]) - Math.max(one[across], two[across]);
  const gap = Math.max(two[along] - oneEnd[along], one[along] - twoEnd[along]);
  return shared > height / 2 && gap < height * 1.5;
}

function around(one: Box, two: Box): Box {
  return [Math.min(one[0], two[0]), Math.min(one[1], two[1]), Math.max(one[2], two[2]), Math.max(one[3], two[3])];
}

export type Side = 'start' | 'end';

/**
 * The unit whose character is nearest to a point; undefined on a page without text.
 * @param side which of the units is meant that are printed as one character
 */
export function unitNear(placed: PlacedText, [x, y]: readonly [number, number], side: Side): number | undefined {
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
export function isWordEdge(text: string, unit: number, side: Side): boolean {
  return !isBlank(text[unit]) && isBlank(text[side === 'start' ? unit - 1 : unit + 1]);
}

/** The unit, or one close by, that a word begins or ends with; the unit itself where there is none. */
export function wordEdge(text: string, unit: number, side: Side): number {
  const offset = [0, -1, 1, -2, 2].find((by) => isWordEdge(text, unit + by, side) && unit + by >= 0) ?? 0;
  return Math.min(unit + offset, text.length - 1);
}
