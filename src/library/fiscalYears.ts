import type { ReportSummary } from './reportQuery.ts';

/**
 * Whether a report covers a fiscal year, judged by where its period ends and only without one by where it is filed.
 * Older records with a two-year string are filed under the first year (FY-3): to find all reports of year N, ask for
 * N - 1 and N and keep those that this confirms.
 */
export function coversFiscalYear(report: Pick<ReportSummary, 'fiscal_year' | 'period_end'>, year: number): boolean {
  const ends = report.period_end === null ? null : /^\d{4}(?=-|$)/.exec(report.period_end);
  return (ends ? Number(ends[0]) : report.fiscal_year) === year;
}
