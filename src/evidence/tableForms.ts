import Papa from 'papaparse';
import { columnNumbers, guardFormula, type NumberStyle } from '../base/cells.ts';
import { plainText } from '../base/words.ts';
import { textLiteral } from '../notebook/code.ts';
import { escapeMarkdown } from '../notebook/markdown.ts';
import { normalForm } from '../text/normalForm.ts';
import { citedPages, type QuotedPassage, sourceMarkdown } from './forms.ts';
import type { Region } from './record.ts';

/** A table as it goes into a document. Its texts come from a PDF, and are untrusted. */
export interface TakenTable {
  readonly source: Omit<QuotedPassage, 'exact'>;
  /** Its cells' first row names the columns. */
  readonly region: Region;
  /** How its numbers are printed; null to leave all cells as texts. */
  readonly style: NumberStyle | null;
}

export type TableForm = 'markdown' | 'code' | 'csv' | 'tsv' | 'clipboard';

/** Longest text of a cell, in characters. */
const longestCell = 10_000;

/** A cell in the normal form of text, but for raised digits, fractions and the like: they would become plain digits. */
export function cellForm(text: string): string {
  const parts = text.split(/(\p{No}+)/u);
  const isAsPrinted = (index: number) => index % 2 === 1;
  const forms = parts.map((part, index) => {
    if (isAsPrinted(index)) return part;
    return `${/^\s/.test(part) ? ' ' : ''}${normalForm(part)}${/\s$/.test(part) ? ' ' : ''}`;
  });
  return forms.join('').replace(/ +/g, ' ').trim();
}

interface NamedColumn {
  readonly name: string;
  readonly texts: readonly string[];
  /** Whether the texts are printed numbers. */
  readonly areNumbers: boolean;
  /** What printed numbers are read as, null where a cell is none; absent for a column as printed. */
  readonly values?: readonly (number | null)[];
}

/** The columns as printed; each of numbers is followed by one of what they are read as. */
function columnsOf({ region: { cells = [] }, style }: TakenTable): NamedColumn[] {
  const [head = [], ...body] = cells;
  const taken = new Set<string>();
  const unique = (name: string): string => {
    let free = name;
    for (let number = 2; taken.has(free); number += 1) free = `${name} (${number})`;
    taken.add(free);
    return free;
  };
  return head.flatMap((heading, index) => {
    const name = unique(plainText(heading, 200) || `Column ${index + 1}`);
    const texts = body.map((row) => plainText(row[index] ?? '', longestCell));
    const values = columnNumbers(texts, style);
    const printed: NamedColumn = { name, texts, areNumbers: values !== null };
    if (!values) return [printed];
    const read = values.map((value) => String(value ?? ''));
    return [printed, { name: unique(`${name} (number)`), texts: read, areNumbers: true, values }];
  });
}

function rowsOf(columns: readonly NamedColumn[]): string[][] {
  return (columns[0]?.texts ?? []).map((_, row) => columns.map(({ texts }) => texts[row] ?? ''));
}

/** A number with a sign, as printed: with blanks or a percent sign a spreadsheet runs it no more than without. */
const signedNumber = /^[-+−]\s?\d[\d.,'’\s]*[%‰]?$/u;

function guarded(cell: string): string {
  return signedNumber.test(cell) ? cell : guardFormula(cell);
}

/** Separated values, of which no cell is run by a spreadsheet. */
export function tableSeparated(table: TakenTable, delimiter: ',' | '\t'): string {
  const columns = columnsOf(table);
  const data = rowsOf(columns).map((row) => row.map(guarded));
  const fields = columns.map(({ name }) => guarded(name));
  return `${Papa.unparse({ fields, data }, { delimiter, newline: '\r\n' })}\r\n`;
}

/** A table as printed, to be read by people, with its source and both links below it. */
export function tableMarkdown(table: TakenTable): string {
  const columns = columnsOf(table).filter(({ values }) => values === undefined);
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => escapeMarkdown(cell, longestCell)).join(' | ')} |`;
  const rule = columns.map(({ areNumbers }) => (areNumbers ? '---:' : '---')).join(' | ');
  const rows = [line(columns.map(({ name }) => name)), `| ${rule} |`, ...rowsOf(columns).map(line)];
  return `${rows.join('\n')}\n\n— ${sourceMarkdown(table.source, 'Show table')}`;
}

/** The same for any text: tabs between cells, and the source in a line. */
export function tablePlain(table: TakenTable): string {
  return `${tableSeparated(table, '\t')}${provenance(table).join(' ')}`;
}

/** Where the table is from, a line each, none of which can be anything but words. */
function provenance({ source, region }: TakenTable): string[] {
  const { report, sha256, link } = source;
  return [
    `Table from ${report.company}, ${report.title}, fiscal year ${report.fiscalYear ?? 'unknown'}`,
    `Report key ${report.key}, SHA-256 ${sha256}`,
    `${citedPages(source)}, rectangle [${(region.rectangles[0] ?? []).join(', ')}] in PDF points`,
    link,
  ].map((line) => plainText(line));
}

/** Code that makes the table as a data frame of pandas, with its source. */
export function tableCode(table: TakenTable): string {
  const comments = provenance(table).map((line) => `# ${line}\n`);
  const columns = columnsOf(table).map((column) => `    ${textLiteral(column.name)}: ${listOf(column)},\n`);
  // Python reads the encoding from comments in the first two lines of a file, unless code is above them.
  return `import pandas as pd\n\n${comments.join('')}table = pd.DataFrame({\n${columns.join('')}})\n`;
}

/** A column as a list. All of its numbers are whole, or none is. */
function listOf({ texts, values }: NamedColumn): string {
  const areWhole = values?.every((value) => value === null || Number.isSafeInteger(value)) ?? false;
  const number = (value: number) => (areWhole || !Number.isInteger(value) ? String(value) : value.toFixed(1));
  const items = values
    ? values.map((value) => (value === null ? 'None' : number(value)))
    : texts.map((text) => textLiteral(text));
  return `[${items.join(', ')}]`;
}
