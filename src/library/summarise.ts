import type { Report } from '../api/schemas/report.ts';
import type { ReportState, ReportSummary } from './reportQuery.ts';

/** What a list shows of a report; `fy` is the year it is filed under, 0 when undated. */
export function summarise(report: Report, fy: number, state: ReportState): ReportSummary {
  return {
    report_id: report.report_id,
    report_key: report.report_key,
    company_key: report.company_key,
    company_name: report.company_name,
    title: report.metadata.title || report.report_title,
    type: report.report_type,
    class: report.report_class,
    fiscal_year: fy === 0 ? null : fy,
    fiscal_year_label: report.fiscal_year_label,
    year: report.report_year,
    language: report.report_lang,
    pages: report.report_pages,
    filesize: report.report_filesize,
    published: report.report_pubdate_iso,
    period_end: report.period_end_date,
    has_file: report.has_file,
    sha256: report.content_sha256,
    state,
  };
}
