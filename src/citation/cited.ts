import { fiscalYearOf, type Report } from '../api/schemas/report.ts';
import { englishTypeName } from '../api/schemas/reportTypes.ts';
import { plainText } from '../base/words.ts';

/** Longest title or name in a citation, in characters. */
const longest = 500;

/** A date as precise as the report states it: year, and perhaps month and day. */
export type DateParts = readonly [year: number, month?: number, day?: number];

/** What a citation says of a report; every text on one line, without invisible characters. */
export interface CitedReport {
  readonly id: number;
  readonly key: string;
  readonly title: string;
  readonly company: string;
  readonly type: string;
  /** Publication, else the cover year; null when undated. */
  readonly date: DateParts | null;
  /** Such as `2023/24`; null when undated. */
  readonly fiscalYear: string | null;
  /** BCP 47, the first of several. */
  readonly language: string | null;
  readonly pages: number | null;
  readonly sha256: string | null;
}

/** The facts of a report that citations use (RID-3: the fiscal year is not the cover year). */
export function citedReport(report: Report): CitedReport {
  const { report_type: code } = report;
  const type = code === null || code === '' ? 'Report' : englishTypeName(code);
  const clean = (text: string | null) => plainText(text ?? '', longest);
  return {
    id: report.report_id,
    key: clean(report.report_key),
    title: clean(report.report_title) || clean(type),
    company: clean(report.company_name) || clean(report.company_key),
    type: clean(type),
    date: dateParts(report),
    fiscalYear: clean(report.fiscal_year_label) || fiscalYearOf(report)?.toString() || null,
    language: /^[a-z]{2,3}/i.exec(report.report_lang ?? '')?.[0]?.toLowerCase() ?? null,
    pages: report.report_pages,
    sha256: /^[0-9a-f]{64}$/i.exec(report.content_sha256 ?? '')?.[0] ?? null,
  };
}

function dateParts({ report_pubdate_iso: published, report_year: cover }: Report): DateParts | null {
  const match = /^(\d{4})(?:-(0[1-9]|1[0-2])(?:-(0[1-9]|[12]\d|3[01]))?)?$/.exec(published ?? '');
  if (match) {
    const [year = 0, month, day] = match.slice(1).map((part) => (part === undefined ? undefined : Number(part)));
    return month === undefined ? [year] : day === undefined ? [year, month] : [year, month, day];
  }
  return cover !== null && cover > 0 ? [cover] : null;
}
