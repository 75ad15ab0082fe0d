import { type Area, isInside, type PlacedWord } from './pageWords.ts';

/** The lines of a table in points, in order; the first and the last are its edges. */
export interface TableLines {
  readonly columns: readonly number[];
  readonly rows: readonly number[];
}

/**
 * Why a person has to look at a cell: some of its text crosses a line or was parted at one; or its words stand so far
 * apart that they may be of several cells.
 */
type CellMark = 'crossed' | 'apart';

export interface TableCell {
  /** As it is printed; lines end with a line feed. */
  readonly text: string;
  readonly mark: CellMark | null;
}

/** Words of a line that follow one another without a gap. */
interface Chunk extends Area {
  readonly words: readonly PlacedWord[];
}

interface TextLine {
  readonly top: number;
  readonly bottom: number;
  readonly chunks: readonly Chunk[];
}

/** Words farther apart than this do not belong together, in parts of their size. */
const gap = 0.5;

/** Rows, in parts of all, that may cross what is a gap between columns in the others. */
const strays = 0.2;

/** Where the lines of a table are, by the gaps between the words in a box: a proposal, which a person confirms. */
export function proposedGrid(words: readonly PlacedWord[], box: Area): TableLines {
  const lines = linesOf(words.filter((word) => isInside(word, box)));
  const inner = columnLines(lines);
  const columns = [box.left, ...inner.filter((x) => x > box.left && x < box.right), box.right];
  const rows = rowLines(lines, columns).filter((y) => y > box.top && y < box.bottom);
  return { columns, rows: [box.top, ...rows, box.bottom] };
}

/** The box around all cells. */
export function boxOf({ columns, rows }: TableLines): Area {
  return { left: columns[0] ?? 0, top: rows[0] ?? 0, right: columns.at(-1) ?? 0, bottom: rows.at(-1) ?? 0 };
}

export type Axis = keyof TableLines;

/** A line of a table; the first and the last of an axis are its edges. */
export interface GridLine {
  readonly axis: Axis;
  readonly index: number;
}

export function isEdge(grid: TableLines, { axis, index }: GridLine): boolean {
  return index <= 0 || index >= grid[axis].length - 1;
}

interface Size {
  readonly width: number;
  readonly height: number;
}

/** Minimum distance between two lines, in points. */
const nearest = 2;

const bounded = (value: number, min: number, max: number) => Math.max(min, Math.min(value, max));

/** Moves a line, but not over its neighbors or out of the page. */
export function lineMoved(grid: TableLines, { axis, index }: GridLine, to: number, page: Size): TableLines {
  const lines = grid[axis];
  const side = axis === 'columns' ? page.width : page.height;
  const [min, max] = [(lines[index - 1] ?? -nearest) + nearest, (lines[index + 1] ?? side + nearest) - nearest];
  return { ...grid, [axis]: lines.with(index, bounded(to, min, max)) };
}

/** Where a line would be among the others; undefined where there is no room for it. */
export function newLineIndex(lines: readonly number[], at: number): number | undefined {
  const next = lines.findIndex((line) => line > at);
  return next <= 0 || lines.some((line) => Math.abs(line - at) < nearest) ? undefined : next;
}

/** Halfway between a line and the next one, else in the middle of the widest gap. */
export function middleAfter(lines: readonly number[], index = lines.length): number {
  const widths = lines.slice(1).map((line, at) => line - (lines[at] ?? 0));
  const at = index < widths.length ? index : widths.indexOf(Math.max(...widths));
  return ((lines[at] ?? 0) + (lines[at + 1] ?? 0)) / 2;
}

/** Smallest side of a frame around a table, in points. */
const smallest = 10;

export function isFrame({ left, top, right, bottom }: Area): boolean {
  return right - left >= smallest && bottom - top >= smallest;
}

/** Moves or sizes a frame within its page. */
export function frameMoved(frame: Area, [across, down]: readonly [number, number], sizes: boolean, page: Size): Area {
  const { left, top, right, bottom } = frame;
  if (sizes)
    return {
      ...frame,
      right: bounded(right + across, left + smallest, page.width),
      bottom: bounded(bottom + down, top + smallest, page.height),
    };
  const [x, y] = [bounded(across, -left, page.width - right), bounded(down, -top, page.height - bottom)];
  return { left: left + x, top: top + y, right: right + x, bottom: bottom + y };
}

