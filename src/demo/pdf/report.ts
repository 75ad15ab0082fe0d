import { isCoreReportType } from '../../api/schemas/reportTypes.ts';
import type { DemoReport } from '../catalogue.ts';
import { hashOf } from '../random.ts';
import { type CompanyProfile, firstFiscalYear } from '../seed/companies.ts';
import { currencyOf, detailsOf, figuresOf, sitesOf, type YearFigures } from '../seed/figures.ts';
import { type SectionId, sectionsOf } from '../seed/sections.ts';
import { titleIn } from '../seed/titles.ts';
import { drawContents, drawCover, drawMargins, Flow, type Table } from './flow.ts';
import { type Colour, Paper } from './paper.ts';
import { scanColumns, scanLines, scanOf, wrapColumns } from './scan.ts';
import { changeBetween, filled, grouped, oneDecimal, shownPart, type Words, wordsIn, writtenDate } from './words.ts';

const accents: readonly Colour[] = [
  [11, 83, 69],
  [21, 67, 96],
  [110, 44, 0],
  [81, 46, 95],
  [26, 82, 118],
  [120, 66, 18],
  [14, 98, 81],
  [100, 30, 22],
];

/** Detailed tables of a section, beside those that `tablesOf` makes itself. */
const details = {
  climate: ['scope3'],
  resources: ['energy', 'waste'],
  people: ['workforce'],
  business: ['income', 'balance'],
} as const;

/** Which section answers which disclosure of the GRI Standards. */
const disclosures: readonly (readonly [code: string, section: SectionId])[] = [
  ['GRI 2-1', 'about'],
  ['GRI 2-5', 'assurance'],
  ['GRI 2-9', 'governance'],
  ['GRI 2-22', 'strategy'],
  ['GRI 3-1', 'method'],
  ['GRI 201-1', 'business'],
  ['GRI 302-1', 'resources'],
  ['GRI 303-3', 'resources'],
  ['GRI 305-1', 'climate'],
  ['GRI 305-2', 'climate'],
  ['GRI 305-3', 'climate'],
  ['GRI 306-3', 'resources'],
  ['GRI 401-1', 'people'],
  ['GRI 403-9', 'people'],
  ['GRI 405-1', 'people'],
];

/** What a document is about: a company's fiscal year. */
interface Subject {
  readonly report: DemoReport;
  readonly profile: CompanyProfile;
  /** The years that tables show, the last one the report's own. */
  readonly years: readonly YearFigures[];
  readonly base: YearFigures;
  readonly label: string;
  readonly start: string;
  readonly end: string;
  readonly sections: readonly SectionId[];
}

/**
 * Draws a report's PDF in its language: cover, contents and first part with roman page labels, then text, tables and a
 * chart, an index and data by site. A bilingual one says its parts in both languages, and some old ones are scans,
 * images without text. What the standard fonts can't show is told in English. The same report gives the same bytes.
 */
export function drawReport(
  report: DemoReport,
  profile: CompanyProfile,
): { readonly bytes: Uint8Array<ArrayBuffer>; readonly pages: number } {
  const subject = subjectOf(report, profile);
  const [language = 'en', second] = shownLanguages(report.report_lang);
  const paper = new Paper({
    title: coverTitle(report),
    author: profile.company.company_name,
    language,
    created: `${Math.max(firstFiscalYear, subject.base.fiscalYear, lastYear(subject).fiscalYear)}-12-31`,
    fileId: hashOf(`${report.report_key} ${report.report_id} ${report.fileVersion}`),
  });
  if (lastYear(subject).fiscalYear <= profile.scannedUntil) drawScan(paper, subject, wordsIn('en'));
  else drawPages(paper, subject, [wordsIn(language), ...(second ? [wordsIn(second)] : [])]);
  return { bytes: paper.bytes(), pages: paper.pages };
}

function subjectOf(report: DemoReport, profile: CompanyProfile): Subject {
  const { fields } = report;
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '');
  const year = Number.parseInt(text('period_end_date'), 10) || report.report_year || 2021;
  const first = Math.max(firstFiscalYear, year - 3);
  const assured = fields.assurance_provider !== null && fields.independent_assurance_report_included === true;
  return {
    report,
    profile,
    years: Array.from({ length: Math.max(1, year - first + 1) }, (_, index) => figuresOf(profile, first + index)),
    base: figuresOf(profile, firstFiscalYear),
    label: text('fiscal_year_label') || String(year),
    start: text('period_start_date') || `${year}-01-01`,
    end: text('period_end_date') || `${year}-12-31`,
    sections: sectionsOf(report.report_type).filter((id) => id !== 'assurance' || assured),
  };
}

function lastYear({ years, base }: Subject): YearFigures {
  return years.at(-1) ?? base;
}

function coverTitle({ report_title, report_type, report_year }: DemoReport): string {
  return shownPart(report_title) || titleIn(report_type, 'en', String(report_year || ''));
}

