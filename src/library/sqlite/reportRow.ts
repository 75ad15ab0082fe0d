import { type ColumnName, columns, type FieldName, fields, type TriStateField } from '../../api/schemas/fields.ts';
import { fiscalYearOf, type Report, type TriState } from '../../api/schemas/report.ts';
import { statesTwoYears } from '../../api/schemas/reportTypes.ts';
import { notAsked } from '../arrivals.ts';
import { languagesOf, type ReportState, type ReportSummary } from '../reportQuery.ts';
import type { SqlRow } from './database.ts';

/** States by the number they are stored as. */
export const reportStates: readonly ReportState[] = ['listed', 'withdrawn', 'removed'];

/** The columns of a report that filters, groups and sorting need; texts are empty when the report does not say. */
export interface FilterColumns {
  /** The fiscal year it is filed under, 0 when undated (FY-1 to FY-3). */
  readonly fy: number;
  readonly type: string;
  readonly class: string;
  /** Its languages, each between commas: `,de,en,` (CNV-6). */
  readonly lang: string;
  readonly level: string;
  /** Two bits for each three-valued fact; above them whether the report states two fiscal years. */
  readonly flags: number;
}

/**
 * What stands where in the stored array: the 50 columns first, each as its typed field, then the fields that only the
 * API has. After these come, if there is any, the metadata cells that say something else than their field, and the
 * fields that the interface does not name (RPT-2). Another order of the table of fields needs a migration.
 */
export const storedFields: readonly FieldName[] = fields
  .filter(({ apiField, group }) => group !== 'history' && apiField !== 'report_id')
  .map(({ apiField }) => apiField);
const place = Object.fromEntries(storedFields.map((field, index) => [field, index])) as Record<FieldName, number>;

/** The three-valued facts, in the order of their two bits each in `flags` (CNV-2). */
export const triStateFields = fields
  .filter(({ sql }) => sql === 'flags')
  .map(({ apiField }) => apiField as TriStateField);

/** A report as one JSON array: the 50 values, each typed, and what else it has. Gives every value back exactly. */
export function encodeReport(report: Report): string {
  const values: unknown[] = storedFields.map((field) => report[field]);
  let cells: Record<string, string> | undefined;
  for (const { name, apiField: field } of columns) {
    const cell = report.metadata[name];
    if (cell === cellOf(report[field])) continue;
    cells ??= {};
    cells[name] = cell;
  }
  const hasOther = Object.keys(report.other).length > 0;
  if (cells || hasOther) values.push(cells ?? null);
  if (hasOther) values.push(report.other);
  return JSON.stringify(values);
}

/** The report that was stored. */
export function decodeReport(reportId: number, body: string): Report {
  const values = JSON.parse(body) as unknown[];
  const report: Record<string, unknown> = { report_id: reportId, ...notAsked };
  for (const [index, field] of storedFields.entries()) report[field] = values[index] ?? null;
  report.metadata = metadataIn(values);
  report.other = values[storedFields.length + 1] ?? {};
  return report as unknown as Report;
}

/** The 50 metadata cells of a stored report. */
export function decodeMetadata(body: string): Record<ColumnName, string> {
  return metadataIn(JSON.parse(body) as unknown[]);
}

/** What a list shows of a stored report, of which a row gives id, fiscal year, state and body. */
export function summaryOf([reportId, fy, state, body]: SqlRow): ReportSummary {
  const values = JSON.parse(String(body)) as unknown[];
  const value = <F extends FieldName>(field: F) => (values[place[field]] ?? null) as Report[F];
  const title = cellsIn(values)?.title ?? cellOf(value('report_title'));
  return {
    report_id: Number(reportId),
    report_key: value('report_key'),
    company_key: value('company_key'),
    company_name: value('company_name'),
    title: title || value('report_title'),
    type: value('report_type'),
    class: value('report_class'),
    fiscal_year: fy === 0 ? null : Number(fy),
    fiscal_year_label: value('fiscal_year_label'),
    year: value('report_year'),
    language: value('report_lang'),
    pages: value('report_pages'),
    filesize: value('report_filesize'),
    published: value('report_pubdate_iso'),
    period_end: value('period_end_date'),
    has_file: value('has_file'),
    sha256: value('content_sha256'),
    state: reportStates[Number(state)] ?? 'listed',
  };
}

export function filterColumns(report: Report): FilterColumns {
  const fy = fiscalYearOf(report) ?? 0;
  const languages = languagesOf(report.report_lang);
  return {
    fy: Number.isSafeInteger(fy) ? fy : 0,
    type: report.report_type ?? '',
    class: report.report_class ?? '',
    lang: languages.length === 0 ? '' : `,${languages.join(',')},`,
    level: report.assurance_level ?? '',
    flags: flagsMask(report).value + (statesTwoYears(report.report_fcyear) ? split : 0),
  };
}

/** In SQL, the bits of `flags` that answer `has_file`: 2 is a plain no. */
export const hasFileSql = `((r.flags >> ${2 * triStateFields.indexOf('has_file')}) & 3)`;
/**
 * In SQL, the date of publication as precisely as it is stated, empty when unknown. As text a year alone comes before all
 * months of that year, so newest first it stands behind them, and pretends no day (CNV-5).
 */
export const publishedSql = `ifnull(json_extract(body, '$[${place.report_pubdate_iso}]'), '')`;
/** In SQL, whether the period of `r` ends in the year after the one it is filed under (FY-3). */
export const endsYearLaterSql = `substr(json_extract(r.body, '$[${place.period_end_date}]') || '-', 1, 5) = (r.fy + 1) || '-'`;
/** In SQL, whether a report states two fiscal years. */
export const isSplitSql = '(r.flags >> 52)';
/** Above the facts, and within what a number of JavaScript holds exactly. */
const split = 2 ** 52;

/** The bits of `flags` that matter to a question about some of the facts, and the value they must have. */
export function flagsMask(wanted: Readonly<Partial<Record<TriStateField, TriState>>>): {
  readonly mask: number;
  readonly value: number;
} {
  let mask = 0;
  let value = 0;
  for (const [index, field] of triStateFields.entries()) {
    const want = wanted[field];
    if (want === undefined) continue;
    mask += 3 * 4 ** index;
    value += bitsOf(want) * 4 ** index;
  }
  return { mask, value };
}

function bitsOf(value: TriState): number {
  return value === null ? 0 : value ? 1 : 2;
}

/** How a metadata cell spells the value of its typed field (CNV-4). */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'boolean' ? (value ? 'TRUE' : 'FALSE') : String(value);
}

function cellsIn(values: readonly unknown[]): Partial<Record<ColumnName, string>> | null {
  return (values[storedFields.length] ?? null) as Partial<Record<ColumnName, string>> | null;
}

function metadataIn(values: readonly unknown[]): Record<ColumnName, string> {
  const metadata: Record<string, string> = {};
  for (const [index, { name }] of columns.entries()) metadata[name] = cellOf(values[index]);
  return Object.assign(metadata, cellsIn(values)) as Record<ColumnName, string>;
}
