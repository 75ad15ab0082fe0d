import type { Colour, Style } from './paper.ts';
import { type Paper, pageHeight, pageWidth } from './paper.ts';

export const left = 62;
export const right = pageWidth - left;
const columnWidth = right - left;
const top = 92;
const bottom = pageHeight - 76;

export const grey: Colour = [108, 117, 125];
const hairline: Colour = [206, 212, 218];
const tint: Colour = [241, 243, 245];

const body: Style = { size: 10 };
const leading = 14.5;
/** Columns of figures stand no farther apart, and to the right. */
const widestStep = 84;

/** A table whose first column holds words and whose other columns hold figures. */
export interface Table {
  readonly caption: string;
  readonly head: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Index of a row to set in bold, such as a total. */
  readonly strong?: number;
  /** Index of a column to shade, such as the latest year. */
  readonly shaded?: number;
  /** Least width of the first column in points. */
  readonly firstColumn?: number;
}

/** Lets headings, paragraphs, tables and charts follow each other down the pages. */
export class Flow {
  readonly paper: Paper;
  readonly #accent: Colour;
  #y = top;
  #page: number;

  /** Begins on a new page. */
  constructor(paper: Paper, accent: Colour) {
    this.paper = paper;
    this.#accent = accent;
    paper.addPage();
    this.#page = paper.pages;
  }

  /** The page, counted from 1, on which the next line comes. */
  get page(): number {
    return this.#page;
  }

  /** Makes sure that `height` points are left on the page. */
  keep(height: number): void {
    if (this.#y + height <= bottom) return;
    this.paper.addPage();
    this.#page = this.paper.pages;
    this.#y = top;
  }

  heading(text: string): void {
    const style = { size: 16, bold: true, colour: this.#accent };
    const lines = this.paper.wrap(text, columnWidth, style);
    if (this.#y > top) this.#y += 16;
    this.keep(lines.length * 20 + 64);
    this.paper.text(lines, left, this.#y + 4, { ...style, leading: 20 });
    this.#y += lines.length * 20 + 8;
  }

  paragraph(text: string): void {
    const lines = this.paper.wrap(text, columnWidth, body);
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
    const lines = this.paper.wrap(text, columnWidth, body);
    this.keep((lines.length + 1) * leading);
    this.paper.text(term, left, this.#y, { size: 10, bold: true });
    this.paper.textEnding(remark, right, this.#y, { size: 9, colour: grey });
    this.paper.text(lines, left, this.#y + leading, { ...body, leading });
    this.#y += (lines.length + 1) * leading + 8;
  }

  table(table: Table): void {
    const { paper } = this;
    const rowHeight = 19;
    this.keep(40 + (table.rows.length + 1) * rowHeight);
    this.#y += 10;
    paper.text(table.caption, left, this.#y, { size: 10, bold: true });
    this.#y += 10;
    const first = table.firstColumn ?? 190;
    const figures = Math.max(1, table.head.length - 1);
    const step = Math.min(widestStep, (columnWidth - first) / figures);
    const from = right - figures * step;
    const height = (table.rows.length + 1) * rowHeight;
    if (table.shaded !== undefined) paper.fill(from + (table.shaded - 1) * step, this.#y, step, height, tint);
    this.#row(table.head, from, step, { size: 9, bold: true, colour: this.#accent });
    paper.line(left, this.#y, right, this.#y, this.#accent, 1);
    table.rows.forEach((cells, index) => {
      this.#row(cells, from, step, { size: 9, bold: index === table.strong });
      paper.line(left, this.#y, right, this.#y, hairline);
    });
    this.#y += 20;
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
    bars.forEach((bar, index) => {
      const middle = left + step * (index + 0.5);
      let foot = base;
      bar.parts.forEach((part, partIndex) => {
        const tall = part * scale;
        paper.fill(
          middle - width / 2,
          foot - tall,
          width,
          tall,
          partIndex === 0 ? this.#accent : lighter(this.#accent),
        );
        foot -= tall;
      });
      this.#centred(show(sums[index] ?? 0), middle, foot - 4, { size: 8 });
      this.#centred(bar.label, middle, base + 12, { size: 8, colour: grey });
    });
    paper.line(left, base, right, base, grey, 0.75);
    this.#y = base + 34;
  }

  #row(cells: readonly string[], from: number, step: number, style: Style): void {
    const baseline = this.#y + 13;
    cells.forEach((cell, index) => {
      if (index === 0) this.paper.text(cell, left + 2, baseline, style);
      else this.paper.textEnding(cell, from + step * index - 6, baseline, style);
    });
    this.#y += 19;
  }

  #centred(text: string, middle: number, y: number, style: Style): void {
    this.paper.text(text, middle - this.paper.width(text, style) / 2, y, style);
  }
}

/** Half way to white. */
export function lighter([red, green, blue]: Colour): Colour {
  const half = (value: number) => Math.round(value + (255 - value) * 0.55);
  return [half(red), half(green), half(blue)];
}
