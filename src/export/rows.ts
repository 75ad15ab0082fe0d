import Papa from 'papaparse';
import { type Column, type ColumnName, columns } from '../api/schemas/fields.ts';
import type { Report } from '../api/schemas/report.ts';
import { guardFormula } from '../base/cells.ts';

/** A column's value once typed: dates stay texts, YYYY-MM-DD, and are known to be dates. */
type TypedValue = string | number | boolean | null;

/** A report as a row of an export: the 50 columns in dictionary order, and the report's id, which files use. */
export type TypedRow = { readonly [Name in ColumnName]: TypedValue } & { readonly report_id: number };

/** A report's 50 columns, typed (CNV-1, CNV-2). A cell that is empty or ill-typed gives way to the typed field. */
export function typedRow(report: Report): TypedRow {
  const row: Record<string, TypedValue> = {};
  const fields = report as unknown as Record<string, unknown>;
  for (const column of columns) {
    row[column.name] = typed(column, report.metadata[column.name]) ?? typedField(column, fields[column.apiField]);
  }
  row.report_id = report.report_id;
  return row as TypedRow;
}

function typed({ type }: Column, cell: string): TypedValue {
  if (cell === '') return null;
  switch (type) {
    case 'string':
      return cell.toWellFormed();
    case 'boolean':
      return /^true$/i.test(cell) ? true : /^false$/i.test(cell) ? false : null;
    case 'integer':
      return /^[+-]?\d{1,9}$/.test(cell) ? Number(cell) : null;
    case 'float':
      return /^[+-]?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(cell) && Number.isFinite(Number(cell)) ? Number(cell) : null;
    case 'date':
      return isDate(cell) ? cell : null;
    default:
      return type satisfies never;
  }
}

function typedField(column: Column, value: unknown): TypedValue {
  if (value === null || value === undefined || typeof value === 'object') return null;
  return typed(column, String(value));
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** Makes a file's bytes piece by piece; holds no more than a piece of it. */
export interface Encoder {
  /** Bytes that are ready once these reports are in; may be empty. */
  add(reports: readonly Report[]): Uint8Array;
  end(): Uint8Array;
}

const names = columns.map(({ name }) => name);

/** Tells spreadsheets that the text is UTF-8. */
const byteOrderMark = '\ufeff';

/** The 50 columns as RFC 4180 (CNV-4). Spreadsheets get a byte order mark, and an apostrophe before formulas. */
export function csvEncoder(forSpreadsheets: boolean): Encoder {
  const encoder = new TextEncoder();
  const cell = (text: string) => (forSpreadsheets ? guardFormula(text) : text);
  const lines = (data: string[][]) => (data.length === 0 ? '' : `${Papa.unparse(data, { newline: '\r\n' })}\r\n`);
  let head = `${forSpreadsheets ? byteOrderMark : ''}${lines([[...names]])}`;
  const rowOf = ({ metadata }: Report) => names.map((name) => cell(metadata[name]));
  const withHead = (text: string) => {
    const bytes = encoder.encode(head + text);
    head = '';
    return bytes;
  };
  return {
    add: (reports) => withHead(lines(reports.map(rowOf))),
    end: () => withHead(''),
  };
}

/** A JSON object a line: the 50 columns, typed, then `report_id`; null where a value is unknown. */
export function jsonLinesEncoder(): Encoder {
  const encoder = new TextEncoder();
  return {
    add(reports) {
      return encoder.encode(reports.map((report) => `${JSON.stringify(typedRow(report))}\n`).join(''));
    },
    end: () => new Uint8Array(),
  };
}
