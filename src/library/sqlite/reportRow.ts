import { type ColumnName, columns } from '../../api/schemas/fields.ts';
import { fiscalYearOf, type Report, type TriState } from '../../api/schemas/report.ts';
import { statesTwoYears } from '../../api/schemas/reportTypes.ts';
import {
  languagesOf,
  type ReportState,
  type ReportSummary,
  type TriStateField,
  triStateFields,
} from '../reportQuery.ts';

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
  /** Two bits for each of `triStateFields`, in their order; above them whether it states two fiscal years. */
  readonly flags: number;
}

/** The metadata columns in dictionary order, each with the typed field that says the same. */
const dictionary = columns.map(({ name, apiField }) => ({ name, field: apiField as keyof Report }));

/** Fields that no metadata column spells. */
const ownFields = [
  'has_file',
  'created_at',
  'updated_at',
  'download_path',
  'formats',
  'report_hash',
  'document_scope',
  'report_period',
  'report_fcyear',
  'report_pubdate',
  'report_edition',
  'report_assurance',
] as const satisfies readonly (keyof Report)[];

/**
 * What stands where in the stored array. The order is part of the stored format: another one needs a migration. After
 * these come, if there is any, the metadata cells that say something else than their field, and the fields that the
 * interface does not name (RPT-2).
 */
const stored: readonly (keyof Report)[] = [...dictionary.map(({ field }) => field), ...ownFields];
const place = Object.fromEntries(stored.map((field, index) => [field, index])) as Record<keyof Report, number>;

/** Fields that say how a report was asked for; none is stored (RID-2). */
const notAsked = {
  requested_legacy_report_id: null,
  requested_legacy_report_key: null,
  canonical_report_id: null,
  canonical_report_key: null,
};

/** A report as one JSON array: the 50 values, each typed, and what else it has. Gives every value back exactly. */
export function encodeReport(report: Report): string {
  const values: unknown[] = stored.map((field) => report[field]);
  let cells: Record<string, string> | undefined;
  for (const { name, field } of dictionary) {
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
  for (const [index, field] of stored.entries()) report[field] = values[index] ?? null;
  report.metadata = metadataIn(values);
  report.other = values[stored.length + 1] ?? {};
  return report as unknown as Report;
}

/** The 50 metadata cells of a stored report. */
export function decodeMetadata(body: string): Record<ColumnName, string> {
  return metadataIn(JSON.parse(body) as unknown[]);
}

/** What a list shows of a stored report. */
export function summarise(reportId: number, fy: number, state: ReportState, body: string): ReportSummary {
  const values = JSON.parse(body) as unknown[];
  const value = <F extends keyof Report>(field: F) => (values[place[field]] ?? null) as Report[F];
  const title = cellsIn(values)?.title ?? cellOf(value('report_title'));
  return {
    report_id: reportId,
    report_key: value('report_key'),
    company_key: value('company_key'),
    company_name: value('company_name'),
    title: title || value('report_title'),
    type: value('report_type'),
    class: value('report_class'),
    fiscal_year: fy === 0 ? null : fy,
    fiscal_year_label: value('fiscal_year_label'),
    year: value('report_year'),
    language: value('report_lang'),
    pages: value('report_pages'),
    filesize: value('report_filesize'),
    published: value('report_pubdate_iso'),
    period_end: value('period_end_date'),
    has_file: value('has_file'),
    sha256: value('content_sha256'),
    state,
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
    flags: flagsOf(report),
  };
}

/** In SQL, the bits of `flags` that answer `has_file`: 2 is a plain no. */
export const hasFileSql = '(r.flags & 3)';
/** In SQL, whether a report states two fiscal years. */
export const isSplitSql = '(r.flags >> 32)';
const split = 2 ** 32;

function flagsOf(report: Report): number {
  let flags = 0;
  for (let index = 0; index < triStateFields.length; index++) {
    flags |= bitsOf(report[triStateFields[index] as TriStateField]) << (2 * index);
  }
  return (flags >>> 0) + (statesTwoYears(report.report_fcyear) ? split : 0);
}

/** The bits of `flags` that matter to a question about some of the facts, and the value they must have. */
export function flagsMask(wanted: Readonly<Partial<Record<TriStateField, TriState>>>): {
  readonly mask: number;
  readonly value: number;
} {
  let mask = 0;
  let value = 0;
  triStateFields.forEach((field, index) => {
    const want = wanted[field];
    if (want === undefined) return;
    mask |= 3 << (2 * index);
    value |= bitsOf(want) << (2 * index);
  });
  return { mask: mask >>> 0, value: value >>> 0 };
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
  return (values[stored.length] ?? null) as Partial<Record<ColumnName, string>> | null;
}

function metadataIn(values: readonly unknown[]): Record<ColumnName, string> {
  const metadata: Record<string, string> = {};
  for (const [index, { name }] of dictionary.entries()) metadata[name] = cellOf(values[index]);
  return Object.assign(metadata, cellsIn(values)) as Record<ColumnName, string>;
}
