import { type Colour, type Paper, pageHeight, pageWidth, type Style, widthOf, wrap } from './paper.ts';

export const left = 62;
export const right = pageWidth - left;
const columnWidth = right - left;
const top = 92;
const bottom = pageHeight - 76;
const leading = 14.5;
const rowHeight = 19;
/** Columns of figures stand no farther apart, and to the right. */
const maxStep = 84;

const grey: Colour = [108, 117, 125];
const hairline: Colour = [206, 212, 218];
const tint: Colour = [241, 243, 245];
const white: Colour = [255, 255, 255];
const body: Style = { size: 10 };

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

/** Lets headings, paragraphs, tables and charts follow each other down the pages. */
export class Flow {
  readonly paper: Paper;
  readonly #accent: Colour;
  #y = top;

  /** Begins on a new page. */
  constructor(paper: Paper, accent: Colour) {
    this.paper = paper;
    this.#accent = accent;
    paper.addPage();
  }

  /** Begins a page, unless nothing stands on this one. */
  newPage(): void {
    if (this.#y > top) this.keep(pageHeight);
  }

  /** Makes sure that `height` points are left on the page. */
  keep(height: number): void {
    if (this.#y + height <= bottom) return;
    this.paper.addPage();
    this.#y = top;
  }

  heading(text: string): void {
    const style = { size: 16, bold: true, colour: this.#accent };
    const lines = wrap(text, columnWidth, style);
    if (this.#y > top) this.#y += 16;
    this.keep(lines.length * 20 + 64);
    this.paper.text(lines, left, this.#y + 4, { ...style, leading: 20 });
    this.#y += lines.length * 20 + 8;
  }

  paragraph(text: string): void {
    const lines = wrap(text, columnWidth, body);
    while (lines.length > 0) {
      this.keep(Math.min(lines.length, 2) * leading);
      const room = Math.max(1, Math.floor((bottom - this.#y) / leading));
      // No single line is left for the next page.
      const take = lines.length - room === 1 && room > 2 ? room - 1 : room;
      const piece = lines.splice(0, take);
      this.paper.text(piece, left, this.#y, { ...body, leading });
      this.#y += piece.length * leading;
    }
    this.#y += 6;
  }

  /** A term with a remark at the right edge, and its text below; never parted by a page break. */
  entry(term: string, remark: string, text: string): void {
    const lines = wrap(text, columnWidth, body);
    this.keep((lines.length + 1) * leading);
    this.paper.text(term, left, this.#y, { size: 10, bold: true });
    this.paper.textEnding(remark, right, this.#y, { size: 9, colour: grey });
    this.paper.text(lines, left, this.#y + leading, { ...body, leading });
    this.#y += (lines.length + 1) * leading + 8;
  }

  /** A table that may go on over several pages; its head is then repeated. */
  table(table: Table): void {
    const first = table.firstColumn ?? 190;
    const step = Math.min(maxStep, (columnWidth - first) / Math.max(1, table.head.length - 1));
    for (let next = 0; next < table.rows.length; ) {
      this.keep(40 + Math.min(table.rows.length - next + 1, 12) * rowHeight);
      const room = Math.floor((bottom - this.#y - 40) / rowHeight) - 1;
      const rows = table.rows.slice(next, next + room);
      next += rows.length;
      this.#part(table, rows, step, next === table.rows.length);
    }
  }

  #part(table: Table, rows: Table['rows'], step: number, isLast: boolean): void {
    const { paper } = this;
    this.#y += 10;
    paper.text(table.caption, left, this.#y, { size: 10, bold: true });
    this.#y += 10;
    const from = right - (table.head.length - 1) * step;
    const height = (rows.length + 1) * rowHeight;
    if (table.shaded !== undefined) paper.fill(from + (table.shaded - 1) * step, this.#y, step, height, tint);
    this.#row(table.head, from, step, { size: 9, bold: true, colour: this.#accent });
    paper.line(left, this.#y, right, this.#y, this.#accent, 1);
    rows.forEach((cells, index) => {
      const isTotal = table.hasTotal === true && isLast && index === rows.length - 1;
      this.#row(cells, from, step, { size: 9, bold: isTotal });
      paper.line(left, this.#y, right, this.#y, hairline);
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
  }

  /** Bars, one per label, of up to two parts; `show` writes the sum above each. */
  bars(
    caption: string,
    bars: readonly { readonly label: string; readonly parts: readonly number[] }[],
    show: (sum: number) => string,
  ): void {
    const { paper } = this;
    const height = 110;
    this.keep(height + 62);
    this.#y += 6;
    paper.text(caption, left, this.#y, { size: 10, bold: true });
    const base = this.#y + height + 26;
    const sums = bars.map((bar) => bar.parts.reduce((sum, part) => sum + part, 0));
    const scale = height / Math.max(1, ...sums);
    const step = columnWidth / bars.length;
    const width = Math.min(44, step * 0.55);
    bars.forEach(({ label, parts }, index) => {
      const middle = left + step * (index + 0.5);
      let foot = base;
      for (const [place, part] of parts.entries()) {
        foot -= part * scale;
        const colour = place === 0 ? this.#accent : lighter(this.#accent);
        paper.fill(middle - width / 2, foot, width, part * scale, colour);
      }
      this.#centred(show(sums[index] ?? 0), middle, foot - 4, { size: 8 });
      this.#centred(label, middle, base + 12, { size: 8, colour: grey });
    });
    paper.line(left, base, right, base, grey, 0.75);
    this.#y = base + 34;
  }

  #centred(text: string, middle: number, y: number, style: Style): void {
    this.paper.text(text, middle - widthOf(text, style) / 2, y, style);
  }
}

/** Half way to white. */
function lighter(colour: Colour): Colour {
  return colour.map((value) => Math.round(value + (255 - value) * 0.55));
}

/** What a cover says; lines that are null are left out. */
export interface Cover {
  readonly company: string;
  readonly title: string;
  readonly lines: readonly (string | null)[];
  readonly note: string;
}

/** Fills the first page. A title that is long, or has a long word, is set smaller until it fits. */
export function drawCover(paper: Paper, accent: Colour, cover: Cover): void {
  const block = 470;
  const maxTitle = 250;
  paper.addPage();
  paper.fill(0, 0, pageWidth, block, accent);
  paper.fill(left, block - 6, 120, 6, lighter(accent));
  const name = { size: 14, bold: true, colour: white };
  paper.text(wrap(cover.company, columnWidth, name), left, 96, { ...name, leading: 19 });
  let size = 32;
  let lines = wrap(cover.title, columnWidth, { size, bold: true });
  const isTooWide = () => lines.some((line) => widthOf(line, { size, bold: true }) > columnWidth);
  while (size > 12 && (lines.length * size * 1.25 > maxTitle || isTooWide())) {
    size -= 1;
    lines = wrap(cover.title, columnWidth, { size, bold: true });
  }
  const titleLeading = size * 1.25;
  const y = block - 50 - (lines.length - 1) * titleLeading;
  paper.text(lines, left, y, { size, bold: true, colour: white, leading: titleLeading });
  cover.lines
    .filter((line) => line !== null)
    .forEach((line, index) => {
      paper.text(line, left, block + 46 + index * 20, { size: 12 });
    });
  paper.text(cover.note, left, pageHeight - 60, { size: 9, colour: grey });
}

/** Fills the present page with the contents, each with its page's label, and adds the bookmarks. */
export function drawContents(
  paper: Paper,
  accent: Colour,
  heading: string,
  entries: readonly { readonly title: string; readonly page: number }[],
): void {
  paper.text(heading, left, 100, { size: 20, bold: true, colour: accent });
  const style = { size: 11 };
  const dot = widthOf(' .', style);
  entries.forEach(({ title, page }, index) => {
    const y = 146 + index * 26;
    const [line = title] = wrap(title, columnWidth - 60, style);
    paper.text(line, left, y, style);
    const dots = Math.max(0, Math.floor((columnWidth - 30 - widthOf(line, style)) / dot));
    paper.textEnding(' .'.repeat(dots), right - 22, y, { size: 11, colour: grey });
    paper.textEnding(paper.label(page), right, y, style);
    paper.bookmark(title, page);
  });
}

/** Writes the head and foot of every page but the cover. */
export function drawMargins(
  paper: Paper,
  words: { readonly company: string; readonly title: string; readonly page: string; readonly note: string },
): void {
  const small = { size: 8, colour: grey };
  const fitted = (text: string) => {
    const [line = text, more] = wrap(text, columnWidth / 2 - 10, small);
    return more === undefined ? line : `${line} …`;
  };
  const company = fitted(words.company);
  const title = fitted(words.title);
  for (let page = 2; page <= paper.pages; page++) {
    paper.turnTo(page);
    paper.text(company, left, 50, small);
    paper.textEnding(title, right, 50, small);
    paper.line(left, 57, right, 57, hairline);
    paper.text(words.note, left, pageHeight - 42, small);
    paper.textEnding(`${words.page} ${paper.label(page)}`, right, pageHeight - 42, small);
  }
}
