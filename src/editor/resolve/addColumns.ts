import { type CsvCellOptions, csvCell } from '../../protocol/format/table.ts';
import type { CsvTable } from './csvTable.ts';

/** Text to put at an offset of the document. */
export interface Insertion {
  readonly offset: number;
  readonly text: string;
}

/** Columns to add at the right of a CSV document. */
export interface AddedColumns {
  readonly names: readonly string[];
  /** The new cells of a record of values, by what stands in its identifier column; undefined leaves them empty. */
  valuesOf(cells: readonly string[]): readonly string[] | undefined;
  readonly formulas: CsvCellOptions['formulas'];
}

/**
 * What to insert so that the document gets new columns at its right. Nothing that is there changes: not a quote, not a
 * line break. Short records are filled up first, so that the new cells stand in their columns. Blank lines stay blank.
 */
export function addColumns(table: CsvTable, { names, valuesOf, formulas = 'neutralise' }: AddedColumns): Insertion[] {
  const { delimiter, width, quotesAll, hasHeader } = table;
  const write = (text: string) => csvCell(text, { delimiter, formulas, quoteAll: quotesAll });
  return table.records.map((record, index) => {
    const isHeader = hasHeader && index === 0;
    const added = isHeader ? freeNames(names, record.cells) : (valuesOf(record.cells) ?? names.map(() => ''));
    const filling = delimiter.repeat(width - record.cells.length);
    return { offset: record.end, text: `${filling}${added.map((text) => `${delimiter}${write(text)}`).join('')}` };
  });
}

/** Names as they are, or with a number where the document has a column of that name. */
function freeNames(names: readonly string[], taken: readonly string[]): string[] {
  const used = new Set(taken.map((name) => name.trim()));
  return names.map((name) => {
    let free = name;
    for (let number = 2; used.has(free); number++) free = `${name}_${number}`;
    used.add(free);
    return free;
  });
}

/** The text with the insertions made; for tests and for previews. */
export function withInsertions(text: string, insertions: readonly Insertion[]): string {
  let result = '';
  let last = 0;
  for (const { offset, text: added } of insertions) {
    result += text.slice(last, offset) + added;
    last = offset;
  }
  return result + text.slice(last);
}
