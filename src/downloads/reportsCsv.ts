import Papa from 'papaparse';
import { type ColumnName, columns } from '../api/schemas/fields.ts';
import { guardFormula, unguardFormula } from '../base/cells.ts';

/** A row of the table: the 50 columns as strings, and where the PDF lies relative to the table. */
export interface CsvRow {
  readonly metadata: Readonly<Record<ColumnName, string>>;
  readonly report_id: number;
  readonly path: string;
}

const columnNames = columns.map((column) => column.name);
const header: readonly string[] = [...columnNames, 'report_id', 'path'];

/** The table's text: RFC 4180, the 50 columns in dictionary order (CNV-4), then `report_id` and `path`. */
export function formatCsv(rows: readonly CsvRow[]): string {
  const data = rows
    .toSorted((a, b) => a.report_id - b.report_id)
    .map(({ metadata, report_id, path }) => [...columnNames.map((name) => metadata[name]), `${report_id}`, path])
    .map((cells) => cells.map((cell) => guardFormula(cell ?? '')));
  return `${Papa.unparse({ fields: [...header], data }, { newline: '\r\n' })}\r\n`;
}

/** Reads an earlier table, whose rows may be kept. Undefined for any other text, which belongs to the user. */
export function parseCsv(text: string): CsvRow[] | undefined {
  const { data } = Papa.parse<string[]>(text.replace(/^\ufeff/, ''), { delimiter: ',', skipEmptyLines: true });
  const [first, ...records] = data;
  if (first === undefined || first.join() !== header.join()) return undefined;
  return records.flatMap((record) => {
    const values = record.map(unguardFormula);
    const report_id = Number(values[columnNames.length]);
    const path = values[columnNames.length + 1];
    if (!Number.isSafeInteger(report_id) || path === undefined) return [];
    const metadata = Object.fromEntries(columnNames.map((name, index) => [name, values[index] ?? '']));
    return [{ metadata: metadata as Record<ColumnName, string>, report_id, path }];
  });
}
