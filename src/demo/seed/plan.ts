import { isCoreReportType } from '../../api/schemas/reportTypes.ts';
import { formatReportKey } from '../../identifiers/reportKey.ts';
import { hashNumber } from '../random.ts';
import type { CompanyProfile, Publication } from './companies.ts';

export type PlannedReport = Readonly<ReturnType<typeof planOne>>;

const undatedTypes = new Set(['CODE', 'SPOP']);
/** Dated, but about no fiscal year (FY-2). */
const yearlessTypes = new Set(['GBFW', 'SLBF']);
const lastTwoYearRecord = 2018;
/** Reports up to this fiscal year were first filed under the company's former key. */
const lastFormerKeyYear = 2022;

/** All reports of a company, oldest fiscal year first, undated ones last. */
export function planReports(profile: CompanyProfile): PlannedReport[] {
  const planned: PlannedReport[] = [];
  const taken = new Map<string, number>();
  for (const publication of profile.publications) {
    let issue = 0;
    for (let year = publication.from; year <= publication.until; year += publication.every) {
      issue++;
      for (let copy = 0; copy < publication.copies; copy++)
        planned.push(planOne(profile, publication, year, issue, taken));
    }
  }
  return planned.sort((a, b) => planYear(a) - planYear(b));
}

/** The year to sort by; undated reports are last. */
export function planYear({ fiscalYear, coverYear }: PlannedReport): number {
  return fiscalYear ?? (coverYear || 9999);
}

function planOne(
  profile: CompanyProfile,
  publication: Publication,
  year: number,
  issue: number,
  taken: Map<string, number>,
) {
  const { company } = profile;
  const { type } = publication;
  const undated = undatedTypes.has(type);
  const coverYear = undated ? 0 : yearlessTypes.has(type) ? year : year + profile.coverLead;
  const plain = `${coverYear}_${type}`;
  const count = (taken.get(plain) ?? 0) + 1;
  taken.set(plain, count);
  const suffix = count === 1 ? null : String(count);
  const keyWith = (companyKey: string) => formatReportKey({ companyKey, year: coverYear, type, suffix });
  const key = keyWith(company.company_key);
  const mark = hashNumber(key) % 1000;
  const split = company.fiscal_year_end_month < 12;
  return {
    profile,
    key,
    formerKeys: !undated && year <= lastFormerKeyYear ? company.formerKeys.map(keyWith) : [],
    type,
    /** The year in which the fiscal year ends; null when the report states none. */
    fiscalYear: undated || yearlessTypes.has(type) ? null : year,
    /** 0 when undated. */
    coverYear,
    /** The record is an old one whose fiscal year is a two-year string (FY-3). */
    twoYearRecord: split && year <= lastTwoYearRecord && profile.yearLabel === 'span' && mark < 700,
    lang: publication.lang ?? company.languages[0] ?? 'en',
    scope: scopeOf(type, year, mark),
    hasFile: mark < 965,
    /** 1 for the first issue in the catalogue. */
    issue,
  };
}

/** Whether it is part of a larger document (CNV-7). */
function scopeOf(type: string, year: number, mark: number) {
  if (type === 'CGOV' && mark < 300) return 'chapter';
  if (type === 'TCFD' && year <= 2020) return 'extract';
  return !isCoreReportType(type) && mark < 30 ? 'extract' : 'full';
}
