import { comparable } from './anchor.ts';
import type { Rectangle, Region, RegionLines } from './record.ts';

/** The cells of a part of a table, row by row. */
export type TableCells = readonly (readonly string[])[];

/** Where a table stands in a PDF: the page of each part, from 1. */
export type FoundTable =
  | { readonly state: 'found'; readonly pages: readonly number[] }
  /** On several pages, or with its words on one in another order: a person has to look. */
  | { readonly state: 'ambiguous'; readonly pages: readonly number[] }
  | { readonly state: 'gone' };

/** A row as it is looked for: whole, by its figures alone, and by its words. */
interface WantedRow {
  readonly whole: readonly string[];
  readonly figures: readonly string[];
  readonly words: readonly string[];
}

/** How a row stands on a page. */
type Presence = 'whole' | 'words' | 'none';

/** Digits that figures have at least that stand for their row where its other words are in another order. */
const fewestDigits = 4;

/**
 * Looks for the cells of a table in the text of pages, in whatever order the rows are there. A row is there when its
 * cells stand one after another; one whose words are wrapped, when its figures do and its words are on the page.
 */
export function findTable(parts: readonly TableCells[], pages: readonly string[]): FoundTable {
  const wanted = parts.map((part) => part.map(wantedRow).filter(({ words }) => words.length > 0));
  if (wanted.some((rows) => rows.length === 0)) return { state: 'ambiguous', pages: [] };
  const searched = pages.map((text) => ({ text: comparable(text), words: new Set(text.split(/\s+/).map(comparable)) }));
  const found: number[] = [];
  const unsure = new Set<number>();
  for (const rows of wanted) {
    const presences = searched.map((page) => rows.map((row) => presenceOf(row, page)));
    const whole = pagesWhere(presences, (all) => all.every((presence) => presence === 'whole'));
    const loose = pagesWhere(presences, (all) => all.every((presence) => presence !== 'none'));
    const [only, ...others] = whole;
    if (only !== undefined && others.length === 0) found.push(only);
    else if (loose.length === 0) return { state: 'gone' };
    else for (const page of loose) unsure.add(page);
  }
  return unsure.size === 0 ? { state: 'found', pages: found } : { state: 'ambiguous', pages: [...unsure] };
}

function pagesWhere(presences: readonly Presence[][], isWanted: (all: readonly Presence[]) => boolean): number[] {
  return presences.flatMap((all, index) => (isWanted(all) ? [index + 1] : []));
}

function wantedRow(cells: readonly string[]): WantedRow {
  const filled = cells.filter((cell) => cell.trim() !== '');
  const figures = filled.filter((cell) => /\p{Nd}/u.test(cell) && !/\p{L}{2}/u.test(cell));
  const isTelling = figures.join('').replace(/\P{Nd}/gu, '').length >= fewestDigits;
  return {
    whole: spelled(filled.join(' ')),
    figures: isTelling ? spelled(figures.join(' ')) : [],
    words: filled.flatMap((cell) => cell.split(/\s+/)).filter((word) => word !== ''),
  };
}

/** A text as pages may have it: the raised mark of a note next to its figure, or apart from it. */
function spelled(text: string): string[] {
  const apart = text.replace(/([⁰¹²³⁴-⁹]+)/g, ' $1');
  return [...new Set([comparable(text), comparable(apart)])];
}

interface SearchedPage {
  readonly text: string;
  readonly words: ReadonlySet<string>;
}

function presenceOf({ whole, figures, words }: WantedRow, page: SearchedPage): Presence {
  if (whole.some((text) => isThere(text, page.text))) return 'whole';
  const areThere = words.every((word) =>
    spelled(word).some((text) => text.split(' ').every((part) => page.words.has(part))),
  );
  if (!areThere) return 'none';
  return figures.some((text) => isThere(text, page.text)) ? 'whole' : 'words';
}

/** Whether a text stands somewhere and is no part of a longer figure there. */
function isThere(wanted: string, text: string): boolean {
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const [before, after] = [
      text.slice(Math.max(0, at - 2), at),
      text.slice(at + wanted.length, at + wanted.length + 2),
    ];
    const runsOn = /\p{Nd}$/u.test(wanted) && /^[.,'’]?\p{Nd}|^[%‰]/u.test(after);
    const runsIn = /^[.,]?\p{Nd}/u.test(wanted) && /\p{Nd}[.,'’]?$|[-−–(]$/u.test(before);
    if (!runsOn && !runsIn) return true;
  }
  return false;
}

/** Points that text may lie beside where its row was moved to: a row's lines are not always as far from its text. */
const slack = 4;

/**
 * The lines of a part of a table where it moved up or down on its page as a whole.
 * @param found where the text of rows lies now, by the row's number from 0
 * @returns undefined where fewer than two rows were found, or they moved in another way
 */
export function movedLines(
  { rectangles: [rectangle], columns, rows = [], cells = [] }: Region,
  found: ReadonlyMap<number, readonly Rectangle[]>,
): RegionLines | undefined {
  const boxes = [...found].filter(([, lines]) => lines.length > 0);
  if (!rectangle || !columns || boxes.length < Math.min(2, cells.length)) return undefined;
  const [left, bottom, right, top] = rectangle;
  const moves = boxes.map(([row, lines]) => {
    const middle = (Math.min(...lines.map((line) => line[1])) + Math.max(...lines.map((line) => line[3]))) / 2;
    return middle - ((rows[row] ?? Number.NaN) + (rows[row + 1] ?? Number.NaN)) / 2;
  });
  const [least, most] = [Math.min(...moves), Math.max(...moves)];
  const isBeside = boxes.some(([, lines]) => lines.some((line) => line[0] < left - slack || line[2] > right + slack));
  if (isBeside || !(most - least <= slack)) return undefined;
  const move = (at: number) => Math.round((at + (least + most) / 2) * 100) / 100;
  return { rectangles: [[left, move(bottom), right, move(top)]], columns, rows: rows.map(move) };
}
