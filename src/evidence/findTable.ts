import { comparable, isLetter } from './anchor.ts';
import type { Rectangle, Region, RegionLines } from './record.ts';

/** The cells of a part of a table, row by row. */
export type TableCells = readonly (readonly string[])[];

/** Where a table stands in a PDF: the page of each part, from 1. */
export type FoundTable =
  | { readonly state: 'found'; readonly pages: readonly number[] }
  /** On several pages, or with its words on one in another order: a person has to look. */
  | { readonly state: 'ambiguous'; readonly pages: readonly number[] }
  | { readonly state: 'gone' };

/** A row as it is looked for: whole, also wrapped around its figures, and by its words. */
interface WantedRow {
  readonly whole: readonly string[];
  /** Each word, as it may be spelled. */
  readonly words: readonly (readonly (readonly string[])[])[];
}

/** How a row stands on a page. */
type Presence = 'whole' | 'words' | 'none';

/** Digits that figures have at least that stand for their row where its other words are around them. */
const fewestDigits = 4;

/** A page prepared for looking for many tables: its words joined, with a blank only between two numbers. */
export interface JoinedPage {
  readonly text: string;
  /** Not 0 where a word begins, and at the end. */
  readonly starts: Uint8Array;
}

/** @param text of the page, in the normal form */
export function joinedPage(text: string): JoinedPage {
  return joined(wordsIn(text));
}

/**
 * Looks for the cells of a table in the text of pages, in whatever order the rows are there. A row is there when its
 * cells stand one after another, or the words of a wrapped one directly around its figures.
 */
export function findTable(parts: readonly TableCells[], pages: readonly JoinedPage[]): FoundTable {
  const wanted = parts.map((part) => part.map(wantedRow).filter(({ words }) => words.length > 0));
  if (wanted.some((rows) => rows.length === 0)) return { state: 'ambiguous', pages: [] };
  const found: number[] = [];
  const unsure = new Set<number>();
  for (const rows of wanted) {
    const presences = pages.map((page) => presenceOfAll(rows, page));
    const [whole, loose] = (['whole', 'words'] as const).map((wantedPresence) =>
      presences.flatMap((presence, index) => (presence === wantedPresence ? [index + 1] : [])),
    ) as [number[], number[]];
    const [only, ...others] = whole;
    if (only !== undefined && others.length === 0) found.push(only);
    else if (whole.length + loose.length === 0) return { state: 'gone' };
    else for (const page of [...whole, ...loose].sort((a, b) => a - b)) unsure.add(page);
  }
  return unsure.size === 0 ? { state: 'found', pages: found } : { state: 'ambiguous', pages: [...unsure] };
}

/** How the row that is there least stands on a page. */
function presenceOfAll(rows: readonly WantedRow[], page: JoinedPage): Presence {
  let all: Presence = 'whole';
  for (const row of rows) {
    const presence = presenceOf(row, page);
    if (presence === 'none') return 'none';
    if (presence === 'words') all = 'words';
  }
  return all;
}

function wantedRow(cells: readonly string[]): WantedRow {
  const filled = cells.filter((cell) => cell.trim() !== '');
  const isFigure = (cell: string) => /\p{Nd}/u.test(cell) && !/\p{L}{2}/u.test(cell);
  const figures = filled.filter(isFigure).join(' ');
  const label = filled.filter((cell) => !isFigure(cell)).flatMap((cell) => cell.split(/\s+/));
  const isTelling = figures.replace(/\P{Nd}/gu, '').length >= fewestDigits;
  const wrapped = label
    .slice(0, isTelling ? label.length : 0)
    .map((_, index) => [...label.slice(0, index + 1), figures, ...label.slice(index + 1)].join(' '));
  return {
    whole: [filled.join(' '), ...wrapped].flatMap((text) => spelled(text).map((words) => joined(words).text)),
    words: filled
      .flatMap((cell) => cell.split(/\s+/))
      .filter((word) => word !== '')
      .map(spelled),
  };
}

/** Most words are comparable as they are. */
const plainWord = /^[!-,.-~]+$/;

function wordsIn(text: string): string[] {
  return text
    .split(/\s+/)
    .flatMap((word) => (plainWord.test(word) ? word : comparable(word).split(' ')))
    .filter((word) => word !== '');
}

/** A text's words as pages may have them: the raised mark of a note next to its figure, or apart from it. */
function spelled(text: string): string[][] {
  const next = text.replace(/[⁰¹²³⁴-⁹]+/g, (mark) => mark.normalize('NFKC'));
  return [wordsIn(text), ...(next === text ? [] : [wordsIn(next)])];
}

function joined(words: readonly string[]): JoinedPage {
  const begins: number[] = [];
  let text = '';
  let last = '';
  for (const word of words) {
    if (/^\p{Nd}/u.test(word) && /\p{Nd}$/u.test(last)) text += ' ';
    begins.push(text.length);
    text += word;
    last = word;
  }
  const starts = new Uint8Array(text.length + 1);
  for (const at of [...begins, text.length]) starts[at] = 1;
  return { text, starts };
}

function presenceOf({ whole, words }: WantedRow, page: JoinedPage): Presence {
  if (whole.some((text) => isThere(text, page))) return 'whole';
  const areThere = words.every((spellings) => spellings.some((parts) => parts.every((part) => isWord(part, page))));
  return areThere ? 'words' : 'none';
}

function isWord(word: string, { text, starts }: JoinedPage): boolean {
  for (let at = text.indexOf(word); at !== -1; at = text.indexOf(word, at + 1)) {
    const end = at + word.length;
    if (starts[at] && (starts[end] || (text[end] === ' ' && starts[end + 1]))) return true;
  }
  return false;
}

/** Whether a text stands somewhere and is no part of a longer word or figure there. */
function isThere(wanted: string, { text, starts }: JoinedPage): boolean {
  for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) {
    const end = at + wanted.length;
    const [before, after] = [text.slice(Math.max(0, at - 4), at), text.slice(end, end + 5)];
    const isPart = [at, end].some((border) => !starts[border] && isLetter(text[border - 1]) && isLetter(text[border]));
    const runsOn =
      /\p{Nd}$/u.test(wanted) &&
      (/^[.,'’]?\p{Nd}|^[%‰]/u.test(after) || (/^ \p{Nd}{3}(?!\p{Nd})/u.test(after) && mayGoOn(wanted)));
    const runsIn =
      /^[.,]?\p{Nd}/u.test(wanted) &&
      (/\p{Nd}[.,'’]?$|[-−–(±<>≤≥~]$/u.test(before) ||
        (/(?<!\p{Nd})\p{Nd}{1,3} $/u.test(before) && /^\p{Nd}{3}(?!\p{Nd})/u.test(wanted)));
    if (!isPart && !runsOn && !runsIn) return true;
  }
  return false;
}

/** Whether a blank and three digits could be the next thousand of the number that a text ends with. */
function mayGoOn(text: string): boolean {
  return /(?<![\p{Nd}.,'’])\p{Nd}{1,3}$/u.test(text);
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
  const [min, max] = [Math.min(...moves), Math.max(...moves)];
  const isBeside = boxes.some(([, lines]) => lines.some((line) => line[0] < left - slack || line[2] > right + slack));
  if (isBeside || !(max - min <= slack)) return undefined;
  const move = (at: number) => Math.round((at + (min + max) / 2) * 100) / 100;
  return { rectangles: [[left, move(bottom), right, move(top)]], columns, rows: rows.map(move) };
}
