import { jsPDF } from 'jspdf';

/** A colour, 0 to 255 each. */
export type Colour = readonly [red: number, green: number, blue: number];

export interface Style {
  /** Points. */
  readonly size: number;
  readonly bold?: boolean;
  readonly colour?: Colour;
}

export interface PaperOptions {
  readonly title: string;
  readonly author: string;
  readonly language: string;
  /** YYYY-MM-DD. */
  readonly created: string;
  /** 32 hexadecimal digits. */
  readonly fileId: string;
}

export const pageWidth = 595;
export const pageHeight = 842;
const black: Colour = [33, 37, 41];
/** Widths of characters by style, in thousandths of the size; fonts are the same in every document. */
const widths = { normal: new Map<string, number>(), bold: new Map<string, number>() };

/** A4 pages in points, written with the standard fonts. The same calls give the same bytes on any machine. */
export class Paper {
  readonly #pdf: jsPDF;

  private constructor(pdf: jsPDF) {
    this.#pdf = pdf;
  }

  static create(options: PaperOptions): Paper {
    const pdf = new jsPDF({
      unit: 'pt',
      format: [pageWidth, pageHeight],
      putOnlyUsedFonts: true,
      floatPrecision: 2,
      compress: false,
    });
    // As text, because a Date would be written in the machine's time zone.
    pdf.setCreationDate(`D:${options.created.replaceAll('-', '')}120000+00'00'`);
    pdf.setFileId(options.fileId);
    pdf.setDocumentProperties({ title: options.title, author: options.author, subject: 'Demonstration document' });
    return new Paper(pdf);
  }

  get pages(): number {
    return this.#pdf.getNumberOfPages();
  }

  addPage(): void {
    this.#pdf.addPage();
  }

  /** Goes on drawing on a page, counted from 1. */
  turnTo(page: number): void {
    this.#pdf.setPage(page);
  }

  bookmark(title: string, page: number): void {
    this.#pdf.outline.add(null, title, { pageNumber: page });
  }

  /** Width in points. */
  width(text: string, style: Style): number {
    const known = style.bold ? widths.bold : widths.normal;
    let sum = 0;
    for (const character of text) {
      let width = known.get(character);
      if (width === undefined) {
        this.#pdf.setFont('helvetica', style.bold ? 'bold' : 'normal');
        width = this.#pdf.getStringUnitWidth(character);
        known.set(character, width);
      }
      sum += width;
    }
    return sum * style.size;
  }

  /** Breaks a text into lines of at most `width` points; a longer word stands alone. */
  wrap(text: string, width: number, style: Style): string[] {
    const lines: string[] = [];
    const blank = this.width(' ', style);
    let line = '';
    let used = 0;
    for (const word of text.split(' ')) {
      const needed = this.width(word, style);
      if (line !== '' && used + blank + needed > width) {
        lines.push(line);
        line = '';
      }
      used = line === '' ? needed : used + blank + needed;
      line = line === '' ? word : `${line} ${word}`;
    }
    return line === '' ? lines : [...lines, line];
  }

  /** Writes lines, the first one's baseline at `y`. */
  text(lines: string | readonly string[], x: number, y: number, style: Style & { readonly leading?: number }): void {
    this.#use(style);
    if (style.leading) this.#pdf.setLineHeightFactor(style.leading / style.size);
    this.#pdf.text(typeof lines === 'string' ? lines : [...lines], x, y);
  }

  /** Writes one line that ends at `right`. */
  textEnding(text: string, right: number, y: number, style: Style): void {
    this.text(text, right - this.width(text, style), y, style);
  }

  fill(x: number, y: number, width: number, height: number, colour: Colour): void {
    this.#pdf.setFillColor(...colour);
    this.#pdf.rect(x, y, width, height, 'F');
  }

  line(x1: number, y1: number, x2: number, y2: number, colour: Colour, thickness = 0.5): void {
    this.#pdf.setDrawColor(...colour);
    this.#pdf.setLineWidth(thickness);
    this.#pdf.line(x1, y1, x2, y2);
  }

  bytes(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#pdf.output('arraybuffer'));
  }

  #use(style: Style): void {
    this.#pdf.setFont('helvetica', style.bold ? 'bold' : 'normal');
    this.#pdf.setFontSize(style.size);
    this.#pdf.setTextColor(...(style.colour ?? black));
  }
}
