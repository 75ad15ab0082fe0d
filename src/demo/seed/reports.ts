import { isCoreReportType, reportTypeName } from '../../api/schemas/reportTypes.ts';
import { formatReportKey } from '../../identifiers/reportKey.ts';
import type { DemoReport } from '../catalog.ts';
import patterns from '../data/titles.json' with { type: 'json' };
import { hashNumber, Random } from '../random.ts';
import { type CompanyProfile, firstFiscalYear, lastFiscalYear, type Publication } from './companies.ts';
import { assuranceOf, disclosuresOf } from './disclosures.ts';

export type PlannedReport = Readonly<ReturnType<typeof planOne>>;

const undatedTypes = new Set(['CODE', 'SPOP']);
/** Dated, but about no fiscal year (FY-2). */
const yearlessTypes = new Set(['GBFW', 'SLBF']);
const lastTwoYearRecord = 2018;
/** Reports up to this fiscal year were first filed under the company's former key. */
const lastFormerKeyYear = 2022;

/** All reports of some companies, oldest fiscal year first, undated ones last. */
export function planReports(profiles: readonly CompanyProfile[]): PlannedReport[] {
  const planned = profiles.flatMap((profile) => {
    const taken = new Map<string, number>();
    return profile.publications.flatMap((publication) => {
      const { from = firstFiscalYear, until = lastFiscalYear, every = 1, copies = 1 } = publication;
      return Array.from({ length: (Math.floor((until - from) / every) + 1) * copies }, (_, index) => {
        const issue = Math.floor(index / copies);
        return planOne(profile, publication, from + issue * every, issue + 1, taken);
      });
    });
  });
  return planned.sort((a, b) => planYear(a) - planYear(b));
}

function planYear({ fiscalYear, coverYear }: PlannedReport): number {
  return fiscalYear ?? (coverYear || 9999);
}

function planOne(
  profile: CompanyProfile,
  { type, lang }: Publication,
  year: number,
  issue: number,
  taken: Map<string, number>,
) {
  const { company, coverLead = 0, yearLabel = 'end' } = profile;
  const undated = undatedTypes.has(type);
  const yearless = undated || yearlessTypes.has(type);
  const coverYear = undated ? 0 : yearless ? year : year + coverLead;
  const count = (taken.get(`${coverYear}_${type}`) ?? 0) + 1;
  taken.set(`${coverYear}_${type}`, count);
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
    fiscalYear: yearless ? null : year,
    /** 0 when undated. */
    coverYear,
    /** The company's own name for the fiscal year: a year or a span of two (FY-1). */
    label: !split || yearLabel === 'end' ? `${year}` : yearLabel === 'start' ? `${year - 1}` : `${year - 1}/${year}`,
    /** The record is an old one whose fiscal year is a two-year string (FY-3). */
    twoYearRecord: split && year <= lastTwoYearRecord && yearLabel === 'span' && mark < 700,
    lang: lang ?? company.languages[0] ?? 'en',
    scope: scopeOf(type, year, mark),
    hasFile: mark < 965,
    /** 1 for the first issue in the catalog. */
    issue,
  };
}

/** Whether it is part of a larger document (CNV-7). */
function scopeOf(type: string, year: number, mark: number) {
  if (type === 'CGOV' && mark < 300) return 'chapter';
  if (type === 'TCFD' && year <= 2020) return 'extract';
  return !isCoreReportType(type) && mark < 30 ? 'extract' : 'full';
}

