import type { PlacedWord } from '../../../src/webview/pdfPreview/pageWords.ts';
import { cellsOf, proposedGrid, type TableLines } from '../../../src/webview/pdfPreview/tableGrid.ts';
import type { MadeTable } from './madeTables.ts';

/** How a table came out after a person corrected its lines. */
export interface Confirmed {
  readonly name: string;
  readonly all: number;
  readonly right: number;
  /** Cells that are wrong, and neither marked nor empty. */
  readonly unmarked: number;
  readonly drags: number;
}

const maxDrags = 2;

/** What a person does who knows the table: of all single drags the best, twice at most. */
export function confirmed(table: MadeTable, words: readonly PlacedWord[], max = maxDrags): Confirmed {
  let grid = proposedGrid(words, table.box);
  let best = scored(table, words, grid);
  let drags = 0;
  while (best.right < best.all && drags < max) {
    const tries = corrections(table, grid).map((next) => ({ next, score: scored(table, words, next) }));
    const [first] = tries.sort((a, b) => b.score.right - a.score.right);
    if (!first || first.score.right <= best.right) break;
    [grid, best] = [first.next, first.score];
    drags += 1;
  }
  return { name: table.name, ...best, drags };
}

/** Each line taken away, moved to where it belongs, or added there. */
function corrections(table: MadeTable, grid: TableLines): TableLines[] {
  return (['columns', 'rows'] as const).flatMap((axis) => {
    const lines = grid[axis];
    const inner = lines.slice(1, -1).map((_, index) => index + 1);
    const wanted = table[axis].slice(1, -1);
    const removed = inner.map((at) => lines.toSpliced(at, 1));
    const moved = inner.flatMap((at) => wanted.map((line) => lines.with(at, line)));
    const added = wanted.map((line) => [...lines, line]);
    return [...removed, ...moved, ...added].map((next) => ({ ...grid, [axis]: next.toSorted((a, b) => a - b) }));
  });
}

function scored({ cells, columns, rows }: MadeTable, words: readonly PlacedWord[], grid: TableLines) {
  const found = cellsOf(words, grid);
  let [all, right, unmarked] = [0, 0, 0];
  const seen = new Set<object>();
  // Where lines are missing or too many, a cell is what is at its place.
  const isAlike = grid.columns.length === columns.length && grid.rows.length === rows.length;
  cells.forEach((row, y) => {
    row.forEach((wanted, x) => {
      all += 1;
      const there = found[partOf(grid.rows, middleOf(rows, y))]?.[partOf(grid.columns, middleOf(columns, x))];
      const cell = isAlike ? found[y]?.[x] : there;
      const isRight = cell !== undefined && !seen.has(cell) && plain(cell.text) === plain(wanted);
      if (cell) seen.add(cell);
      if (isRight) right += 1;
      else if (!cell || (cell.mark === null && cell.text !== '')) unmarked += 1;
    });
  });
  return { all, right, unmarked };
}

export const plain = (text: string) => text.normalize('NFC').replace(/\s+/g, ' ').trim();

const middleOf = (lines: readonly number[], index: number) => ((lines[index] ?? 0) + (lines[index + 1] ?? 0)) / 2;

function partOf(lines: readonly number[], place: number): number {
  const next = lines.findIndex((line, index) => index > 0 && place < line);
  return (next === -1 ? lines.length - 1 : next) - 1;
}
