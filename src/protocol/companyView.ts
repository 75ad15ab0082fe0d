import type { Company } from '../api/schemas/company.ts';
import { columns } from '../api/schemas/fields.ts';
import type { Report, TriState } from '../api/schemas/report.ts';
import {
  coverageMarks,
  familyIndex,
  reportTypeName,
  statesTwoYears,
  typeFamilies,
} from '../api/schemas/reportTypes.ts';
import { l10n } from '../base/l10n.ts';
import { countText, inALine, visibleText } from '../base/words.ts';
import type { CompanyFact, CompanyView, YearAssurance, YearMark } from './company.ts';
import { isListed, isSplit } from './coverage.ts';
import { localMark } from './coverageRows.ts';
import { missingIsin } from './format/facts.ts';

export interface KnownCompany extends Company {
  readonly listed: number;
  readonly gone: number;
}

interface CompanyReport {
  readonly report: Report;
  readonly state: 'listed' | 'withdrawn' | 'removed';
  /** What it is filed under; null when undated. */
  readonly fiscal_year: number | null;
}

export interface CompanyInput {
  readonly company: KnownCompany;
  /** The key it was asked by; a former one leads to the present one (COM-1). */
  readonly askedFor: string;
  readonly reports: readonly CompanyReport[];
  /** Columns of the matrix, 0 for undated among them if there is one. */
  readonly years: readonly number[];
  /** SHA-256, if known, of the PDFs in the workspace, by report. */
  readonly downloaded: ReadonlyMap<number, string | null>;
  readonly isFavorite?: boolean;
}

const standardFields = columns.filter(({ name }) => name.startsWith('std_'));

/** Turns a company and its reports into what the panel shows. `locale` is a BCP 47 tag. */
export function companyView(input: CompanyInput, locale: string): CompanyView {
  const { company, reports } = input;
  // Undated reports stand apart from the course of the years, at its end.
  const years = [...input.years.filter((year) => year !== 0), ...input.years.filter((year) => year === 0)];
  const listed = reports.filter(({ state }) => state === 'listed');
  const byYear = years.map((year) => listed.filter(({ fiscal_year }) => (fiscal_year ?? 0) === year));
  const reportsByYear = byYear.map((group) => group.map(({ report }) => report));
  const together = (read: (report: Report) => TriState) =>
    reportsByYear.map((group, column) => {
      const before = years[column - 1] === (years[column] ?? 0) - 1 ? (reportsByYear[column - 1] ?? []) : [];
      if (group.length === 0 && before.some(({ report_fcyear }) => statesTwoYears(report_fcyear))) return 'covered';
      return answerOf(group.map(read));
    });
  const statements = together((report) => report.independent_assurance_report_included);
  return {
    companyKey: company.company_key,
    title: visibleText(company.company_name ?? company.company_key),
    detail: inALine([company.country, company.sector, company.industry]),
    isFavorite: input.isFavorite ?? false,
    facts: companyFacts(company, locale),
    notices: noticesOf(input),
    years,
    families: familiesOf(input, years),
    standards: standardFields.map(({ name, label, apiField }) => ({
      id: name,
      label,
      marks: together((report) => report[apiField as keyof Report] as TriState),
    })),
    assurance: reportsByYear.map((group, column) => ({
      ...yearAssurance(group),
      statement: statements[column] ?? 'none',
    })),
  };
}

function familiesOf({ reports, downloaded }: CompanyInput, years: readonly number[]): CompanyView['families'] {
  const columnOf = new Map(years.map((year, column) => [year, column]));
  const cells = typeFamilies.map(() =>
    years.map(() => ({ marks: 0, count: 0, pdfs: 0, here: 0, coveredBySplit: false })),
  );
  for (const { report, state, fiscal_year } of reports) {
    const cell = cells[familyIndex(report.report_type)]?.[columnOf.get(fiscal_year ?? 0) ?? -1];
    if (!cell) continue;
    const local = downloaded.get(report.report_id);
    cell.marks |= marksOf(report, state === 'listed', local);
    if (state !== 'listed') continue;
    cell.count++;
    if (report.has_file !== false || local !== undefined) cell.pdfs++;
    if (local !== undefined) cell.here++;
  }
  for (const row of cells)
    row.forEach((cell, column) => {
      const isNext = years[column - 1] === (years[column] ?? 0) - 1;
      cell.coveredBySplit = isNext && !isListed(cell.marks) && isSplit(row[column - 1]?.marks ?? 0);
    });
  return typeFamilies.map((family, index) => ({
    family,
    code: family === 'specialty' ? '' : family,
    label: family === 'specialty' ? l10n.t('Specialty disclosures') : reportTypeName(family),
    cells: cells[index] ?? [],
  }));
}

