import { columns, type FieldName, fields, fiscalYearOf, type TriStateField } from '../../api/schemas/fields.ts';
import type { Report, TriState } from '../../api/schemas/report.ts';
import { statesTwoYears } from '../../api/schemas/reportTypes.ts';
import type { SqlRow } from '../../machine/sqliteFile.ts';
import { languagesOf, type ReportState, type ReportSummary, type TableRow, triStateFields } from '../reportQuery.ts';

/** States by the number they are stored as. */
export const reportStates: readonly ReportState[] = ['listed', 'withdrawn', 'removed'];

/** Other years aren't fiscal years, and count as undated. The list order has room for these only. */
export const firstYear = 1901;

/** Whether reports may be filed under a year; 0 stands for undated. */
export const isFiscalYear = (year: number) =>
  year === 0 || (Number.isInteger(year) && year >= firstYear && year < firstYear + 1023);

/** Hexadecimal digits of a hash in the index: of 1,000,000 reports one in 4,000 shares them with another. */
export const hashPrefix = 8;

/** Every field but the id, which is the row's, and those that only say how a report was requested. */
const storedFields: readonly FieldName[] = fields
  .filter(({ apiField, group }) => group !== 'history' && apiField !== 'report_id')
  .map(({ apiField }) => apiField);

/** What a report says of how it was requested, if not by a retired id or key (RID-2). */
export const noLegacyFields = {
  requested_legacy_report_id: null,
  requested_legacy_report_key: null,
  canonical_report_id: null,
  canonical_report_key: null,
};

/** A stored report: the known values, by name. */
type StoredValues = Partial<Omit<Report, 'metadata' | 'other'>> & {
  /** The metadata cells that differ from their field. */
  readonly metadata?: Partial<Report['metadata']>;
  /** Fields that the interface does not name (RPT-2). */
  readonly other?: Report['other'];
};

const parse = (body: unknown) => JSON.parse(String(body)) as StoredValues;

/** A report as one JSON object of named values, without nulls. Equal reports give equal texts. */
export function encodeReport(report: Report): string {
  const values: Record<string, unknown> = {};
  for (const name of storedFields) if (report[name] !== null) values[name] = report[name];
  const cells = columns.filter(({ name, apiField }) => report.metadata[name] !== cellOf(report[apiField]));
  if (cells.length > 0) values.metadata = Object.fromEntries(cells.map(({ name }) => [name, report.metadata[name]]));
  if (Object.keys(report.other).length > 0) values.other = report.other;
  return JSON.stringify(values);
}

/** The stored report, every value exactly. */
export function decodeReport(reportId: number, body: string): Report {
  const values = parse(body);
  const report: Record<string, unknown> = { report_id: reportId, ...noLegacyFields };
  for (const name of storedFields) report[name] = values[name] ?? null;
  report.metadata = metadataIn(values);
  report.other = values.other ?? {};
  return report as unknown as Report;
}

export function decodeMetadata(body: string): Report['metadata'] {
  return metadataIn(parse(body));
}

function metadataIn(values: StoredValues): Report['metadata'] {
  const metadata: Record<string, string> = {};
  for (const { name, apiField } of columns) metadata[name] = values.metadata?.[name] ?? cellOf(values[apiField]);
  return metadata as Report['metadata'];
}

/** What lists show of a report `r` with its body `b`. */
export const summarySql = 'r.report_id, r.fy, r.state, b.body';

export function summaryOf([reportId, fy, state, body]: SqlRow): ReportSummary {
  return summaryFrom(parse(body), Number(reportId), Number(fy), Number(state));
}

function summaryFrom(values: StoredValues, reportId: number, fy: number, state: number): ReportSummary {
  return {
    report_id: reportId,
    report_key: values.report_key ?? '',
    company_key: values.company_key ?? '',
    company_name: values.company_name ?? null,
    title: (values.metadata?.title ?? cellOf(values.report_title)) || (values.report_title ?? null),
    type: values.report_type ?? null,
    class: values.report_class ?? null,
    fiscal_year: fy === 0 ? null : fy,
    fiscal_year_label: values.fiscal_year_label ?? null,
    year: values.report_year ?? null,
    language: values.report_lang ?? null,
    pages: values.report_pages ?? null,
    filesize: values.report_filesize ?? null,
    published: values.report_pubdate_iso ?? null,
    period_end: values.period_end_date ?? null,
    has_file: values.has_file ?? null,
    sha256: values.content_sha256 ?? null,
    state: reportStates[state] ?? 'listed',
  };
}

/** The same for the table, followed by name, country, sector and industry of the company. */
export function tableRowOf([reportId, fy, state, body, ...ofCompany]: SqlRow): TableRow {
  const values = parse(body);
  const [company_name = null, country = null, sector = null, industry = null] = ofCompany as (string | null)[];
  const summary = summaryFrom(values, Number(reportId), Number(fy), Number(state));
  return {
    ...summary,
    company_name: company_name ?? summary.company_name,
    ...{ country, sector, industry },
    assurance_level: values.assurance_level ?? null,
    facts: Object.fromEntries(triStateFields.map((field) => [field, values[field] ?? null])) as TableRow['facts'],
  };
}

/** The columns that filters, groups and sorting need; a required text is empty when the report does not state it. */
export function filterColumns(report: Report) {
  const year = fiscalYearOf(report) ?? 0;
  const languages = languagesOf(report.report_lang);
  return {
    /** The fiscal year it is filed under, 0 when undated (FY-1 to FY-3). */
    fy: isFiscalYear(year) ? year : 0,
    /** The year in which its period ends, 0 when unknown. */
    ends: Number(/^\d{4}(?=-|$)/.exec(report.period_end_date ?? '')?.[0] ?? 0),
    type: report.report_type ?? '',
    class: report.report_class ?? '',
    /** Each language between commas: `,de,en,` (CNV-6). */
    lang: languages.length === 0 ? '' : `,${languages.join(',')},`,
    level: report.assurance_level ?? '',
    /** Two bits for each three-valued fact; above them whether the report states two fiscal years. */
    flags: flagsMask(report).value + (statesTwoYears(report.report_fcyear) ? split : 0),
    title: report.metadata.title || report.report_title || null,
    /** As precise as stated: a year alone sorts before its months, so newest first it comes after them (CNV-5). */
    published: report.report_pubdate_iso ?? '',
    pages: report.report_pages,
    filesize: report.report_filesize,
    /** The beginning of the PDF's published hash, in lower case: see hashQueries.ts. */
    hash: report.content_sha256?.trim().slice(0, hashPrefix).toLowerCase() || null,
  };
}

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
    value += (want === null ? 0 : want ? 1 : 2) * 4 ** index;
  }
  return { mask, value };
}

/** In SQL, the bits of `flags` that answer a three-valued fact: 1 is yes, 2 is no. */
export function factSql(field: TriStateField): string {
  return `((r.flags >> ${2 * triStateFields.indexOf(field)}) & 3)`;
}

export const isSplitSql = '(r.flags >> 52)';
/** Above the facts, and within what a number of JavaScript holds exactly. */
const split = 2 ** 52;

/** How a metadata cell spells the value of its typed field (CNV-4). */
function cellOf(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'boolean' ? (value ? 'TRUE' : 'FALSE') : String(value);
}
