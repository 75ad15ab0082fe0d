import { labelOf, periodOf } from '../calendar.ts';
import { emissionsOf } from '../emissions.ts';
import type { PlannedReport } from '../plan.ts';
import { reportTitle } from '../reports.ts';
import { drawMargins } from './cover.ts';
import { writtenDate } from './dates.ts';
import { Flow, left, lighter, right } from './flow.ts';
import { shownPart } from './latin.ts';
import { grouped } from './numbers.ts';
import type { Colour } from './paper.ts';
import { Paper, pageHeight, pageWidth } from './paper.ts';
import type { DrawnPdf } from './reportPdf.ts';
import type { Slot } from './slots.ts';
import { escaped, placeholder, slotsIn } from './slots.ts';
import type { Words } from './words/words.ts';
import { wordsIn } from './words.ts';

interface Template {
  readonly bytes: Uint8Array;
  readonly pages: number;
  readonly slots: readonly Slot[];
}

const templates = new Map<string, Template>();
const accent: Colour = [38, 70, 83];
const white: Colour = [255, 255, 255];
const columns = 3;
const widestNumber = '888,888,888';

/**
 * The PDF of a generated company's report: one of a few templates, one per language, with the report's own words and
 * figures filled in at fixed places. Takes microseconds, so that a page of 200 hashes costs little.
 */
export function fillTemplate(planned: PlannedReport, reportId: number, fileVersion: number): DrawnPdf {
  const language = planned.lang.split(';')[0] ?? 'en';
  const words = wordsIn(language);
  let template = templates.get(language);
  if (!template) {
    template = drawTemplate(words, language);
    templates.set(language, template);
  }
  const { bytes, pages, slots } = template;
  const filled = new Uint8Array(bytes);
  const values = valuesOf(planned, reportId, fileVersion, words, language);
  for (const slot of slots) filled.set(escaped(values[slot.name] ?? '', slot.length), slot.at);
  return { bytes: filled, pages };
}

function valuesOf(
  planned: PlannedReport,
  reportId: number,
  fileVersion: number,
  words: Words,
  language: string,
): Record<string, string> {
  const { profile } = planned;
  const year = planned.fiscalYear ?? (planned.coverYear || 2021);
  const period = periodOf(year, profile.company.fiscal_year_end_month);
  const [title1 = '', title2 = ''] = halves(shownPart(reportTitle(planned, period)));
  const values: Record<string, string> = {
    company: profile.company.company_name,
    title1,
    title2,
    key: planned.key,
    edition: `${reportId} / ${fileVersion + 1}`,
    fiscal: words.fiscalYear
      .replace('{label}', labelOf(year, period, profile.yearLabel))
      .replace('{start}', writtenDate(period.start, language))
      .replace('{end}', writtenDate(period.end, language)),
  };
  for (let column = 0; column < columns; column++) {
    const figures = emissionsOf(profile, year - columns + 1 + column);
    values[`y${column}`] = String(figures.fiscalYear);
    [figures.scope1, figures.scope2Location, figures.scope2Market, figures.scope3].forEach((value, row) => {
      values[`v${row}${column}`] = alignedNumber(value, words);
    });
  }
  return values;
}

/** Two lines of at most 45 characters; what is longer is cut. */
function halves(title: string): string[] {
  if (title.length <= 45) return [title];
  const at = title.lastIndexOf(' ', 45);
  return [title.slice(0, at), title.slice(at + 1, at + 46)];
}

/** Blanks are half as wide as digits and as wide as separators, so blanks in front bring numbers into line. */
function alignedNumber(value: number, words: Words): string {
  const text = grouped(value, words);
  const digits = String(value).length;
  return ' '.repeat(Math.max(0, (9 - digits) * 2 + 2 - (text.length - digits))) + text;
}

function drawTemplate(words: Words, language: string): Template {
  const paper = Paper.create({
    title: placeholder('key', 48),
    author: placeholder('company', 60),
    language,
    created: '2020-01-01',
    fileId: '0'.repeat(32),
  });
  paper.fill(0, 0, pageWidth, 330, accent);
  paper.text(placeholder('company', 60), left, 96, { size: 14, bold: true, colour: white });
  paper.text(placeholder('title1', 60), left, 250, { size: 19, bold: true, colour: white });
  paper.text(placeholder('title2', 60), left, 276, { size: 19, bold: true, colour: white });
  paper.text(placeholder('fiscal', 90), left, 376, { size: 12 });
  paper.text(placeholder('edition', 24), left, pageHeight - 76, { size: 9 });
  const flow = new Flow(paper, accent);
  flow.heading(words.sections.climate.heading);
  flow.paragraph(words.sections.climate.paragraphs[1] ?? '');
  drawTable(paper, words);
  const text = new Flow(paper, accent);
  for (const id of ['people', 'governance', 'method'] as const) {
    text.heading(words.sections[id].heading);
    for (const paragraph of words.sections[id].paragraphs) text.paragraph(paragraph);
  }
  drawMargins(paper, { company: '', title: '', page: words.page, note: words.fictional });
  const bytes = paper.bytes();
  return { bytes, pages: paper.pages, slots: slotsIn(bytes) };
}

function drawTable(paper: Paper, words: Words): void {
  const bold = { size: 9, bold: true, colour: accent };
  const plain = { size: 9 };
  const step = 92;
  const numberWidth = paper.width(widestNumber, plain);
  const columnEnd = (column: number) => right - (columns - 1 - column) * step;
  let y = 210;
  paper.text(words.emissions.caption, left, y, { size: 10, bold: true });
  y += 24;
  for (let column = 0; column < columns; column++) {
    paper.text(placeholder(`y${column}`, 8), columnEnd(column) - paper.width('2020', bold), y, bold);
  }
  paper.line(left, y + 6, right, y + 6, accent, 1);
  const { scope1, scope2Location, scope2Market, scope3 } = words.emissions;
  [scope1, scope2Location, scope2Market, scope3].forEach((label, row) => {
    y += 20;
    paper.text(label, left, y, plain);
    for (let column = 0; column < columns; column++) {
      paper.text(placeholder(`v${row}${column}`, 22), columnEnd(column) - numberWidth, y, plain);
    }
    paper.line(left, y + 6, right, y + 6, lighter(accent));
  });
}
