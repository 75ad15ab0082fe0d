import { guardFormula, startsFormula } from '../../base/cells.ts';
import { visibleText } from '../../base/words.ts';

/** What becomes of a text that a spreadsheet would run as a formula when it opens the file. */
export type Formulas =
  /** It gets an apostrophe in front, which spreadsheets take as "this is text". Programs see the apostrophe. */
  | 'neutralise'
  /** It stays as it is, in quotes: right for programs, but a spreadsheet may still run it. */
  | 'quote';

export interface CsvCellOptions {
  readonly delimiter?: string;
  readonly formulas?: Formulas;
  /** Every cell in quotes, as some files have it. */
  readonly quoteAll?: boolean;
}

/** One cell as it stands in a CSV file (RFC 4180): quoted where needed; by default it can start no formula. */
export function csvCell(text: string, options: CsvCellOptions = {}): string {
  const { delimiter = ',', formulas = 'neutralise', quoteAll = false } = options;
  const isFormula = startsFormula(text);
  const value = formulas === 'neutralise' ? guardFormula(text) : text;
  const mustQuote = quoteAll || isFormula || value.includes(delimiter) || /["\r\n]|^\s|\s$/.test(value);
  return mustQuote ? `"${value.replaceAll('"', '""')}"` : value;
}

/** A table as CSV (RFC 4180). No cell can start a formula in a spreadsheet. */
export function csvTable(rows: readonly (readonly string[])[]): string {
  return `${rows.map((row) => row.map((cell) => csvCell(cell)).join(',')).join('\r\n')}\r\n`;
}

/** A table for the clipboard, as spreadsheets take it: tabs between cells. No cell can start a formula there. */
export function tsvTable(rows: readonly (readonly string[])[]): string {
  return `${rows.map((row) => row.map((cell) => csvCell(cell, { delimiter: '\t' })).join('\t')).join('\r\n')}\r\n`;
}

/** A table as Markdown; the first row is the head. No cell can hold markup. */
export function markdownTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (row: readonly string[]) => `| ${row.map(markdownText).join(' | ')} |`;
  const rule = `| ${head.map(() => '---').join(' | ')} |`;
  return `${[line(head), rule, ...rows.map(line)].join('\n')}\n`;
}

/** A text as one line of Markdown that holds no markup. */
export function markdownText(text: string): string {
  return visibleText(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>|~&#!$]|:(?=\/\/)|(?<=www)\./gi, (character) => `\\${character}`);
}
