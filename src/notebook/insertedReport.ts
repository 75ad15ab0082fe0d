import { fiscalYearOf, type Report } from '../api/schemas/report.ts';
import { englishTypeName } from '../api/schemas/reportTypes.ts';

/** What a document says of a report. Texts are the service's, as they came. */
export interface InsertedReport {
  readonly report_id: number;
  readonly report_key: string;
  readonly title: string;
  readonly company: string;
  /** Such as `Sustainability Report (SR)`. */
  readonly type: string;
  /** Such as `2024 (2023/24)`; `undated` when there is none. */
  readonly fiscalYear: string;
  /** Such as `2023-04-01 to 2024-03-31`; null when the report states none. */
  readonly period: string | null;
  /** At the precision that the report states (CNV-5); null when unknown. */
  readonly published: string | null;
  /** Of the PDF, lower-case hex; null when the service publishes none. */
  readonly sha256: string | null;
}

/** The facts of a report that go into documents. The fiscal year is never the year of the key (RID-3). */
export function insertedReport(report: Report): InsertedReport {
  const { report_id, report_key, report_type: type } = report;
  const kind = type === null || type === '' ? 'Report' : englishTypeName(type);
  return {
    report_id,
    report_key,
    title: report.report_title?.trim() || kind,
    company: report.company_name?.trim() || report.company_key,
    type: type === null || type === '' || kind.includes(`(${type})`) ? kind : `${kind} (${type})`,
    fiscalYear: fiscalYearWords(report),
    period: period(report.period_start_date, report.period_end_date),
    published: report.report_pubdate_iso,
    sha256: report.content_sha256,
  };
}

function fiscalYearWords(report: Report): string {
  const year = fiscalYearOf(report);
  const label = report.fiscal_year_label?.trim();
  if (year === null) return label || 'undated';
  return label && label !== String(year) ? `${year} (${label})` : String(year);
}

function period(start: string | null, end: string | null): string | null {
  if (start && end) return `${start} to ${end}`;
  return end ? `to ${end}` : start ? `from ${start}` : null;
}
