import { type Column, type ColumnGroup, fieldGroupLabel } from '../../api/schemas/fields.ts';
import type { DemoReport } from '../catalogue.ts';
import outlines from '../data/outlines.json' with { type: 'json' };
import { hashNumber } from '../random.ts';
import { type CompanyProfile, firstFiscalYear } from '../seed/companies.ts';
import type { SectionId } from '../seed/disclosures.ts';
import {
  coverLines,
  coverTitle,
  isBroad,
  lastYear,
  notesOn,
  paragraphsOf,
  type Subject,
  siteTable,
  subjectOf,
  tablesOf,
} from './content.ts';
import { drawContents, drawCover, drawMargins, Flow } from './flow.ts';
import { type Colour, Paper } from './paper.ts';
import { drawScan } from './scan.ts';
import { type DocumentWords, filled, grouped, oneDecimal, wordsIn } from './words.ts';

const accents: readonly Colour[] = outlines.accents;

/**
 * Draws a report's PDF in its language: cover, contents and first part with roman page labels, then text, tables and a
 * chart, an index and data by site. A bilingual one says its parts in both languages, and some old ones are scans,
 * images without text. Text that the standard fonts can't show is in English. The same report gives the same bytes.
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
    fileId: hashNumber(`${report.report_key} ${report.report_id} ${report.fileVersion}`),
  });
  if (lastYear(subject).fiscalYear <= profile.scannedUntil) drawScan(paper, subject, wordsIn('en'));
  else drawPages(paper, subject, [wordsIn(language), ...(second ? [wordsIn(second)] : [])]);
  return { bytes: paper.bytes(), pages: paper.pages };
}

/** The report's languages as far as the standard fonts can show them; English stands in for the others. */
function shownLanguages(lang: string): readonly string[] {
  const shown = lang.split(/[^a-z]+/i).map((language) => (wordsIn(language) === wordsIn('en') ? 'en' : language));
  return [...new Set(shown)];
}

function drawPages(paper: Paper, subject: Subject, languages: readonly DocumentWords[]): void {
  const [words = wordsIn('en')] = languages;
  const company = subject.profile.company.company_name;
  const title = coverTitle(subject.report);
  const accent = accents[hashNumber(subject.profile.company.company_key) % accents.length] ?? [33, 37, 41];
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
    const rows = outlines.disclosures.flatMap(({ code, part }) => {
      const id = part as SectionId;
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

function drawSection(flow: Flow, id: SectionId, subject: Subject, words: DocumentWords): void {
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

const accent: Colour = [38, 70, 83];
const title = 'Field Guide: the 50 metadata fields';
const company = 'Report Library demo service';
const note = 'Made by the demo service.';

/** The field guide as a PDF (META-1): every column with its API field, type and meaning, in dictionary order. */
export function createFieldGuide(columns: readonly Column[]): Uint8Array<ArrayBuffer> {
  const paper = new Paper({ title, author: company, language: 'en', created: '2025-01-01', fileId: 0x46494c44 });
  drawCover(paper, accent, { company, title, lines: ['Schema version V3'], note });
  paper.addPage();
  paper.endFrontMatter();
  const flow = new Flow(paper, accent);
  const entries: { readonly title: string; readonly page: number }[] = [];
  flow.heading('How to read a value');
  flow.paragraph(
    'Metadata values are text, as in a bulk delivery file; the typed fields of the interface hold the same facts. An unknown value is an empty text in metadata and null in a typed field.',
  );
  flow.paragraph(
    'A boolean has three states. TRUE: the report applies the standard or has the feature. FALSE: evidence was found that it does not. Empty: undetermined. Standards and assurance fields are taken from what the report states; they are not an audit.',
  );
  flow.paragraph(
    'The year in a report key is the cover year. The fiscal year is the year in which the reporting period ends.',
  );
  for (const group of ['report', 'company', 'disclosure'] satisfies ColumnGroup[]) {
    flow.keep(130);
    entries.push({ title: fieldGroupLabel(group), page: paper.pages });
    flow.heading(fieldGroupLabel(group));
    for (const column of columns) {
      if (column.group !== group) continue;
      const field = column.apiField === column.name ? '' : `, API field ${column.apiField}`;
      flow.entry(`${column.number}. ${column.name}`, `${column.type}${field}`, `${column.label}. ${column.meaning}`);
    }
  }
  paper.turnTo(2);
  drawContents(paper, accent, 'Contents', entries);
  drawMargins(paper, { company, title, page: 'Page', note });
  return paper.bytes();
}
