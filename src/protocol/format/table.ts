import { csvCell } from '../../base/cells.ts';
import { visibleText } from '../../base/words.ts';

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
