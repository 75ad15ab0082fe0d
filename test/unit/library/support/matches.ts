import type { Report } from '../../../../src/api/schemas/report.ts';
import {
  languagesOf,
  type ReportQuery,
  type ReportState,
  triStateFields,
} from '../../../../src/library/reportQuery.ts';

/** A report as a query sees it. */
export interface Candidate {
  readonly report: Report;
  /** 0 when undated. */
  readonly fy: number;
  readonly state: ReportState;
  readonly country: string | null;
  readonly sector: string | null;
  readonly industry: string | null;
  readonly isin: string | null;
  /** Present key of its company. */
  readonly companyKey: string;
}

/** Whether a report answers a query: the meaning of `ReportQuery`, in plain terms. */
export function matches(query: ReportQuery, candidate: Candidate, typedWords: readonly string[] | null): boolean {
  const { report, fy } = candidate;
  const state = query.state ?? 'listed';
  if (state !== 'all' && (candidate.state === 'listed') !== (state === 'listed')) return false;
  if (query.type && !includes(query.type, report.report_type)) return false;
  if (query.class && !includes(query.class, report.report_class)) return false;
  const isSplit = query.fcyear_split?.includes(fy + 1) && Number(report.period_end_date?.slice(0, 4)) === fy + 1;
  if (query.fcyear && !query.fcyear.includes(fy === 0 ? null : fy) && !isSplit) return false;
  if (query.language) {
    const spoken = languagesOf(report.report_lang);
    const speaks = (code: string | null) => (code === null ? spoken.length === 0 : spoken.includes(code.toLowerCase()));
    if (!query.language.some(speaks)) return false;
  }
  for (const name of ['country', 'sector', 'industry', 'isin'] as const) {
    const wanted = query[name];
    if (wanted && !includes(wanted, candidate[name])) return false;
  }
  if (query.company_key && !query.company_key.includes(candidate.companyKey)) return false;
  if (query.facts && !factsHold(query.facts, report)) return false;
  if (query.assurance_level && !query.assurance_level.includes(report.assurance_level)) return false;
  if (query.published && !query.published.some((date) => isWithin(report.report_pubdate_iso, date))) return false;
  for (const { ids, company_key: keys = [], is } of query.among ?? []) {
    if ((ids.includes(report.report_id) || keys.includes(candidate.companyKey)) !== is) return false;
  }
  return typedWords === null || containsAll(reportWords(report), typedWords);
}

/** Whether a date, as precisely as it is known, lies in a year or month; null is an unknown one. */
function isWithin(date: string | null, period: string | null): boolean {
  return period === null || date === null ? date === period : date === period || date.startsWith(`${period}-`);
}

function factsHold(facts: NonNullable<ReportQuery['facts']>, report: Report): boolean {
  return triStateFields.every((field) => facts[field] === undefined || facts[field] === report[field]);
}

function includes(wanted: readonly (string | null)[], value: string | null): boolean {
  return wanted.includes(value);
}

const wordsOfReports = new WeakMap<Report, string[]>();

function reportWords(report: Report): string[] {
  let words = wordsOfReports.get(report);
  if (!words) {
    words = wordsOf(textOf(report));
    wordsOfReports.set(report, words);
  }
  return words;
}

/** The words of a text: letters and digits, without case and accents. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  );
}

/** Whether each typed word begins one of the words. */
function containsAll(words: readonly string[], typed: readonly string[]): boolean {
  return typed.every((start) => words.some((word) => word.startsWith(start)));
}

/** What a report is found by: title, company, identifiers and keys. */
function textOf(report: Report): string {
  return [
    report.metadata.title || report.report_title,
    report.company_name,
    report.report_key,
    report.company_key,
    report.company_isin,
    report.company_lei,
    report.company_figi,
    report.company_ticker,
  ]
    .filter((part) => part !== null)
    .join(' ');
}
