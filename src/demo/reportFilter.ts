import { fiscalYearOf } from '../api/schemas/report.ts';
import type { DemoReport } from './catalogue.ts';
import { frameworkOf } from './frameworks.ts';
import type { Holdings } from './holdings.ts';
import type { Query } from './query.ts';
import { languagesOf } from './wire/report.ts';

/** Filters of `GET /reports`, ready to be asked about a report. */
export interface ReportFilter {
  /** Canonical text of the filters: the same filters give the same text. */
  readonly text: string;
  /** The reports worth looking at, ordered by id. */
  readonly candidates: readonly DemoReport[];
  admits(report: DemoReport): boolean;
}

/** Reads the filters of a request (REP-1): different ones AND, repeated ones OR, frameworks all. */
export function readFilter(query: Query, holdings: Holdings): ReportFilter {
  const companyKey = query.one('company_key');
  const isin = query.one('isin');
  const language = query.one('language')?.toLowerCase();
  const types = query.many('type');
  const years = query.many('fcyear');
  const frameworks = query.many('framework');
  const single = [companyKey, isin, language].filter((value) => value !== undefined);
  query.countFilters(types, years, frameworks, single);

  if (language !== undefined && !/^[a-z]{2}$/.test(language)) query.refuse('language', 'must be an ISO 639-1 code');
  for (const year of years) if (!/^\d{4}$/.test(year)) query.refuse('fcyear', `"${year.slice(0, 40)}" is not a year`);
  const fields: string[] = [];
  for (const code of frameworks) {
    const framework = frameworkOf(code);
    if (framework) fields.push(framework.field);
    else query.refuse('framework', `"${code.slice(0, 40)}" is not a framework code`);
  }

  const company = companyKey === undefined ? undefined : holdings.company(companyKey);
  const wantedTypes = new Set(types);
  const wantedYears = new Set(years.map(Number));
  const lists = [types, years, frameworks].map((list) => list.toSorted());
  return {
    text: JSON.stringify([companyKey ?? null, isin ?? null, language ?? null, ...lists]),
    candidates: companyKey === undefined ? holdings.reports : company ? holdings.reportsOf(company) : [],
    admits(report) {
      if (wantedTypes.size > 0 && !wantedTypes.has(report.report_type)) return false;
      if (wantedYears.size > 0 && !filedUnder(report, wantedYears)) return false;
      if (fields.some((field) => report.fields[field] !== true)) return false;
      if (language !== undefined && !languagesOf(report).some((code) => code.toLowerCase() === language)) return false;
      if (isin === undefined) return true;
      const owner = holdings.companyOf(report);
      return owner !== undefined && !owner.isinWithheld && owner.isin === isin;
    },
  };
}

/** Undated documents are filed under no year, not even when asked for year 0 (FY-2). */
function filedUnder(report: DemoReport, years: ReadonlySet<number>): boolean {
  const year = fiscalYearOf(report);
  return year !== null && years.has(year);
}
