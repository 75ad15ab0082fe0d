import { type Column, type ColumnGroup, fieldGroupLabel } from '../../api/schemas/fields.ts';
import type { DemoReport } from '../catalogue.ts';
import fonts from '../data/fonts.json' with { type: 'json' };
import outlines from '../data/outlines.json' with { type: 'json' };
import { hashNumber } from '../random.ts';
import type { CompanyProfile } from '../seed/companies.ts';
import {
  coverLines,
  coverTitle,
  documentLanguages,
  filled,
  notesOn,
  paragraphsOf,
  siteTable,
  subjectOf,
  tablesOf,
  wordsIn,
} from './content.ts';
import { drawDocument } from './flow.ts';
import { Paper, type Style, scanWidth, widthOf } from './paper.ts';

const { accents } = outlines;

/**
 * Draws a report's PDF: cover, contents and first part with roman page labels, then text and tables, and data by site.
 * It is in the report's language, or in English; a bilingual one has its parts in both languages. Some old reports are
 * scans, images without text. The same report gives the same bytes.
 */
export function drawReport(
  report: DemoReport,
  profile: CompanyProfile,
): { readonly bytes: Uint8Array<ArrayBuffer>; readonly pages: number } {
  const subject = subjectOf(report, profile);
  const { company_key: companyKey, company_name: company } = profile.company;
  const title = coverTitle(report);
  const { fiscalYear } = subject.now;
  const isScan = fiscalYear <= profile.scannedUntil;
  const [language = 'en', ...others] = isScan ? ['en'] : documentLanguages(report.report_lang);
  const words = wordsIn(language);
  const paper = new (isScan ? ScannedPaper : Paper)({
    ...{ title, author: company, language, created: `${fiscalYear}-12-31`, frontPages: 3 },
    fileId: hashNumber(`${report.report_key} ${report.report_id} ${report.fileVersion}`),
  });
  const accent = accents[hashNumber(companyKey) % accents.length] ?? '0 0 0';
  const lines = coverLines(subject, words);
  drawDocument(paper, { accent, company, title, lines, words }, (flow, begin) => {
    for (const inLanguage of [words, ...others.map(wordsIn)]) {
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

/** Dots of a scan for each point of its page. */
const scale = 1.25;

/** Glyphs of the printable ASCII characters, five columns of dots each. */
const glyphs = fonts.dots.map((dots) => Buffer.from(dots, 'hex'));

/** Pages as an old scanner saved them: images of black dots, without any text. Only ASCII is shown. */
class ScannedPaper extends Paper {
  override addPage(): void {
    super.addPage();
    this.addScan();
  }

  override text(text: string, x: number, y: number, style: Style): void {
    const step = (widthOf(text, style) * scale) / text.length;
    const top = Math.round(y * scale) - 8;
    for (let at = 0; at < text.length; at++) {
      const left = Math.round(x * scale + at * step);
      glyphs[text.charCodeAt(at) - 32]?.forEach((dots, across) => {
        for (let down = 0; down < 8; down++) if (dots & (1 << down)) this.#dot(left + across, top + down);
      });
    }
  }

  /** Thin areas are lines; an old scanner shows no others. */
  override fill(x: number, y: number, long: number, thick: number): void {
    if (thick > 2) return;
    for (let dot = 0; dot < long * scale; dot++) this.#dot(Math.round(x * scale) + dot, Math.round(y * scale));
  }

  #dot(x: number, y: number): void {
    const { scan } = this.page;
    const at = (y * scanWidth + x) >> 3;
    if (scan && x < scanWidth) scan[at] = (scan[at] ?? 0xff) & ~(0x80 >> (x & 7));
  }
}