/** The cells, row by row. Each word within the edges is in exactly one; a cell with a parted or cut word is marked. */
export function cellsOf(
  words: readonly PlacedWord[],
  { columns, rows }: TableLines,
): readonly (readonly TableCell[])[] {
  const box = boxOf({ columns, rows });
  const parts = rows.slice(1).map(() => columns.slice(1).map(() => ({ words: [] as PlacedWord[], isCrossed: false })));
  const at = (row: number, column: number) => parts[row]?.[column];
  const chunks = linesOf(words.filter((word) => isInside(word, box))).flatMap((line) => line.chunks);
  for (const piece of chunks.flatMap((chunk) => placed(chunk, columns))) {
    for (const word of piece.words) {
      const cell = at(between(rows, (word.top + word.bottom) / 2), piece.column);
      if (!cell) continue;
      cell.words.push(word);
      cell.isCrossed ||= piece.isCrossed || isOutside(word, rows);
    }
  }
  for (const word of words.filter((one) => isCut(one, box))) {
    const x = bounded(middle(word), box.left, box.right);
    const y = bounded((word.top + word.bottom) / 2, box.top, box.bottom);
    const cell = at(between(rows, y), between(columns, x));
    if (cell) cell.isCrossed = true;
  }
  return parts.map((row) =>
    row.map((cell) => {
      const lines = linesOf(cell.words);
      return { text: textOf(lines), mark: cell.isCrossed ? 'crossed' : isApart(lines) ? 'apart' : null };
    }),
  );
}

/** Whether the words of a cell have a gap between them, or several figures below one another. */
function isApart(lines: readonly TextLine[]): boolean {
  const isOfFigures = ({ chunks }: TextLine) => chunks.every(({ words }) => isValue(words));
  return lines.some(({ chunks }) => chunks.length > 1) || lines.filter(isOfFigures).length > 1;
}

/** Which part between two lines a place is in, from 0. */
function between(lines: readonly number[], place: number): number {
  const next = lines.findIndex((line, index) => index > 0 && place < line);
  return (next === -1 ? lines.length - 1 : next) - 1;
}

/** How far something may reach over a line and is none the less on its side, in points. */
const slack = (size: number) => Math.max(1, size * 0.12);

/** Whether a good part of a word is above or below the row that its middle is in. */
function isOutside({ top, bottom }: PlacedWord, rows: readonly number[]): boolean {
  const row = between(rows, (top + bottom) / 2);
  const maxMargin = (bottom - top) * 0.3;
  return (rows[row] ?? top) - top > maxMargin || bottom - (rows[row + 1] ?? bottom) > maxMargin;
}

/** Whether an edge of the table goes through a word, whose middle is on either side. */
function isCut(word: PlacedWord, box: Area): boolean {
  const wide = Math.min(word.right, box.right) - Math.max(word.left, box.left);
  const high = Math.min(word.bottom, box.bottom) - Math.max(word.top, box.top);
  const [width, height] = [word.right - word.left, word.bottom - word.top];
  const isTouched = wide > slack(word.size) && high > height * 0.3;
  return isTouched && (wide < width - slack(word.size) || high < height * 0.7);
}

interface PlacedPiece {
  readonly words: readonly PlacedWord[];
  readonly column: number;
  readonly isCrossed: boolean;
}

/** The columns of a chunk's words. A heading over several columns stays whole; figures are parted from other words. */
function placed(chunk: Chunk, columns: readonly number[]): PlacedPiece[] {
  const pieces: PlacedWord[][] = [];
  let isParted = false;
  for (const word of chunk.words) {
    const before = pieces.at(-1)?.at(-1);
    const line = before && columns.slice(1, -1).find((x) => x > middle(before) && x < middle(word));
    const isBetween =
      before && line !== undefined && line > before.right - slack(word.size) && line < word.left + slack(word.size);
    if (before && !(isBetween && isFigure(word.text))) pieces.at(-1)?.push(word);
    else pieces.push([word]);
    isParted ||= pieces.length > 1;
  }
  return pieces.map((words) => {
    const { left, right } = around(words);
    const maxOverlap = slack(words[0]?.size ?? 0);
    const crossed = columns.slice(1, -1).filter((x) => x > left + maxOverlap && x < right - maxOverlap).length;
    const column = crossed > 1 ? between(columns, left + maxOverlap) : widestIn(columns, left, right);
    return { words, column, isCrossed: crossed > 0 || isParted };
  });
}

const middle = ({ left, right }: Area) => (left + right) / 2;

/** The column that has most of what goes from left to right, the first of several. */
function widestIn(columns: readonly number[], left: number, right: number): number {
  const shares = columns.slice(1).map((end, index) => Math.min(right, end) - Math.max(left, columns[index] ?? end));
  return shares.reduce((best, share, index) => (share > (shares[best] ?? 0) + 0.01 ? index : best), 0);
}

