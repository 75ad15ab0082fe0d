import Papa from 'papaparse';
import { guardFormula, type NumberStyle, printedNumber } from '../base/cells.ts';
import { plainText } from '../base/words.ts';
import { textLiteral } from '../notebook/code.ts';
import type { CodeLanguage } from '../notebook/helpers.ts';
import { escapeMarkdown } from '../notebook/markdown.ts';
import { normalForm } from '../text/normalForm.ts';
import { citedPages, type QuotedPassage, sourceMarkdown } from './forms.ts';
import type { Region } from './record.ts';

/** A table as it goes into a document. Its texts come from a PDF, and are untrusted. */
export interface TakenTable {
  readonly source: Omit<QuotedPassage, 'exact'>;
  readonly regions: readonly Region[];
  readonly hasHeader: boolean;
  /** How a column's numbers are printed, if a person told. */
  readonly numbers: readonly (NumberStyle | null)[];
}

export type TableForm = 'markdown' | 'code' | 'polars' | 'csv' | 'tsv' | 'clipboard';

/** Longest text of a cell, in characters. */
const longestCell = 10_000;

/** A cell in the normal form of text, but for raised digits, fractions and the like: they would become plain digits. */
export function cellForm(text: string): string {
  const parts = text.split(/(\p{No}+)/u);
  const isAsPrinted = (index: number) => index % 2 === 1;
  const forms = parts.map((part, index) => {
    if (isAsPrinted(index)) return part;
    const end = /\s$/.test(part) && index < parts.length - 1 ? ' ' : '';
    return `${/^\s/.test(part) && index > 0 ? ' ' : ''}${normalForm(part)}${end}`;
  });
  return forms.join('').replace(/ +/g, ' ').trim();
}

interface NamedColumn {
  readonly name: string;
  readonly texts: readonly string[];
  /** What is printed as numbers, null where it is none; absent where nobody told what they are. */
  readonly values?: readonly (number | null)[];
}

/** The columns of all parts; a column that was told to be numbers is followed by these. */
function columnsOf({ regions, hasHeader, numbers }: TakenTable): NamedColumn[] {
  const rows = regions.flatMap(({ cells = [] }) => cells);
  const [head = []] = hasHeader ? rows : [];
  const body = hasHeader ? rows.slice(1) : rows;
  const taken = new Set<string>();
  const unique = (name: string): string => {
    let free = name;
    for (let number = 2; taken.has(free); number += 1) free = `${name} (${number})`;
    taken.add(free);
    return free;
  };
  return numbers.flatMap((style, index) => {
    const name = unique(plainText(head[index] ?? '', 200) || `Column ${index + 1}`);
    const texts = body.map((row) => plainText(row[index] ?? '', longestCell));
    const printed: NamedColumn = { name, texts };
    if (style === null) return [printed];
    const values = texts.map((text) => printedNumber(text, style));
    return [printed, { name: unique(`${name} (number)`), texts: values.map((value) => String(value ?? '')), values }];
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
  const data = rowsOf(columns).map((row) => row.map((cell, index) => (columns[index]?.values ? cell : guarded(cell))));
  const fields = columns.map(({ name }) => guarded(name));
  return `${Papa.unparse({ fields, data }, { delimiter, newline: '\r\n' })}\r\n`;
}

/** A table with its source and both links below it. */
export function tableMarkdown(table: TakenTable): string {
  const columns = columnsOf(table);
  const line = (cells: readonly string[]) =>
    `| ${cells.map((cell) => escapeMarkdown(cell, longestCell)).join(' | ')} |`;
  const rule = columns.map(({ values }) => (values ? '---:' : '---')).join(' | ');
  const rows = [line(columns.map(({ name }) => name)), `| ${rule} |`, ...rowsOf(columns).map(line)];
  return `${rows.join('\n')}\n\n— ${sourceMarkdown(table.source, 'Show table')}`;
}

/** The same for any text: tabs between cells, and the source in a line. */
export function tablePlain(table: TakenTable): string {
  return `${tableSeparated(table, '\t')}${provenance(table).join(' ')}`;
}

/** Where the table is from, a line each, none of which can be anything but words. */
function provenance({ source, regions }: TakenTable): string[] {
  const { report, sha256, link } = source;
  const places = regions.map(({ page, label, rectangles: [rectangle = []] }) => {
    return `${citedPages({ page, label, last: null })}, rectangle [${rectangle.join(', ')}] in PDF points`;
  });
  return [
    `Table from ${report.company}, ${report.title}, fiscal year ${report.fiscalYear ?? 'unknown'}`,
    `Report key ${report.key}, SHA-256 ${sha256}`,
    ...places,
    link,
  ].map((line) => plainText(line));
}

const missing: Readonly<Record<CodeLanguage, string>> = { python: 'None', r: 'NA', julia: 'missing' };

/** Code that makes the table, with its source: a data frame of pandas, polars or R, or columns for Julia. */
export function tableCode(table: TakenTable, language: CodeLanguage, library: 'pandas' | 'polars' = 'pandas'): string {
  const literals = columnsOf(table).map(
    (column) => [textLiteral(column.name, language), valuesOf(column, language)] as const,
  );
  const comments = provenance(table).map((line) => `# ${line}\n`);
  const lines = (between: string) => literals.map(([name, values]) => `    ${name}${between}${values},\n`).join('');
  if (language === 'python') {
    const [short, name] = library === 'polars' ? ['pl', 'polars'] : ['pd', 'pandas'];
    // Python takes its encoding from comments in the first two lines of a file, unless code is above them.
    return `import ${name} as ${short}\n\n${comments.join('')}table = ${short}.DataFrame({\n${lines(': ')}})\n`;
  }
  if (language === 'r') return `${comments.join('')}table <- data.frame(\n${lines(' = ')}    check.names = FALSE\n)\n`;
  const symbols = literals.map(([name]) => `Symbol(${name}), `).join('');
  const values = literals.map(([, column]) => `    ${column},\n`).join('');
  return `${comments.join('')}table = NamedTuple{(${symbols.trimEnd()})}((\n${values}))\n`;
}

/** A column as a list. All of its numbers are whole, or none is. */
function valuesOf({ texts, values }: NamedColumn, language: CodeLanguage): string {
  const areWhole = values?.every((value) => value === null || Number.isSafeInteger(value)) ?? false;
  const number = (value: number) => (areWhole || !Number.isInteger(value) ? String(value) : value.toFixed(1));
  const items = values
    ? values.map((value) => (value === null ? missing[language] : number(value)))
    : texts.map((text) => textLiteral(text, language));
  if (language !== 'r') return `[${items.join(', ')}]`;
  // An empty c() would be no column at all.
  return items.length === 0 ? 'character(0)' : `c(${items.join(', ')})`;
}
