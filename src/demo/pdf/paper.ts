import fonts from '../data/fonts.json' with { type: 'json' };

/** Red, green and blue, 0 to 255 each. */
export type Colour = readonly number[];

export interface Style {
  /** Points. */
  readonly size: number;
  readonly bold?: boolean;
  readonly colour?: Colour;
}

interface PaperOptions {
  readonly title: string;
  readonly author: string;
  readonly language: string;
  /** YYYY-MM-DD. */
  readonly created: string;
  /** Tells the file apart from others. */
  readonly fileId: number;
}

/** A black and white image, a bit a pixel, each row padded to a whole byte; 1 is white. */
export interface Bitmap {
  readonly width: number;
  readonly height: number;
  readonly bits: Uint8Array;
}

interface DrawnPage {
  content: string;
  /** Font and colour in use; null where none is yet. */
  style: Style | null;
  image: number | null;
}

export const pageWidth = 595;
export const pageHeight = 842;
const black: Colour = [33, 37, 41];
const catalogId = 1;
const pagesId = 2;
const infoId = 3;
const firstFreeId = 6;

/**
 * A PDF of A4 pages in points, counted from the top left, written with the standard fonts Helvetica and Helvetica-Bold.
 * The same calls give the same bytes on any machine: nothing is compressed, and no clock is read. Libraries that write
 * PDFs take ten times as long, and none has page labels; this is all of the format that a report needs.
 */
export class Paper {
  readonly #options: PaperOptions;
  readonly #pages: DrawnPage[] = [];
  readonly #bookmarks: { readonly title: string; readonly page: number }[] = [];
  readonly #images: Bitmap[] = [];
  #current: DrawnPage = { content: '', style: null, image: null };
  #frontPages = 0;

  constructor(options: PaperOptions) {
    this.#options = options;
  }

  get pages(): number {
    return this.#pages.length;
  }

  addPage(): void {
    this.#current = { content: '', style: null, image: null };
    this.#pages.push(this.#current);
  }

  /** Goes on drawing on a page, counted from 1. */
  turnTo(page: number): void {
    const found = this.#pages[page - 1];
    if (!found) throw new RangeError(`There is no page ${page}.`);
    this.#current = found;
  }

  bookmark(title: string, page: number): void {
    this.#bookmarks.push({ title, page });
  }

  /** The pages so far are labelled i, ii, iii …; those that follow begin with 1. */
  endFrontMatter(): void {
    this.#frontPages = this.#pages.length;
  }

  /** What is printed on a page, counted from 1, and what viewers call it. */
  label(page: number): string {
    return page <= this.#frontPages ? roman(page) : String(page - this.#frontPages);
  }

  /** Writes lines, the first one's baseline at `y`. */
  text(lines: string | readonly string[], x: number, y: number, style: Style & { readonly leading?: number }): void {
    const shown = typeof lines === 'string' ? literal(lines) : lines.map(literal).join(' Tj T* ');
    const isLong = typeof lines !== 'string' && lines.length > 1;
    const leading = isLong ? `${rounded(style.leading ?? style.size * 1.2)} TL ` : '';
    this.#put(`BT ${this.#use(style)}${leading}${rounded(x)} ${rounded(pageHeight - y)} Td ${shown} Tj ET\n`);
  }

  /** Writes one line that ends at `right`. */
  textEnding(text: string, right: number, y: number, style: Style): void {
    this.text(text, right - widthOf(text, style), y, style);
  }

  fill(x: number, y: number, width: number, height: number, colour: Colour): void {
    this.#current.style = null;
    this.#put(`${shade(colour)} rg ${rounded(x)} ${rounded(pageHeight - y - height)} `);
    this.#put(`${rounded(width)} ${rounded(height)} re f\n`);
  }

  line(x1: number, y1: number, x2: number, y2: number, colour: Colour, thickness = 0.5): void {
    this.#put(`${shade(colour)} RG ${thickness} w ${rounded(x1)} ${rounded(pageHeight - y1)} m `);
    this.#put(`${rounded(x2)} ${rounded(pageHeight - y2)} l S\n`);
  }

  /** Covers the page with an image. */
  image(bitmap: Bitmap): void {
    this.#current.image = this.#images.push(bitmap) - 1;
    this.#put(`q ${pageWidth} 0 0 ${pageHeight} 0 0 cm /Im Do Q\n`);
  }