export function makeReport(planned: PlannedReport, id: number, formerIds: number[]): DemoReport {
  const { profile, fiscalYear, coverYear, key, type } = planned;
  const { company_key, fiscal_year_end_month } = profile.company;
  const period = periodOf(fiscalYear ?? (coverYear || 2021), fiscal_year_end_month);
  const { published, created, updated } = publishingOf(period.end, new Random(1, 'published', key));
  const pubdate = coverYear === 0 || published === '' ? null : published;
  const hasEdition = hashNumber(`edition ${company_key} ${type}`) % 4 === 0;
  return {
    ...{ report_id: id, report_key: key, formerKeys: [...planned.formerKeys], formerIds, company_key },
    ...{ report_type: type, report_year: coverYear, report_fcyear: fiscalYearValue(planned) },
    ...{ report_title: reportTitle(planned), report_lang: planned.lang, has_file: planned.hasFile, fileVersion: 0 },
    ...{ created_at: timestamp(created), updated_at: timestamp(updated) },
    fields: {
      filename: planned.hasFile ? `${key}.pdf` : null,
      report_class: classOf(type),
      document_scope: planned.scope,
      fiscal_year_label: fiscalYear === null ? null : planned.label,
      period_start_date: fiscalYear === null ? null : period.start,
      period_end_date: fiscalYear === null ? null : period.end,
      report_pubdate: pubdate && `${pubdate}-01-01`.slice(0, 10),
      report_pubdate_iso: pubdate,
      edition_number: hasEdition ? planned.issue + 5 : null,
      ...disclosuresOf(planned),
      ...assuranceOf(planned),
    },
  };
}

const dayMs = 86_400_000;
/** The service's first load; older reports were all taken in then. */
const firstLoad = Date.UTC(2023, 0, 9);
/** Nothing in the catalog is later. */
const latestTime = Date.UTC(2026, 8, 30);

/** The first and last day of a fiscal year, named by the year in which it ends (FY-1). */
export function periodOf(fiscalYear: number, endMonth: number): { readonly start: string; readonly end: string } {
  return { start: isoDate(Date.UTC(fiscalYear - 1, endMonth, 1)), end: isoDate(Date.UTC(fiscalYear, endMonth, 0)) };
}

/** When a report was published, as precise as stated (CNV-5), and when its record was added and changed, in ms. */
function publishingOf(periodEnd: string, random: Random) {
  const published = Math.min(Date.parse(periodEnd) + random.int(75, 210) * dayMs, latestTime - 20 * dayMs);
  const draw = random.next();
  const second = random.int(0, 86_399) * 1000;
  const created = Math.max(published + random.int(2, 15) * dayMs, firstLoad + random.int(0, 30) * dayMs) + second;
  const updated = random.chance(0.3) ? Math.min(created + random.int(10, 700) * dayMs, latestTime) : created;
  const stated = draw < 0.72 ? 10 : draw < 0.9 ? 7 : draw < 0.97 ? 4 : 0;
  return { published: isoDate(published).slice(0, stated), created, updated: Math.max(created, updated) };
}

function isoDate(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function timestamp(time: number): string {
  return `${new Date(time).toISOString().slice(0, 19)}Z`;
}

function fiscalYearValue({ fiscalYear, twoYearRecord, key }: PlannedReport): number | string | null {
  if (fiscalYear === null || !twoYearRecord) return fiscalYear;
  return hashNumber(`form ${key}`) % 3 === 0
    ? `${fiscalYear - 1}-${String(fiscalYear).slice(2)}`
    : `${fiscalYear - 1}/${fiscalYear}`;
}

function classOf(type: string): string {
  if (type === 'SR') return 'D';
  if (type === 'AR1') return 'F';
  return isCoreReportType(type) ? 'E' : 'S';
}

const { special, ...byLanguage } = patterns;
const patternsOf: Readonly<Record<string, Readonly<Record<string, string>>>> = byLanguage;
/** Titles that follow no pattern: a very long one, and one of a type that the interface does not know. */
const specialTitles: Readonly<Record<string, string>> = special;

/** The title on the cover, in both languages of a bilingual report; partial documents are marked (CNV-7). */
function reportTitle({ profile, key, type, lang, label, fiscalYear, coverYear, scope }: PlannedReport): string {
  // The cover has a span where the company speaks of its year so and prints it when it ends.
  const isSpan = fiscalYear !== null && !profile.coverLead && label.includes('/');
  const year = isSpan ? label : String(coverYear || '');
  const titles = lang.split(';').map((language) => titleIn(type, language, year));
  const title = specialTitles[key] ?? [...new Set(titles)].join(' / ');
  return scope === 'full' ? title : `${title} ${scope === 'extract' ? '(Extract)' : '(Chapter)'}`;
}

/** The title of a report in a language, or in English; `year` is what the cover says. */
export function titleIn(type: string, language: string, year: string): string {
  const pattern = patternsOf[language]?.[type] ?? patternsOf.en?.[type] ?? `${reportTypeName(type)} #`;
  return pattern.replace('#', year).trim();
}