function marksOf(report: Report, isListed: boolean, local: string | null | undefined): number {
  if (!isListed) return coverageMarks.gone;
  const here = local === undefined ? 0 : localMark({ isListed, sha256: report.content_sha256 }, local);
  const split = statesTwoYears(report.report_fcyear) ? coverageMarks.split : 0;
  return here | split | (report.has_file === false ? coverageMarks.metadataOnly : coverageMarks.file);
}

/** Three answers stay three: yes if any report says so, no only on evidence, undetermined otherwise (CNV-2). */
function answerOf(values: readonly TriState[]): YearMark {
  if (values.length === 0) return 'none';
  if (values.includes(true)) return 'yes';
  return values.includes(false) ? 'no' : 'undetermined';
}

function noticesOf({ company, askedFor, reports }: CompanyInput): string[] {
  const notices: string[] = [];
  if (askedFor !== company.company_key)
    notices.push(l10n.t('Renamed: {0} is now {1}.', visibleText(askedFor), visibleText(company.company_key)));
  if (reports.length === 0) notices.push(l10n.t('No report of this company is in your licence.'));
  return notices;
}

/** What the reports of one year state about their assurance, in the service's words. */
function yearAssurance(reports: readonly Report[]): Omit<YearAssurance, 'statement'> {
  const lines = reports.flatMap(lineOf);
  const levels = reports.flatMap(({ assurance_level }) => (assurance_level === null ? [] : levelOf(assurance_level)));
  const level = levels.includes('reasonable') ? 'reasonable' : levels.includes('limited') ? 'limited' : levels[0];
  return { lines: [...new Set(lines)], level: level ?? null };
}

/** Any other text is shown as it is, never taken for one of the two. */
function levelOf(text: string): 'limited' | 'reasonable' | 'other' {
  const known = text.trim().toLowerCase();
  return known === 'limited' || known === 'reasonable' ? known : 'other';
}

function lineOf(report: Report): string[] {
  const { assurance_level, assurance_provider, assurance_standard, assurance_scope } = report;
  const line = inALine([assurance_level, assurance_provider, assurance_standard, assurance_scope]);
  return line === '' ? [] : [line];
}

/** Identity and identifiers. A withheld ISIN is said to be so; CUSIP and SEDOL are never shown (COM-2, COM-3). */
function companyFacts(company: KnownCompany, locale: string): CompanyFact[] {
  const gone = company.gone === 0 ? null : l10n.t('and {0} withdrawn', countText(company.gone));
  return [
    code('company_key', l10n.t('Company key'), company.company_key),
    code('isin', 'ISIN', company.isin, company.isin === null ? missingIsin(company) : null),
    code('lei', 'LEI', company.lei),
    code('figi', 'FIGI', company.figi),
    code('cik', 'CIK', company.cik),
    code('ticker', l10n.t('Ticker'), company.ticker),
    words('exchange', l10n.t('Exchange'), company.exchange, company.mic),
    words('fiscal_year_end', l10n.t('Fiscal year ends in'), monthName(company.fiscal_year_end_month, locale)),
    words('reports', l10n.t('Reports'), countText(company.listed), gone),
  ];
}

function words(id: string, label: string, text: string | null, note: string | null = null): CompanyFact {
  const shown = (part: string | null) => (part === null ? null : visibleText(part));
  const isColumn = columns.some(({ name }) => name === id);
  return { id, label, isColumn, text: shown(text), note: shown(note), copy: null };
}

function code(id: string, label: string, text: string | null, note: string | null = null): CompanyFact {
  return { ...words(id, label, text, note), copy: text };
}

function monthName(month: number | null, locale: string): string | null {
  if (month === null || month < 1 || month > 12) return null;
  return new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' }).format(Date.UTC(2024, month - 1, 1));
}
