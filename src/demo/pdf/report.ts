import { type Column, type ColumnGroup, fieldGroupLabel } from '../../api/schemas/fields.ts';
import type { DemoReport } from '../catalog.ts';
import outlines from '../data/outlines.json' with { type: 'json' };
import de from '../data/words.de.json' with { type: 'json' };
import en from '../data/words.en.json' with { type: 'json' };
import fr from '../data/words.fr.json' with { type: 'json' };
import { hashNumber } from '../random.ts';
import { type CompanyProfile, firstFiscalYear } from '../seed/companies.ts';
import { type SectionId, sectionsOf } from '../seed/disclosures.ts';
import { currencyOf, type DetailTable, detailsOf, figuresOf, sitesOf } from '../seed/figures.ts';
import { titleIn } from '../seed/reports.ts';
import { drawDocument, type Table } from './flow.ts';
import { isShown, Paper } from './paper.ts';

/** Everything that a PDF says in one language. Only characters of the standard fonts. */
export type DocumentWords = typeof en;

export const documentWords: Readonly<Record<string, DocumentWords>> = { de, en, fr };

/** The tables of figures that a part has. */
const details: Readonly<Record<string, readonly DetailTable[]>> = outlines.details as Record<string, DetailTable[]>;
const { accents } = outlines;

/** Draws a report's PDF in its languages, or as a scan. The same report gives the same bytes. */
export function drawReport(
  report: DemoReport,
  profile: CompanyProfile,
): { readonly bytes: Uint8Array<ArrayBuffer>; readonly pages: number } {
  const subject = subjectOf(report, profile);
  const { company_key: companyKey, company_name: company } = profile.company;
  const title = coverTitle(report);
  const { fiscalYear } = subject.now;
  const isScan = fiscalYear <= (profile.scannedUntil ?? 0);
  const codes = report.report_lang.split(';').map((code) => (Object.hasOwn(documentWords, code) ? code : 'en'));
  const languages = isScan ? ['en'] : [...new Set(codes)];
  const [words = en, ...others] = languages.map((code) => documentWords[code] ?? en);
  const paper = new Paper({
    ...{ title, author: company, language: languages[0] ?? 'en', created: `${fiscalYear}-12-31`, frontPages: 3 },
    fileId: hashNumber(`${report.report_key} ${report.report_id} ${report.fileVersion}`),
    isScan,
  });
  const accent = accents[hashNumber(companyKey) % accents.length] ?? '0 0 0';
  drawDocument(paper, { accent, company, title, lines: coverLines(subject, words), words }, (flow, begin) => {
    for (const inLanguage of [words, ...others]) {
      for (const id of subject.sections) {
        begin(inLanguage.sections[id].heading);
        for (const paragraph of paragraphsOf(id, subject, inLanguage)) flow.paragraph(paragraph);
        for (const table of tablesOf(id, subject, inLanguage)) {
          flow.table(table);
          flow.paragraph(notesOn(table, subject, inLanguage));
        }
      }
    }
    begin(words.annex.heading);
    flow.paragraph(filled(words.annex.intro, { company, label: subject.label }));
    flow.table(siteTable(subject, words));
  });
  return { bytes: paper.bytes(), pages: paper.pages };
}

/** The field guide as a PDF (META-1): every column with its API field, type and meaning, in dictionary order. */
export function createFieldGuide(columns: readonly Column[]): Uint8Array<ArrayBuffer> {
  const [title, company] = ['Field Guide: the 50 metadata fields', 'Report Library demo service'];
  const paper = new Paper({ title, author: company, language: 'en', created: '2025-01-01', fileId: 1, frontPages: 2 });
  const words = { fictional: 'Made by the demo service.', contents: 'Contents', page: 'Page' };
  const frame = { accent: '0.15 0.27 0.33', company, title, lines: ['Schema version V3'], words };
  drawDocument(paper, frame, (flow, begin) => {
    for (const group of ['report', 'company', 'disclosure'] satisfies ColumnGroup[]) {
      begin(fieldGroupLabel(group));
      for (const column of columns.filter((each) => each.group === group)) {
        const field = column.apiField === column.name ? '' : `, API field ${column.apiField}`;
        flow.entry(`${column.number}. ${column.name}`, `${column.type}${field}`, `${column.label}. ${column.meaning}`);
      }
    }
  });
  return paper.bytes();
}

/** What a document is about: a company's fiscal year. */
type Subject = ReturnType<typeof subjectOf>;

function subjectOf(report: DemoReport, profile: CompanyProfile) {
  const { fields } = report;
  const text = (name: string) => (typeof fields[name] === 'string' ? fields[name] : '');
  const year = Number.parseInt(text('period_end_date'), 10) || report.report_year || 2021;
  const last = Math.max(firstFiscalYear, year);
  const years = [last - 3, last - 2, last - 1, last].filter((each) => each >= firstFiscalYear);
  const assured = fields.assurance_provider !== null && fields.independent_assurance_report_included === true;
  return {
    report,
    profile,
    /** The years that tables show, the last one the report's own. */
    years: years.map((each) => figuresOf(profile, each)),
    now: figuresOf(profile, last),
    base: figuresOf(profile, firstFiscalYear),
    label: text('fiscal_year_label') || String(year),
    start: text('period_start_date') || `${year}-01-01`,
    end: text('period_end_date') || `${year}-12-31`,
    sections: sectionsOf(report.report_type).filter((id) => id !== 'assurance' || assured),
  };
}

/** The title as far as the standard fonts can show it, or an English one. */
function coverTitle({ report_title, report_type, report_year }: DemoReport): string {
  // The parts of a bilingual title are separated by ` / `.
  const shown = isShown(report_title) ? report_title : report_title.split(' / ').filter(isShown).join(' / ');
  return shown || titleIn(report_type, 'en', String(report_year || ''));
}

function coverLines({ report, label, start, end }: Subject, words: DocumentWords): string[] {
  const dates = { label, start: writtenDate(start, words), end: writtenDate(end, words) };
  return [
    ...(report.report_fcyear === null ? [] : [filled(words.fiscalYear, dates)]),
    ...(report.fileVersion > 0 ? [filled(words.revised, { n: report.fileVersion + 1 })] : []),
  ];
}

function paragraphsOf(id: SectionId, subject: Subject, words: DocumentWords): string[] {
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

function tablesOf(id: SectionId, { profile, years, now }: Subject, words: DocumentWords): Table[] {
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
function notesOn(table: Table, { label, years }: Subject, words: DocumentWords): string {
  if (years.length < 2 || table.shaded !== years.length) return '';
  const number = (text: string) => Number(text.replaceAll(words.group, ''));
  const notes = table.rows.slice(0, 3).map(([row = '', ...values]) => {
    const [before = '', now = ''] = values.slice(-2);
    const change = changeBetween(number(before), number(now), words);
    return filled(words.note, { row, now, before, label, change });
  });
  return notes.join(' ');
}

function siteTable(subject: Subject, words: DocumentWords): Table {
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

/** The text with each `{name}` replaced; names without a value stay. */
function filled(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** Writes YYYY-MM-DD out. The engine's own formats may change from one release to the next. */
function writtenDate(iso: string, words: DocumentWords): string {
  const [year, month = 1, day] = iso.split('-').map(Number);
  const d = day === 1 ? words.firstDay : day;
  const parts: Readonly<Record<string, unknown>> = { d, m: words.months[month - 1], y: year };
  return words.date.replace(/\b[dmy]\b/g, (part) => String(parts[part]));
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
