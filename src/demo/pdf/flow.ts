import { type Paper, pageHeight, pageWidth, type Style, widthOf, wrap } from './paper.ts';

const left = 62;
const right = pageWidth - left;
const columnWidth = right - left;
const top = 92;
const bottom = pageHeight - 76;
const leading = 14.5;
const rowHeight = 19;
/** Columns of figures are at most this far apart, and to the right. */
const maxStep = 84;
/** The colored part of the cover. */
const coverHeight = 470;

const hairline = '0.81 0.83 0.85';
const body: Style = { size: 10 };
const note: Style = { size: 9, color: '0.42 0.46 0.49' };
const small: Style = { ...note, size: 8 };
const white = { bold: true, color: '1 1 1' };

/** A table whose first column holds words and whose other columns hold figures. */
export interface Table {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Sets the last row in bold: it is a total. */
  readonly hasTotal?: boolean;
  /** Shades the column of the latest year, counted from 0. */
  readonly shaded?: number;
  /** Least width of the first column in points. */
  readonly firstColumn?: number;
}

/** Lets headings, paragraphs and tables follow each other down the pages. */
export class Flow {
  readonly #paper: Paper;
  readonly #accent: string;
  #y = top;

  constructor(paper: Paper, accent: string) {
    this.#paper = paper;
    this.#accent = accent;
    paper.addPage();
  }

  /** Begins a part on a new page, unless this one is empty. */
  heading(text: string): void {
    if (this.#y > top) this.#keep(pageHeight);
    this.#lines(text, { size: 16, bold: true, color: this.#accent }, 20);
    this.#y += 12;
  }

  paragraph(text: string): void {
    this.#lines(text, body, leading);
    this.#y += 6;
  }

  /** A term with a remark at the right edge, and its text below. */
  entry(term: string, remark: string, text: string): void {
    this.#keep(leading * 5);
    this.#paper.textEnding(remark, right, this.#y, note);
    this.#lines(term, { ...body, bold: true }, leading);
    this.paragraph(text);
  }

  /** A table, all of it on one page. */
  table({ caption, head, rows, hasTotal = false, shaded, firstColumn = 190 }: Table): void {
    const step = Math.min(maxStep, (columnWidth - firstColumn) / Math.max(1, head.length - 1));
    const from = right - (head.length - 1) * step;
    const height = (rows.length + 1) * rowHeight;
    this.#keep(height + 30);
    this.#y += 10;
    this.#paper.text(caption, left, this.#y, { size: 10, bold: true });
    this.#y += 10;
    if (shaded !== undefined) this.#paper.fill(from + (shaded - 1) * step, this.#y, step, height, '0.95 0.95 0.96');
    this.#row(head, from, step, { size: 9, bold: true, color: this.#accent });
    rows.forEach((cells, index) => {
      this.#row(cells, from, step, { size: 9, bold: hasTotal && index === rows.length - 1 });
    });
    this.#y += 20;
  }

  #row(cells: readonly string[], from: number, step: number, style: Style): void {
    const baseline = this.#y + 13;
    cells.forEach((cell, index) => {
      if (index === 0) this.#paper.text(cell, left + 2, baseline, style);
      else this.#paper.textEnding(cell, from + step * index - 6, baseline, style);
    });
    this.#y += rowHeight;
    this.#paper.fill(left, this.#y, columnWidth, 0.5, style.color ?? hairline);
  }

  #lines(text: string, style: Style, height: number): void {
    for (const line of wrap(text, columnWidth, style)) {
      this.#keep(height);
      this.#paper.text(line, left, this.#y, style);
      this.#y += height;
    }
  }

  /** Makes sure that `height` points are left on the page. */
  #keep(height: number): void {
    if (this.#y + height <= bottom) return;
    this.#paper.addPage();
    this.#y = top;
  }
}

/** What a document says on its cover, below its title (`lines`), and in the margins of its pages. */
interface DocumentFrame {
  readonly accent: string;
  readonly company: string;
  readonly title: string;
  readonly lines: readonly string[];
  readonly words: { readonly fictional: string; readonly contents: string; readonly page: string };
}

/** Draws cover and contents, what `drawParts` adds, each part on a new page, and the head and foot of the pages. */
export function drawDocument(
  paper: Paper,
  frame: DocumentFrame,
  drawParts: (flow: Flow, begin: (heading: string) => void) => void,
): void {
  const { accent, company, title, words } = frame;
  drawCover(paper, frame);
  // The contents are filled once the page numbers are known.
  paper.addPage();
  const entries: { readonly heading: string; readonly page: number }[] = [];
  const flow = new Flow(paper, accent);
  drawParts(flow, (heading) => {
    flow.heading(heading);
    entries.push({ heading, page: paper.pages });
  });
  paper.turnTo(2);
  paper.text(words.contents, left, 100, { size: 20, bold: true, color: accent });
  const style = { size: 11 };
  entries.forEach(({ heading, page }, index) => {
    const y = 146 + index * 26;
    paper.text(firstLine(heading, columnWidth - 60, style), left, y, style);
    paper.textEnding(paper.label(page), right, y, style);
    paper.bookmark(heading, page);
  });
  // The head and foot of every page but the cover.
  const [head, headEnding] = [company, title].map((text) => firstLine(text, columnWidth / 2 - 10, small));
  for (let page = 2; page <= paper.pages; page++) {
    paper.turnTo(page);
    paper.text(head ?? '', left, 50, small);
    paper.textEnding(headEnding ?? '', right, 50, small);
    paper.fill(left, 57, columnWidth, 0.5, hairline);
    paper.text(words.fictional, left, pageHeight - 42, small);
    paper.textEnding(`${words.page} ${paper.label(page)}`, right, pageHeight - 42, small);
  }
}

/** Fills the first page. A title that is long, or has a long word, is set smaller until it fits. */
function drawCover(paper: Paper, { accent, company, title, lines: below, words }: DocumentFrame): void {
  paper.addPage();
  paper.fill(0, 0, pageWidth, coverHeight, accent);
  const name = { ...white, size: 14 };
  wrap(company, columnWidth, name).forEach((line, at) => {
    paper.text(line, left, 96 + at * 19, name);
  });
  const titleIn = (size: number) => ({ size, lines: wrap(title, columnWidth, { ...white, size }) });
  const fits = ({ size, lines }: ReturnType<typeof titleIn>) =>
    lines.length * size * 1.25 < 250 && lines.every((line) => widthOf(line, { ...white, size }) <= columnWidth);
  const { size, lines } = [32, 28, 24, 20, 16].map(titleIn).find(fits) ?? titleIn(12);
  lines.forEach((line, at) => {
    paper.text(line, left, coverHeight - 50 - (lines.length - 1 - at) * size * 1.25, { ...white, size });
  });
  below.forEach((line, index) => {
    paper.text(line, left, coverHeight + 46 + index * 20, { size: 12 });
  });
  paper.text(words.fictional, left, pageHeight - 60, note);
}

/** As much of a text as fits on a line. */
function firstLine(text: string, width: number, style: Style): string {
  const [line = text, more] = wrap(text, width, style);
  return more === undefined ? line : `${line} …`;
}
