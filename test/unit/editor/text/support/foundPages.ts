import type { FoundPage } from '../../../../../src/editor/text/hitList.ts';
import type { ReportSummary } from '../../../../../src/library/reportQuery.ts';

/** A report of a company, of fiscal year 2024. */
export function summary(report_id: number, changes: Partial<ReportSummary> = {}): ReportSummary {
  return {
    ...{ report_id, report_key: `XTST_${report_id}_2024_SR`, company_key: 'XTST_A', company_name: 'Aarhorn' },
    ...{ title: 'Sustainability Report 2024', type: 'SR', class: 'D', fiscal_year: 2024, fiscal_year_label: null },
    ...{ year: 2024, language: 'en', pages: 143, filesize: 1, published: '2025-03-04', period_end: '2024-12-31' },
    ...{ has_file: true, sha256: hashOf(report_id), state: 'listed' as const },
    ...changes,
  };
}

/** A hash that stands for the PDF of a report. */
export function hashOf(report_id: number): string {
  return String(report_id).padStart(64, '0');
}

export function found(report: ReportSummary, page: number, changes: Partial<FoundPage> = {}): FoundPage {
  return {
    ...{ sha256: report.sha256 ?? '', page, label: null, count: 1, report },
    ...{ snippet: 'Our net zero target', marks: [[4, 12]] as const },
    ...changes,
  };
}
