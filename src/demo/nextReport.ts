import { fiscalYearOf } from '../api/schemas/report.ts';
import type { DemoCompany, DemoReport } from './catalogue.ts';
import type { Holdings } from './holdings.ts';

/** A company's next report of a type: like its latest one, a year later. It is not added to the holdings. */
export function nextReport(holdings: Holdings, company: DemoCompany, type: string, now: number): DemoReport {
  const reports = holdings.reportsOf(company).filter((report) => fiscalYearOf(report) !== null);
  const sameType = reports.filter((report) => report.report_type === type);
  const model = latest(sameType.length > 0 ? sameType : reports);
  const stamp = new Date(now).toISOString();
  const modelYear = model && fiscalYearOf(model);
  const fiscalYear = modelYear ? modelYear + 1 : new Date(now).getUTCFullYear() - 1;
  const coverYear = model && modelYear ? model.report_year + (fiscalYear - modelYear) : fiscalYear;
  const key = freeKey(holdings, `${company.company_key}_${coverYear}_${type}`);
  const title =
    model && sameType.length > 0 ? yearLater(model.report_title) : `${company.company_name} ${type} ${coverYear}`;
  return {
    report_id: holdings.freshId(),
    report_key: key,
    formerKeys: [],
    formerIds: [],
    company_key: company.company_key,
    report_type: type,
    report_year: coverYear,
    report_fcyear: fiscalYear,
    report_title: title,
    report_lang: model?.report_lang ?? company.languages[0] ?? 'en',
    has_file: true,
    fileVersion: 0,
    created_at: stamp,
    updated_at: stamp,
    fields: {
      ...model?.fields,
      filename: `${key}.pdf`,
      fiscal_year_label: yearLater(model?.fields.fiscal_year_label) ?? String(fiscalYear),
      period_start_date: dayLater(model?.fields.period_start_date),
      period_end_date: dayLater(model?.fields.period_end_date),
      report_pubdate: stamp.slice(0, 10),
      report_pubdate_iso: stamp.slice(0, 10),
    },
  };
}

function latest(reports: readonly DemoReport[]): DemoReport | undefined {
  return reports.toSorted((a, b) => (fiscalYearOf(a) ?? 0) - (fiscalYearOf(b) ?? 0)).at(-1);
}

function freeKey(holdings: Holdings, wanted: string): string {
  for (let copy = 1; ; copy++) {
    const key = copy === 1 ? wanted : `${wanted}_${copy}`;
    if (!holdings.findByKey(key)) return key;
  }
}

function yearLater(text: string): string;
function yearLater(text: unknown): string | null;
/** Every year in a text moved on by one: `2021/2022` becomes `2022/2023`, `FY2021-22` becomes `FY2022-23`. */
function yearLater(text: unknown): string | null {
  if (typeof text !== 'string') return null;
  return text.replace(/(\d{4})([-/])(\d{2})(?!\d)|\d{4}/g, (whole, first?: string, mark?: string, second?: string) =>
    first && mark && second
      ? `${Number(first) + 1}${mark}${String((Number(second) + 1) % 100).padStart(2, '0')}`
      : String(Number(whole) + 1),
  );
}

/** The same day a year later; the last of February stays the last of February. */
function dayLater(text: unknown): string | null {
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\d$/.test(text)) return null;
  const [year = 0, month = 1, day = 1] = text.split('-').map(Number);
  const lastOfMonth = new Date(Date.UTC(year + 1, month, 0)).getUTCDate();
  const wasLast = day === new Date(Date.UTC(year, month, 0)).getUTCDate();
  const later = new Date(Date.UTC(year + 1, month - 1, wasLast ? lastOfMonth : Math.min(day, lastOfMonth)));
  return later.toISOString().slice(0, 10);
}