/** The report's languages as far as the standard fonts can show them; English stands in for the others. */
function shownLanguages(lang: string): readonly string[] {
  const shown = lang.split(/[^a-z]+/i).map((language) => (wordsIn(language) === wordsIn('en') ? 'en' : language));
  return [...new Set(shown)];
}

function coverLines({ report, label, start, end }: Subject, words: Words): readonly (string | null)[] {
  const dates = { label, start: writtenDate(start, words), end: writtenDate(end, words) };
  return [
    report.report_fcyear === null ? null : filled(words.fiscalYear, dates),
    report.fileVersion > 0 ? filled(words.revised, { n: report.fileVersion + 1 }) : null,
  ];
}

function drawPages(paper: Paper, subject: Subject, languages: readonly Words[]): void {
  const [words = wordsIn('en')] = languages;
  const company = subject.profile.company.company_name;
  const title = coverTitle(subject.report);
  const accent = accents[hashOf(subject.profile.company.company_key) % accents.length] ?? [33, 37, 41];
  drawCover(paper, accent, { company, title, lines: coverLines(subject, words), note: words.fictional });
  // The contents come once the page numbers are known.
  paper.addPage();
  const entries: { readonly title: string; readonly page: number }[] = [];
  const pageOf = new Map<SectionId, number>();
  const flow = new Flow(paper, accent);
  const begin = (heading: string) => {
    flow.newPage();
    entries.push({ title: heading, page: paper.pages });
    flow.heading(heading);
  };
  for (const inLanguage of languages) {
    for (const id of subject.sections) {
      begin(inLanguage.sections[id].heading);
      if (!pageOf.has(id)) pageOf.set(id, paper.pages);
      drawSection(flow, id, subject, inLanguage);
      if (entries.length === 1) paper.endFrontMatter();
    }
  }
  if (isBroad(subject)) {
    begin(words.index.heading);
    const rows = disclosures.flatMap(([code, id]) => {
      const page = pageOf.get(id);
      return page === undefined ? [] : [[`${code}: ${words.sections[id].heading}`, paper.label(page)]];
    });
    flow.table({ caption: words.index.heading, head: words.index.head, rows });
  }
  begin(words.annex.heading);
  flow.paragraph(filled(words.annex.intro, { company, label: subject.label }));
  flow.table(siteTable(subject, words));
  paper.turnTo(2);
  drawContents(paper, accent, words.contents, entries);
  drawMargins(paper, { company, title, page: words.page, note: words.fictional });
}

function drawSection(flow: Flow, id: SectionId, subject: Subject, words: Words): void {
  for (const paragraph of paragraphsOf(id, subject, words)) flow.paragraph(paragraph);
  for (const table of tablesOf(id, subject, words)) {
    flow.table(table);
    const notes = notesOn(table, subject, words);
    if (notes !== '') flow.paragraph(notes);
  }
  if (id !== 'climate') return;
  flow.bars(
    words.emissions.chart,
    subject.years.map((year) => ({
      label: String(year.fiscalYear),
      parts: [year.scope1 / 1000, year.scope2Market / 1000],
    })),
    (sum) => (sum < 100 ? oneDecimal(sum, words) : grouped(sum, words)),
  );
}

function paragraphsOf(id: SectionId, subject: Subject, words: Words): string[] {
  const { base, profile, report } = subject;
  const now = lastYear(subject);
  const values = {
    company: profile.company.company_name,
    label: subject.label,
    start: writtenDate(subject.start, words),
    end: writtenDate(subject.end, words),
    base: firstFiscalYear,
    scope1: grouped(now.scope1, words),
    renewable: now.renewable,
    change: changeBetween(base.scope1 + base.scope2Market, now.scope1 + now.scope2Market, words),
    provider: String(report.fields.assurance_provider ?? ''),
    standard: String(report.fields.assurance_standard ?? ''),
  };
  return words.sections[id].paragraphs.map((paragraph) => filled(paragraph, values));
}

type Row = readonly [label: string, value: (year: YearFigures) => number];

function tablesOf(id: SectionId, subject: Subject, words: Words): Table[] {
  const { emissions, resources, figures } = words;
  const currency = currencyOf(subject.profile.company.country).code;
  const named = (caption: string, rows: readonly Row[], hasTotal = false): Table => ({
    caption: filled(caption, { currency }),
    head: ['', ...subject.years.map((year) => String(year.fiscalYear))],
    rows: rows.map(([label, value]) => [
      filled(label, { currency }),
      ...subject.years.map((year) => grouped(value(year), words)),
    ]),
    hasTotal,
    shaded: subject.years.length,
  });
  const tables: Table[] = [];
  if (id === 'climate') {
    const rows: readonly Row[] = [
      [emissions.scope1, (year) => year.scope1],
      [emissions.scope2Location, (year) => year.scope2Location],
      [emissions.scope2Market, (year) => year.scope2Market],
      [emissions.scope3, (year) => year.scope3],
      [emissions.total, (year) => year.scope1 + year.scope2Market + year.scope3],
    ];
    tables.push(named(emissions.caption, rows, true));
  }
  if (id === 'resources') {
    const rows: readonly Row[] = [
      [resources.energy, (year) => year.energy],
      [resources.renewable, (year) => year.renewable],
      [resources.water, (year) => year.water],
    ];
    tables.push(named(resources.caption, rows));
  }
  if (id === 'business') {
    const rows: readonly Row[] = [
      [figures.revenue, (year) => year.revenue],
      [figures.result, (year) => year.result],
      [figures.employees, (year) => year.employees],
    ];
    tables.push(named(figures.caption, rows));
  }
  if (id === 'strategy') tables.push(targetTable(subject, words));
  for (const table of id in details ? details[id as keyof typeof details] : []) {
    const { caption, rows } = words[table];
    const values = new Map(subject.years.map((year) => [year, detailsOf(subject.profile, table, year)]));
    const detailed = rows.map((label, row): Row => [label, (year) => values.get(year)?.[row] ?? 0]);
    tables.push(named(caption, detailed, table === 'income' || table === 'balance'));
  }
  return tables;
}