/** Whether a text is a number, or stands for one. */
function isFigure(text: string): boolean {
  return /^[-–—−]$/.test(text) || (/\p{Nd}/u.test(text) && !/\p{L}{2}/u.test(text));
}

/** Words as lines, from the top; what overlaps from side to side by half of its height is on one line. */
function linesOf(words: readonly PlacedWord[]): TextLine[] {
  const lines: { top: number; bottom: number; size: number; words: PlacedWord[] }[] = [];
  for (const word of words.toSorted((a, b) => a.top + a.bottom - b.top - b.bottom)) {
    const line = lines.findLast(({ top, bottom }) => {
      const shared = Math.min(bottom, word.bottom) - Math.max(top, word.top);
      return shared > Math.min(bottom - top, word.bottom - word.top) / 2;
    });
    if (!line) lines.push({ top: word.top, bottom: word.bottom, size: word.size, words: [word] });
    else {
      line.words.push(word);
      // Notes and marks in small letters don't say where the line stands.
      if (word.size <= line.size * 1.1) continue;
      [line.top, line.bottom, line.size] = [word.top, word.bottom, word.size];
    }
  }
  return lines
    .map(({ top, bottom, words: own }) => ({ top, bottom, chunks: chunksOf(own) }))
    .sort((a, b) => a.bottom - b.bottom);
}

function chunksOf(words: readonly PlacedWord[]): Chunk[] {
  const groups: PlacedWord[][] = [];
  let end = Number.NEGATIVE_INFINITY;
  for (const word of words.toSorted((a, b) => a.left - b.left)) {
    const last = groups.at(-1);
    if (last && word.left - end < gap * Math.max(word.size, last[0]?.size ?? 0)) last.push(word);
    else groups.push([word]);
    end = Math.max(word.right, last === groups.at(-1) ? end : word.right);
  }
  return groups.map((group) => ({ words: group, ...around(group) }));
}

function around(boxes: readonly Area[]): Area {
  return {
    left: Math.min(...boxes.map(({ left }) => left)),
    top: Math.min(...boxes.map(({ top }) => top)),
    right: Math.max(...boxes.map(({ right }) => right)),
    bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
  };
}

type Span = readonly [left: number, right: number];

/** A part of the width, and how many chunks there are over all of it. */
type CoveredSpan = readonly [left: number, right: number, count: number];

/** Where most rows have a gap. */
function columnLines(lines: readonly TextLine[]): number[] {
  const rows = lines.filter(({ chunks }) => chunks.length > 1);
  if (rows.length === 0) return [];
  const chunks = rows.flatMap((row) => row.chunks);
  const maxStrays = rows.length < 3 ? 0 : Math.max(1, Math.floor(rows.length * strays));
  const steps = coverage(chunks);
  const blocks = columnBlocks(rows, joined(steps.filter(([, , count]) => count > maxStrays)), chunks);
  return blocks.slice(1).flatMap((block, index) => {
    const [from, to] = [blocks[index]?.[1] ?? 0, block[0]];
    const free = steps.filter(([left, right]) => left >= from && right <= to);
    const least = Math.min(...free.map(([, , count]) => count));
    const emptiest = joined(free.filter(([, , count]) => count === least));
    const [widest] = emptiest.sort((a, b) => b[1] - b[0] - (a[1] - a[0]));
    return widest ? [(widest[0] + widest[1]) / 2] : [];
  });
}

/** From edge to edge of any chunk, how many chunks there are. */
function coverage(chunks: readonly Chunk[]): CoveredSpan[] {
  const changes = new Map<number, number>();
  const note = (place: number, change: number) => changes.set(place, (changes.get(place) ?? 0) + change);
  for (const { left, right } of chunks) {
    note(left, 1);
    note(right, -1);
  }
  const edges = [...changes].sort(([a], [b]) => a - b);
  let count = 0;
  return edges.slice(1).map(([right], index) => {
    const [left, change] = edges[index] ?? [right, 0];
    count += change;
    return [left, right, count];
  });
}

