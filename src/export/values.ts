import { type Column, type ColumnName, columns } from '../api/schemas/fields.ts';
import type { Report } from '../api/schemas/report.ts';

/** A column's value once typed: dates stay texts, YYYY-MM-DD, and are known to be dates. */
export type TypedValue = string | number | boolean | null;

/** A report as a row of an export: the 50 columns in dictionary order, and the report's id, which files are found by. */
export type TypedRow = { readonly [Name in ColumnName]: TypedValue } & { readonly report_id: number };

/**
 * A report's 50 columns, typed by the dictionary: booleans true, false or null (CNV-2), empty texts null (CNV-1). The
 * cells of `metadata` come first, so that every form of export holds the same; a cell that is empty or does not read as
 * its type gives way to the typed field.
 */
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

/** True for a day of the calendar as YYYY-MM-DD. */
function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}