  bytes(): Uint8Array<ArrayBuffer> {
    const { title, author, language, created, fileId } = this.#options;
    const count = this.#pages.length;
    const pageId = (page: number) => firstFreeId + (page - 1) * 2;
    const imageId = (index: number) => firstFreeId + count * 2 + index;
    const outlineId = firstFreeId + count * 2 + this.#images.length;
    const stamp = `D:${created.replaceAll('-', '')}120000Z`;
    const objects: string[] = [
      `<< /Type /Catalog /Pages ${pagesId} 0 R /Outlines ${outlineId} 0 R /PageMode /UseOutlines /Lang (${language}) ` +
        `/PageLabels << /Nums [${this.#frontPages > 0 ? '0 << /S /r >> ' : ''}${this.#frontPages} << /S /D >>] >> >>`,
      `<< /Type /Pages /Count ${count} /MediaBox [0 0 ${pageWidth} ${pageHeight}] ` +
        `/Kids [${this.#pages.map((_, index) => `${pageId(index + 1)} 0 R`).join(' ')}] >>`,
      `<< /Title ${unicode(title)} /Author ${unicode(author)} /Subject (Demonstration document) ` +
        `/CreationDate (${stamp}) /ModDate (${stamp}) >>`,
      ...['Helvetica', 'Helvetica-Bold'].map(
        (name) => `<< /Type /Font /Subtype /Type1 /BaseFont /${name} /Encoding /WinAnsiEncoding >>`,
      ),
    ];
    for (const { content, image } of this.#pages) {
      const images = image === null ? '' : ` /XObject << /Im ${imageId(image)} 0 R >>`;
      objects.push(
        `<< /Type /Page /Parent ${pagesId} 0 R /Contents ${objects.length + 2} 0 R ` +
          `/Resources << /Font << /F1 4 0 R /F2 5 0 R >>${images} >> >>`,
        `<< /Length ${content.length} >>\nstream\n${content}endstream`,
      );
    }
    for (const { width, height, bits } of this.#images)
      objects.push(
        `<< /Type /XObject /Subtype /Image /Width ${width} /Height ${height} /BitsPerComponent 1 ` +
          `/ColorSpace /DeviceGray /Length ${bits.length} >>\nstream\n${Buffer.from(bits).toString('latin1')}\nendstream`,
      );
    const last = this.#bookmarks.length;
    const links = last > 0 ? ` /First ${outlineId + 1} 0 R /Last ${outlineId + last} 0 R` : '';
    objects.push(`<< /Type /Outlines /Count ${last}${links} >>`);
    this.#bookmarks.forEach(({ title: text, page }, index) => {
      const before = index > 0 ? ` /Prev ${outlineId + index} 0 R` : '';
      const next = index + 1 < last ? ` /Next ${outlineId + index + 2} 0 R` : '';
      const place = `[${pageId(page)} 0 R /XYZ 0 ${pageHeight} null]`;
      objects.push(`<< /Title ${unicode(text)} /Parent ${outlineId} 0 R /Dest ${place}${before}${next} >>`);
    });
    return assembled(objects, fileId);
  }

  /** Sets font and colour, where they are not the ones in use. */
  #use({ size, bold = false, colour = black }: Style): string {
    const { style } = this.#current;
    if (style?.size === size && style.bold === bold && style.colour === colour) return '';
    this.#current.style = { size, bold, colour };
    return `/F${bold ? 2 : 1} ${size} Tf ${shade(colour)} rg `;
  }

  #put(operators: string): void {
    this.#current.content += operators;
  }
}

function assembled(objects: readonly string[], fileId: number): Uint8Array<ArrayBuffer> {
  let body = '%PDF-1.7\n%\u00E2\u00E3\u00CF\u00D3\n';
  let table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
  objects.forEach((object, index) => {
    table += `${String(body.length).padStart(10, '0')} 00000 n \n`;
    body += `${index + 1} 0 obj\n${object}\nendobj\n`;
  });
  const id = `<${fileId.toString(16).padStart(8, '0').repeat(4)}>`;
  const trailer = `<< /Size ${objects.length + 1} /Root ${catalogId} 0 R /Info ${infoId} 0 R /ID [${id} ${id}] >>`;
  const text = `${body}${table}trailer\n${trailer}\nstartxref\n${body.length}\n%%EOF\n`;
  return new Uint8Array(Buffer.from(text, 'latin1'));
}

/** Characters 0x80 to 0x9F of Windows-1252, in order. */
const highCharacters = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008DŽ\u008F\u0090‘’“”•–—˜™š›œ\u009DžŸ';

/** True when the standard fonts have every character. */
export function isShown(text: string): boolean {
  return /^[\u0020-\u007E\u00A0-\u00FF€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/u.test(text);
}

/** The code of a character in Windows-1252; a question mark stands for what it lacks. */
function codeOf(character: string): number {
  const code = character.charCodeAt(0);
  if (code < 0x7f || (code > 0x9f && code < 0x100)) return code;
  const index = highCharacters.indexOf(character);
  return index < 0 ? 0x3f : 0x80 + index;
}

const odd = /[^ -'*-[\]-~\u00A0-\u00FF]/u;

/** A text on a page, a character for each byte. */
function literal(text: string): string {
  // Most are plain numbers.
  if (!odd.test(text)) return `(${text})`;
  const escaped = text.replace(/[^ -'*-[\]-~\u00A0-\u00FF]/gu, (character) => {
    return /[\\()]/.test(character) ? `\\${character}` : String.fromCharCode(codeOf(character));
  });
  return `(${escaped})`;
}

/** A text outside the pages, in UTF-16. */
function unicode(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index).toString(16).padStart(4, '0'));
  return `<FEFF${units.join('').toUpperCase()}>`;
}

/** Width of a text in points. */
export function widthOf(text: string, { size, bold }: Style): number {
  const widths = bold ? fonts.bold : fonts.normal;
  let sum = 0;
  for (const character of text) sum += widths[codeOf(character) - 32] ?? 0;
  return (sum * size) / 1000;
}

/** Breaks a text into lines of at most `width` points; a longer word stands alone. */
export function wrap(text: string, width: number, style: Style): string[] {
  const lines: string[] = [];
  const blank = widthOf(' ', style);
  let line = '';
  let used = 0;
  for (const word of text.split(' ')) {
    const needed = widthOf(word, style);
    if (line !== '' && used + blank + needed > width) {
      lines.push(line);
      line = '';
    }
    used = line === '' ? needed : used + blank + needed;
    line = line === '' ? word : `${line} ${word}`;
  }
  return line === '' ? lines : [...lines, line];
}

/** What PDF calls the colours met so far. */
const shades = new WeakMap<Colour, string>();

function shade(colour: Colour): string {
  const known = shades.get(colour) ?? colour.map((part) => rounded(part / 255)).join(' ');
  shades.set(colour, known);
  return known;
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}

function roman(value: number): string {
  const digits = { x: 10, ix: 9, v: 5, iv: 4, i: 1 };
  let text = '';
  for (const [digit, worth] of Object.entries(digits)) {
    for (; value >= worth; value -= worth) text += digit;
  }
  return text;
}
