import { visibleText } from './visibleText.ts';

/** A table as CSV (RFC 4180). No cell can start a formula in a spreadsheet. */
export function csvTable(rows: readonly (readonly string[])[]): string {
  return `${rows.map((row) => row.map(csvCell).join(',')).join('\r\n')}\r\n`;
}

/** A table as Markdown; the first row is the head. No cell can hold markup. */
export function markdownTable([head = [], ...rows]: readonly (readonly string[])[]): string {
  const line = (row: readonly string[]) => `| ${row.map(markdownCell).join(' | ')} |`;
  const rule = `| ${head.map(() => '---').join(' | ')} |`;
  return `${[line(head), rule, ...rows.map(line)].join('\n')}\n`;
}

/** Quoted where needed; what a spreadsheet would run as a formula gets an apostrophe in front. */
function csvCell(text: string): string {
  const harmless = /^[\s]*[=+\-@\t\r|%]/.test(text) ? `'${text}` : text;
  return /[",\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

function markdownCell(text: string): string {
  return visibleText(text)
    .replace(/\s+/g, ' ')
    .replace(/[\\`*_[\]<>|~&#!$]|:(?=\/\/)|(?<=\bwww)\./gi, (character) => `\\${character}`);
}
