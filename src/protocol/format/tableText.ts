import { csvCell } from './csvCell.ts';
import { visibleText } from './visibleText.ts';

/** A table as CSV (RFC 4180). No cell can start a formula in a spreadsheet. */
export function csvTable(rows: readonly (readonly string[])[]): string {
  return `${rows.map((row) => row.map((cell) => csvCell(cell)).join(',')).join('\r\n')}\r\n`;
}

/** A table as Markdown; the first row is the head. No cell can hold markup. */
export function markdownTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (row: readonly string[]) => `| ${row.map(markdownCell).join(' | ')} |`;
  const rule = `| ${head.map(() => '---').join(' | ')} |`;
  return `${[line(head), rule, ...rows.map(line)].join('\n')}\n`;
}

function markdownCell(text: string): string {
  return visibleText(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>|~&#!$]|:(?=\/\/)|(?<=www)\./gi, (character) => `\\${character}`);
}