/** The columns: where most rows have text, and what stands by itself between them in a row that has both. */
function columnBlocks(rows: readonly TextLine[], full: readonly Span[], chunks: readonly Chunk[]): Span[] {
  const lone = joined(
    chunks
      .filter(({ left, right }) => !full.some((span) => left < span[1] && right > span[0]))
      .map(({ left, right }): Span => [left, right]),
  );
  const blocks = [...full];
  for (const one of lone) {
    const after = full.find(([left]) => left >= one[1]);
    const before = full.findLast(([, right]) => right <= one[0]);
    const isApart = (other: Span | undefined) =>
      other === undefined || rows.some((row) => hasTextIn(row, one) && hasTextIn(row, other));
    if (isApart(after) && isApart(before)) blocks.push(one);
  }
  return blocks.sort((a, b) => a[0] - b[0]);
}

function hasTextIn({ chunks }: TextLine, [left, right]: Span): boolean {
  return chunks.some((chunk) => chunk.left < right && chunk.right > left);
}

/** Spans that touch as one, in order. */
function joined(spans: readonly (Span | CoveredSpan)[]): Span[] {
  const all: Span[] = [];
  for (const [left, right] of spans.toSorted((a, b) => a[0] - b[0])) {
    const last = all.at(-1);
    if (last && left <= last[1]) all[all.length - 1] = [last[0], Math.max(last[1], right)];
    else all.push([left, right]);
  }
  return all;
}

/** Between the lines of text, but for those that go on what the line above began. */
function rowLines(lines: readonly TextLine[], columns: readonly number[]): number[] {
  const isTight = tightness(lines, columns);
  let hasFigures = false;
  return lines.slice(1).flatMap((line, index) => {
    const above = lines[index];
    if (!above) return [];
    hasFigures ||= above.chunks.some(({ left, words }) => left > (columns[1] ?? 0) && isValue(words));
    const isGoingOn = isTight(above, line) || goesOn(above, line, columns[1] ?? Number.POSITIVE_INFINITY, !hasFigures);
    return isGoingOn ? [] : [(above.bottom + line.top) / 2];
  });
}

/** A figure that is no year, as those stand in headings. */
function isValue(words: readonly PlacedWord[]): boolean {
  const text = words.map((word) => word.text).join(' ');
  return isFigure(text) && !/^(?:19|20)\d\d$/.test(text);
}

/**
 * Whether a line is so near to the one above that both are a row. Where two such lines have figures in one column, the
 * distance says nothing.
 */
function tightness(lines: readonly TextLine[], columns: readonly number[]) {
  const pitches = lines.slice(1).map((line, index) => line.bottom - (lines[index]?.bottom ?? 0));
  const sorted = pitches.toSorted((a, b) => a - b);
  const jump = sorted.findIndex((pitch, index) => index > 0 && pitch > 1.25 * (sorted[index - 1] ?? pitch));
  const maxLeading = jump === -1 ? 0 : (sorted[jump - 1] ?? 0);
  const isNear = (above: TextLine, line: TextLine) => line.bottom - above.bottom <= maxLeading + 0.01;
  const figuresOf = ({ chunks }: TextLine) =>
    chunks.filter(({ words }) => isValue(words)).map((chunk) => between(columns, middle(chunk)));
  const isMisleading = lines.slice(1).some((line, index) => {
    const above = lines[index];
    if (!above || !isNear(above, line)) return false;
    const [ours, theirs] = [figuresOf(line), figuresOf(above)];
    return ours.some((column) => column > 0 && theirs.includes(column));
  });
  return isMisleading ? () => false : isNear;
}

/** Whether a line begins as no row does: in the first column, where one of the two has only that, or in a heading. */
function goesOn(above: TextLine, line: TextLine, firstEnd: number, isHeading: boolean): boolean {
  const isSmall = ({ words }: Chunk) => /^[\p{Ll}(]/u.test(words[0]?.text ?? '');
  const isNear = line.bottom - above.bottom < 1.8 * (line.bottom - line.top);
  const [first] = line.chunks;
  if (!first || !isNear) return false;
  if (isHeading && above.chunks.length > 1) return line.chunks.every(isSmall);
  const isFirstAlone = ({ chunks }: TextLine) => chunks.every((chunk) => chunk.left < firstEnd);
  return first.left < firstEnd && isSmall(first) && (isFirstAlone(line) || isFirstAlone(above));
}

/** The text of a cell: its words in lines. */
function textOf(lines: readonly TextLine[]): string {
  return lines
    .map(({ chunks }) => {
      const own = chunks.flatMap((chunk) => chunk.words);
      return own.map((word, index) => wordText(word, own[index - 1])).join('');
    })
    .join('\n');
}

/** Words that touch are one. */
function wordText(word: PlacedWord, before: PlacedWord | undefined): string {
  return before && word.left - before.right >= before.size * 0.1 ? ` ${word.text}` : word.text;
}
