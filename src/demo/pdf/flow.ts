import { type Color, type Paper, pageHeight, pageWidth, type Style, widthOf, wrap } from './paper.ts';

const left = 62;
const right = pageWidth - left;
const columnWidth = right - left;
const top = 92;
const bottom = pageHeight - 76;
const leading = 14.5;
const rowHeight = 19;
/** Columns of figures are at most this far apart, and to the right. */
const maxStep = 84;

const grey: Color = '0.42 0.46 0.49';
const hairline: Color = '0.81 0.83 0.85';
const tint: Color = '0.95 0.95 0.96';
const white: Color = '1 1 1';
const body: Style = { size: 10 };
const small: Style = { size: 8, color: grey };

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
  readonly paper: Paper;
  readonly #accent: Color;
  #y = top;

  /** Begins on a new page. */
  constructor(paper: Paper, accent: Color) {
    this.paper = paper;
    this.#accent = accent;
    paper.addPage();
  }

  /** Makes sure that `height` points are left on the page. */
  keep(height: number): void {
    if (this.#y + height <= bottom) return;
    this.paper.addPage();
    this.#y = top;
  }

  /** Begins a part on a new page, unless this one is empty. */
  heading(text: string): void {
    if (this.#y > top) this.keep(pageHeight);
    this.#lines(text, { size: 16, bold: true, color: this.#accent }, 20);
    this.#y += 12;
  }

  paragraph(text: string): void {
    this.#lines(text, body, leading);
    this.#y += 6;
  }

  /** A term with a remark at the right edge, and its text below. */
  entry(term: string, remark: string, text: string): void {
    this.keep(leading * 5);
    this.paper.textEnding(remark, right, this.#y, { size: 9, color: grey });
    this.#lines(term, { ...body, bold: true }, leading);
    this.paragraph(text);
  }

  #lines(text: string, style: Style, height: number): void {
    for (const line of wrap(text, columnWidth, style)) {
      this.keep(height);
      this.paper.text(line, left, this.#y, style);
      this.#y += height;
    }
  }

  /** A table, all of it on one page. */
  table({ caption, head, rows, hasTotal = false, shaded, firstColumn = 190 }: Table): void {
    const { paper } = this;
    const step = Math.min(maxStep, (columnWidth - firstColumn) / Math.max(1, head.length - 1));
    const from = right - (head.length - 1) * step;
    const height = (rows.length + 1) * rowHeight;
    this.keep(height + 30);
    this.#y += 10;
    paper.text(caption, left, this.#y, { size: 10, bold: true });
    this.#y += 10;
    if (shaded !== undefined) paper.fill(from + (shaded - 1) * step, this.#y, step, height, tint);
    this.#row(head, from, step, { size: 9, bold: true, color: this.#accent });
    rows.forEach((cells, index) => {
      this.#row(cells, from, step, { size: 9, bold: hasTotal && index === rows.length - 1 });
    });
    this.#y += 20;
  }

  #row(cells: readonly string[], from: number, step: number, style: Style): void {
    const baseline = this.#y + 13;
    cells.forEach((cell, index) => {
      if (index === 0) this.paper.text(cell, left + 2, baseline, style);
      else this.paper.textEnding(cell, from + step * index - 6, baseline, style);
    });
    this.#y += rowHeight;
    this.paper.fill(left, this.#y, columnWidth, 0.5, style.color ?? hairline);
  }
}

/** What a document says on its cover, below its title (`lines`), and in the margins of its pages. */
interface DocumentFrame {
  readonly accent: Color;
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
  drawCover(paper, frame);
  // The contents are filled once the page numbers are known.
  paper.addPage();
  const entries: { readonly title: string; readonly page: number }[] = [];
  const flow = new Flow(paper, frame.accent);
  drawParts(flow, (heading) => {
    flow.heading(heading);
    entries.push({ title: heading, page: paper.pages });
  });
  paper.turnTo(2);
  paper.text(frame.words.contents, left, 100, { size: 20, bold: true, color: frame.accent });
  const style = { size: 11 };
  entries.forEach(({ title, page }, index) => {
    const y = 146 + index * 26;
    paper.text(firstLine(title, columnWidth - 60, style), left, y, style);
    paper.textEnding(paper.label(page), right, y, style);
    paper.bookmark(title, page);
  });
  drawMargins(paper, frame);
}

/** Fills the first page. A title that is long, or has a long word, is set smaller until it fits. */
function drawCover(paper: Paper, { accent, company, title, lines: below, words }: DocumentFrame): void {
  const block = 470;
  paper.addPage();
  paper.fill(0, 0, pageWidth, block, accent);
  const name = { size: 14, bold: true, color: white };
  wrap(company, columnWidth, name).forEach((line, at) => {
    paper.text(line, left, 96 + at * 19, name);
  });
  const titles = [32, 28, 24, 20, 16, 12].map((size) => {
    const style = { size, bold: true, color: white };
    return { style, height: size * 1.25, lines: wrap(title, columnWidth, style) };
  });
  const fitting = titles.find(
    ({ style, height, lines }) =>
      lines.length * height < 250 && lines.every((line) => widthOf(line, style) <= columnWidth),
  );
  const { style, height, lines } = fitting ?? (titles.at(-1) as (typeof titles)[number]);
  lines.forEach((line, at) => {
    paper.text(line, left, block - 50 - (lines.length - 1 - at) * height, style);
  });
  below.forEach((line, index) => {
    paper.text(line, left, block + 46 + index * 20, { size: 12 });
  });
  paper.text(words.fictional, left, pageHeight - 60, { size: 9, color: grey });
}

/** Writes the head and foot of every page but the cover. */
function drawMargins(paper: Paper, frame: DocumentFrame): void {
  const [company, title] = [frame.company, frame.title].map((text) => firstLine(text, columnWidth / 2 - 10, small));
  for (let page = 2; page <= paper.pages; page++) {
    paper.turnTo(page);
    paper.text(company ?? '', left, 50, small);
    paper.textEnding(title ?? '', right, 50, small);
    paper.fill(left, 57, columnWidth, 0.5, hairline);
    paper.text(frame.words.fictional, left, pageHeight - 42, small);
    paper.textEnding(`${frame.words.page} ${paper.label(page)}`, right, pageHeight - 42, small);
  }
}

/** As much of a text as fits on a line. */
function firstLine(text: string, width: number, style: Style): string {
  const [line = text, more] = wrap(text, width, style);
  return more === undefined ? line : `${line} …`;
}