function targetTable(subject: Subject, words: Words): Table {
  const since = lastYear(subject).fiscalYear - firstFiscalYear;
  const { caption, head, rows } = words.targets;
  const reached = (row: number) => Math.min(100, 12 + row * 9 + since * (5 + row));
  const shown = rows.map((label, row) => [label, String(firstFiscalYear), String(2028 + row), String(reached(row))]);
  return { caption, head, rows: shown };
}

/** Says the first rows of a table of years in sentences. */
function notesOn(table: Table, { label, years }: Subject, words: Words): string {
  if (years.length < 2 || table.shaded !== years.length) return '';
  const number = (text: string) => Number(text.replaceAll(words.group, ''));
  return table.rows
    .slice(0, 3)
    .map(([row = '', ...values]) => {
      const [before = '', now = ''] = values.slice(-2);
      const change = changeBetween(number(before), number(now), words);
      return filled(words.note, { row, now, before, label, change });
    })
    .join(' ');
}

/** True for the large reports, which have an index and name every site. */
function isBroad({ report }: Subject): boolean {
  return isCoreReportType(report.report_type) || report.report_type === 'ESGD' || report.report_type === 'GRIX';
}

function siteTable(subject: Subject, words: Words): Table {
  const { caption, head } = words.annex;
  const { company, publications } = subject.profile;
  const all = 100 + (hashOf(`sites ${company.company_key}`) % 30) ** 2;
  // A generated company publishes little and has few sites.
  const count = Math.min(all, isBroad(subject) && publications.length > 3 ? all : 120);
  const sites = sitesOf(subject.profile, count, lastYear(subject));
  const total = head.slice(1).map((_, column) => sites.reduce((sum, site) => sum + (site.values[column] ?? 0), 0));
  const shown = (values: readonly number[]) => values.map((value) => grouped(value, words));
  return {
    caption: filled(caption, { label: subject.label }),
    head,
    rows: [
      ...sites.map(({ kind, place, values }) => [`${words.places[kind]} ${place}`, ...shown(values)]),
      [words.total, ...shown(total)],
    ],
    hasTotal: true,
    firstColumn: 140,
  };
}

/** Fills the paper with images of typed pages. */
function drawScan(paper: Paper, subject: Subject, words: Words): void {
  const company = subject.profile.company.company_name;
  const perPage = scanLines - 16;
  const pages: string[][] = [
    [...Array(18).fill(''), company, '', ...wrapColumns(coverTitle(subject.report)), '']
      .concat(coverLines(subject, words).filter((line) => line !== null))
      .concat('', words.fictional),
  ];
  const add = (lines: readonly string[]) => {
    for (let at = 0; at < lines.length; at += perPage) pages.push(lines.slice(at, at + perPage));
  };
  const typed = ({ caption, head, rows }: Table) => {
    const width = Math.floor((scanColumns - 26) / Math.max(1, head.length - 1));
    const row = ([first = '', ...cells]: readonly string[]) =>
      first.slice(0, 25).padEnd(26) + cells.map((cell) => cell.slice(0, width - 1).padStart(width)).join('');
    return ['', caption, '-'.repeat(scanColumns), ...[head, ...rows].map(row), '-'.repeat(scanColumns), ''];
  };
  for (const id of subject.sections) {
    const text = paragraphsOf(id, subject, words).flatMap((paragraph) => [...wrapColumns(paragraph), '']);
    const tables = tablesOf(id, subject, words).flatMap(typed);
    add([words.sections[id].heading.toUpperCase(), '', ...text, ...tables]);
  }
  add([words.annex.heading.toUpperCase(), ...typed(siteTable(subject, words))]);
  pages.forEach((lines, index) => {
    const foot = index === 0 ? '' : `- ${index} -`.padStart(scanColumns / 2 + 3);
    const page = [...lines, ...Array(Math.max(0, scanLines - 1 - lines.length)).fill(''), foot];
    paper.addPage();
    paper.image(scanOf(page, hashOf(`${subject.report.report_key} ${index}`)));
  });
}
