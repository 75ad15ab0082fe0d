import type { DemoReport } from '../catalogue.ts';
import outlines from '../data/outlines.json' with { type: 'json' };
import de from '../data/words.de.json' with { type: 'json' };
import en from '../data/words.en.json' with { type: 'json' };
import fr from '../data/words.fr.json' with { type: 'json' };
import { type CompanyProfile, firstFiscalYear } from '../seed/companies.ts';
import { type SectionId, sectionsOf } from '../seed/disclosures.ts';
import { currencyOf, type DetailTable, detailsOf, figuresOf, sitesOf } from '../seed/figures.ts';
import { titleIn } from '../seed/reports.ts';
import type { Table } from './flow.ts';
import { isShown } from './paper.ts';

/** The tables of figures that a part has. */
const details: Readonly<Record<string, readonly DetailTable[]>> = outlines.details as Record<string, DetailTable[]>;

/** What a document is about: a company's fiscal year. */
type Subject = ReturnType<typeof subjectOf>;

export function subjectOf(report: DemoReport, profile: CompanyProfile) {
  const { fields } = report;
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '');
  const year = Number.parseInt(text('period_end_date'), 10) || report.report_year || 2021;
  const first = Math.max(firstFiscalYear, year - 3);
  const shown = Math.max(1, year - first + 1);
  const assured = fields.assurance_provider !== null && fields.independent_assurance_report_included === true;
  return {
    report,
    profile,
    /** The years that tables show, the last one the report's own. */
    years: Array.from({ length: shown }, (_, index) => figuresOf(profile, first + index)),
    now: figuresOf(profile, first + shown - 1),
    base: figuresOf(profile, firstFiscalYear),
    label: text('fiscal_year_label') || String(year),
    start: text('period_start_date') || `${year}-01-01`,
    end: text('period_end_date') || `${year}-12-31`,
    sections: sectionsOf(report.report_type).filter((id) => id !== 'assurance' || assured),
  };
}

/** The title as far as the standard fonts can show it, or an English one. */
export function coverTitle({ report_title, report_type, report_year }: DemoReport): string {
  // The parts of a bilingual title are separated by ` / `.
  const shown = isShown(report_title) ? report_title : report_title.split(' / ').filter(isShown).join(' / ');
  return shown || titleIn(report_type, 'en', String(report_year || ''));
}

/** The fiscal year and the revision on the cover. */
export function coverLines({ report, label, start, end }: Subject, words: DocumentWords): string[] {
  const dates = { label, start: writtenDate(start, words), end: writtenDate(end, words) };
  return [
    ...(report.report_fcyear === null ? [] : [filled(words.fiscalYear, dates)]),
    ...(report.fileVersion > 0 ? [filled(words.revised, { n: report.fileVersion + 1 })] : []),
  ];
}

export function paragraphsOf(id: SectionId, subject: Subject, words: DocumentWords): string[] {
  const { base, now, profile, report } = subject;
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

export function tablesOf(id: SectionId, subject: Subject, words: DocumentWords): Table[] {
  const { profile, years, now } = subject;
  const currency = currencyOf(profile.company.country).code;
  const tables = (details[id] ?? []).map((table): Table => {
    const columns = years.map((year) => detailsOf(profile, table, year));
    const shown = (row: number) => columns.map((values) => grouped(values[row] ?? 0, words));
    return {
      caption: filled(words[table].caption, { currency }),
      head: ['', ...years.map(({ fiscalYear }) => String(fiscalYear))],
      rows: words[table].rows.map((label, row) => [filled(label, { currency }), ...shown(row)]),
      hasTotal: ['emissions', 'income', 'balance'].includes(table),
      shaded: years.length,
    };
  });
  if (id !== 'strategy') return tables;
  const since = now.fiscalYear - firstFiscalYear;
  const { caption, head, rows } = words.targets;
  const targets = rows.map((label, row) => {
    const reached = Math.min(100, 12 + row * 9 + since * (5 + row));
    return [label, ...[firstFiscalYear, 2028 + row, reached].map(String)];
  });
  return [{ caption, head, rows: targets }, ...tables];
}

/** Says the first rows of a table of years in sentences. */
export function notesOn(table: Table, { label, years }: Subject, words: DocumentWords): string {
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

/** Every site with its part in the company's figures. */
export function siteTable(subject: Subject, words: DocumentWords): Table {
  const { caption, head } = words.annex;
  const sites = sitesOf(subject.profile, 26, subject.now);
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

/** Everything that a PDF says in one language. Only characters of the standard fonts. */
export type DocumentWords = typeof en;

const all: Readonly<Record<string, DocumentWords>> = { de, en, fr };

/** The words of a language; English for a language without words. */
export function wordsIn(language: string): DocumentWords {
  return Object.hasOwn(all, language) ? (all[language] ?? en) : en;
}

/** A report's languages, with English instead of those without words. */
export function documentLanguages(codes: string): string[] {
  return [...new Set(codes.split(/[^a-z]+/i).map((code) => (Object.hasOwn(all, code) ? code : 'en')))];
}

/** The text with each `{name}` replaced; names without a value stay. */
export function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** Writes YYYY-MM-DD out. The engine's own formats may change from one release to the next. */
function writtenDate(iso: string, words: DocumentWords): string {
  const [year = '', month, day] = iso.split('-').map(Number);
  const d = day === 1 ? words.firstDay : String(day);
  return words.date.replace(/\b[dmy]\b/g, (part) =>
    part === 'd' ? d : part === 'm' ? (words.months[Number(month) - 1] ?? '') : String(year),
  );
}

/** A whole number with its digits in groups of three. */
function grouped(value: number, words: DocumentWords): string {
  const digits = String(Math.abs(Math.round(value))).replace(/\B(?=(?:\d{3})+$)/g, words.group);
  return value < 0 ? `–${digits}` : digits;
}

/** The change from one value to another, in percent with a sign and one decimal. */
function changeBetween(from: number, to: number, words: DocumentWords): string {
  const tenths = from === 0 ? 0 : Math.round(Math.abs(to / from - 1) * 1000);
  const sign = tenths === 0 ? '' : to > from ? '+' : '–';
  return `${sign}${grouped(Math.floor(tenths / 10), words)}${words.decimal}${tenths % 10}`;
}
