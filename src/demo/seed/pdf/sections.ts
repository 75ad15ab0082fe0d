import type { EmissionYear } from '../emissions.ts';
import { emissionsOf } from '../emissions.ts';
import { currencyOf, financialsOf } from '../figures.ts';
import type { CompanyProfile } from '../profile.ts';
import { firstFiscalYear } from '../profile.ts';
import type { Flow } from './flow.ts';
import { changeBetween, grouped } from './numbers.ts';
import type { SectionId } from './words/words.ts';
import { wordsIn } from './words.ts';

/** What a document is about: a company's fiscal year. */
export interface Subject {
  readonly profile: CompanyProfile;
  readonly year: number;
  readonly label: string;
  /** The first year that tables show. */
  readonly firstYear: number;
  readonly provider: string;
  readonly standard: string;
  /** True when the assurance statement is part of the document. */
  readonly assured: boolean;
  start(language: string): string;
  end(language: string): string;
  /** The line about the fiscal year on the cover; null when the document is about none. */
  fiscal(language: string): string | null;
}

/** Draws a section: heading, paragraphs, and the tables that belong to it. */
export function drawSection(flow: Flow, id: SectionId, subject: Subject, language: string): void {
  const section = wordsIn(language).sections[id];
  flow.heading(section.heading);
  for (const paragraph of section.paragraphs) flow.paragraph(filled(paragraph, subject, language));
  if (id === 'climate') drawEmissions(flow, subject, language);
  if (id === 'resources') drawResources(flow, subject, language);
  if (id === 'business') drawFigures(flow, subject, language);
}

function filled(paragraph: string, subject: Subject, language: string): string {
  const words = wordsIn(language);
  const now = emissionsOf(subject.profile, subject.year);
  const base = emissionsOf(subject.profile, firstFiscalYear);
  const values: Readonly<Record<string, string>> = {
    company: subject.profile.company.company_name,
    label: subject.label,
    start: subject.start(language),
    end: subject.end(language),
    base: String(firstFiscalYear),
    scope1: grouped(now.scope1, words),
    renewable: String(now.renewable),
    change: changeBetween(base.scope1 + base.scope2Market, now.scope1 + now.scope2Market, words),
    provider: subject.provider,
    standard: subject.standard,
  };
  return paragraph.replace(/\{(\w+)\}/g, (whole, name: string) => values[name] ?? whole);
}

function yearsOf(subject: Subject): number[] {
  return Array.from({ length: subject.year - subject.firstYear + 1 }, (_, index) => subject.firstYear + index);
}

function drawEmissions(flow: Flow, subject: Subject, language: string): void {
  const words = wordsIn(language);
  const years = yearsOf(subject).map((year) => emissionsOf(subject.profile, year));
  const rows: readonly (readonly [string, (year: EmissionYear) => number])[] = [
    [words.emissions.scope1, (year) => year.scope1],
    [words.emissions.scope2Location, (year) => year.scope2Location],
    [words.emissions.scope2Market, (year) => year.scope2Market],
    [words.emissions.scope3, (year) => year.scope3],
    [words.emissions.total, (year) => year.scope1 + year.scope2Market + year.scope3],
  ];
  const [before, last] = years.slice(-2);
  const head = ['', ...years.map((year) => String(year.fiscalYear))];
  const comparable = before !== undefined && last !== undefined;
  flow.table({
    caption: words.emissions.caption,
    head: comparable ? [...head, `${words.emissions.change} (%)`] : head,
    rows: rows.map(([label, value]) => [
      label,
      ...years.map((year) => grouped(value(year), words)),
      ...(comparable ? [changeBetween(value(before), value(last), words)] : []),
    ]),
    strong: 4,
    shaded: years.length,
    firstColumn: 138,
  });
  flow.bars(
    words.emissions.chart,
    years.map((year) => ({ label: String(year.fiscalYear), parts: [year.scope1 / 1000, year.scope2Market / 1000] })),
    (sum) => (sum < 100 ? sum.toFixed(1).replace('.', words.decimal) : grouped(sum, words)),
  );
}

function drawResources(flow: Flow, subject: Subject, language: string): void {
  const words = wordsIn(language);
  const years = yearsOf(subject).map((year) => emissionsOf(subject.profile, year));
  flow.table({
    caption: words.resources.caption,
    head: ['', ...years.map((year) => String(year.fiscalYear))],
    rows: [
      [words.resources.energy, ...years.map((year) => grouped(year.energy, words))],
      [words.resources.renewable, ...years.map((year) => grouped(year.renewable, words))],
      [words.resources.water, ...years.map((year) => grouped(year.water, words))],
    ],
    shaded: years.length,
  });
}

function drawFigures(flow: Flow, subject: Subject, language: string): void {
  const words = wordsIn(language);
  const currency = currencyOf(subject.profile.company.country);
  const years = yearsOf(subject).map((year) => financialsOf(subject.profile, year));
  flow.table({
    caption: words.figures.caption,
    head: ['', ...years.map((year) => String(year.fiscalYear))],
    rows: [
      [words.figures.revenue.replace('{currency}', currency), ...years.map((year) => grouped(year.revenue, words))],
      [words.figures.result.replace('{currency}', currency), ...years.map((year) => grouped(year.result, words))],
      [words.figures.employees, ...years.map((year) => grouped(year.employees, words))],
    ],
    shaded: years.length,
  });
}
