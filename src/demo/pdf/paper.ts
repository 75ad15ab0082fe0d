import fonts from '../data/fonts.json' with { type: 'json' };

export interface Style {
  /** Points. */
  readonly size: number;
  readonly bold?: boolean;
  /** Red, green and blue, 0 to 1 each, as PDF writes them. */
  readonly color?: string;
}

interface PaperOptions {
  readonly title: string;
  readonly author: string;
  readonly language: string;
  readonly created: string;
  /** Tells the file apart from others. */
  readonly fileId: number;
  /** The first pages, labeled i, ii, iii. The pages after them are labeled from 1. */
  readonly frontPages?: number;
  /** Pages are images of black dots without any text, as an old scanner saved them. Only ASCII is shown. */
  readonly isScan?: boolean;
}

interface DrawnPage {
  content: string;
  /** A black and white image over the whole page, one bit a pixel; 1 is white. */
  readonly scan: Uint8Array | null;
}

export const pageWidth = 595;
export const pageHeight = 842;
/** Pixels of a scan; each row is a whole number of bytes. */
const scanWidth = 744;
const scanHeight = 1053;
/** Pixels of a scan for each point of its page. */
const scale = 1.25;
/** Glyphs of the printable ASCII characters, five columns of dots each. */
const glyphs = fonts.dots.map((dots) => Buffer.from(dots, 'hex'));

/** A PDF of A4 pages in the standard fonts. The same calls write the same bytes on every computer. */
export class Paper {
  readonly #options: PaperOptions;
  readonly #pages: DrawnPage[] = [];
  readonly #bookmarks: { readonly title: string; readonly page: number }[] = [];
  #page: DrawnPage = { content: '', scan: null };

  constructor(options: PaperOptions) {
    this.#options = options;
  }

  get pages(): number {
    return this.#pages.length;
  }

  addPage(): void {
    const scan = this.#options.isScan ? new Uint8Array((scanWidth * scanHeight) / 8).fill(0xff) : null;
    this.#page = { content: scan ? `q ${pageWidth} 0 0 ${pageHeight} 0 0 cm /Im Do Q\n` : '', scan };
    this.#pages.push(this.#page);
  }

  /** Continues to draw on a page, counted from 1. */
  turnTo(page: number): void {
    this.#page = this.#pages[page - 1] as DrawnPage;
  }

  bookmark(title: string, page: number): void {
    this.#bookmarks.push({ title, page });
  }

  /** What is printed on a page, counted from 1, and what viewers call it. */
  label(page: number): string {
    const { frontPages = 0 } = this.#options;
    return page <= frontPages ? 'i'.repeat(page) : String(page - frontPages);
  }

  /** Writes a line with its baseline at `y`. */
  text(text: string, x: number, y: number, style: Style): void {
    if (this.#page.scan) {
      this.#dotText(text, x, y, style);
      return;
    }
    const font = `/F${style.bold ? 2 : 1} ${style.size} Tf ${style.color ?? '0.13 0.15 0.16'} rg`;
    this.#page.content += `BT ${font} ${rounded(x)} ${rounded(pageHeight - y)} Td (${literal(text)}) Tj ET\n`;
  }

  /** Writes a line that ends at `right`. */
  textEnding(text: string, right: number, y: number, style: Style): void {
    this.text(text, right - widthOf(text, style), y, style);
  }

  fill(x: number, y: number, width: number, height: number, color: string): void {
    if (!this.#page.scan) {
      const area = [x, pageHeight - y - height, width, height].map(rounded).join(' ');
      this.#page.content += `${color} rg ${area} re f\n`;
    } else if (height <= 2) {
      // Thin areas are lines; an old scanner shows no others.
      for (let dot = 0; dot < width * scale; dot++) this.#dot(Math.round(x * scale) + dot, Math.round(y * scale));
    }
  }

  #dotText(text: string, x: number, y: number, style: Style): void {
    const step = (widthOf(text, style) * scale) / text.length;
    for (let at = 0; at < text.length; at++) {
      const left = Math.round(x * scale + at * step);
      glyphs[text.charCodeAt(at) - 32]?.forEach((dots, across) => {
        for (let down = 0; down < 8; down++)
          if (dots & (1 << down)) this.#dot(left + across, Math.round(y * scale) - 8 + down);
      });
    }
  }

  #dot(x: number, y: number): void {
    const { scan } = this.#page;
    const at = (y * scanWidth + x) >> 3;
    if (scan && x < scanWidth) scan[at] = (scan[at] ?? 0xff) & ~(0x80 >> (x & 7));
  }

  bytes(): Uint8Array<ArrayBuffer> {
    const { title, author, language, created, fileId, frontPages = 0 } = this.#options;
    const pages = this.#pages;
    const bookmarks = this.#bookmarks;
    const scans = pages.flatMap(({ scan }) => scan ?? []);
    const firstPage = 7;
    const firstContent = firstPage + pages.length;
    const firstScan = firstContent + pages.length;
    const firstBookmark = firstScan + scans.length;
    const stamp = `D:${created.replaceAll('-', '')}120000Z`;
    const front = frontPages > 0 ? '0 << /S /r >> ' : '';
    const kids = pages.map((_, at) => `${firstPage + at} 0 R`).join(' ');
    const lastBookmark = firstBookmark + bookmarks.length - 1;
    const ends = bookmarks.length > 0 ? `/First ${firstBookmark} 0 R /Last ${lastBookmark} 0 R` : '';
    const scanEntries = `/Type /XObject /Subtype /Image /Width ${scanWidth} /Height ${scanHeight} /BitsPerComponent 1 /ColorSpace /DeviceGray`;
    const objects = [
      `<< /Type /Catalog /Pages 2 0 R /Outlines 6 0 R /PageMode /UseOutlines /Lang (${language}) /PageLabels << /Nums [${front}${frontPages} << /S /D >>] >> >>`,
      `<< /Type /Pages /Count ${pages.length} /MediaBox [0 0 ${pageWidth} ${pageHeight}] /Kids [${kids}] >>`,
      `<< /Title ${unicode(title)} /Author ${unicode(author)} /CreationDate (${stamp}) /ModDate (${stamp}) >>`,
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>',
      '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica-Bold /Encoding /WinAnsiEncoding >>',
      `<< /Type /Outlines /Count ${bookmarks.length} ${ends} >>`,
      ...pages.map(({ scan }, at) => {
        const picture = scan ? `/XObject << /Im ${firstScan + at} 0 R >>` : '';
        return `<< /Type /Page /Parent 2 0 R /Contents ${firstContent + at} 0 R /Resources << /Font << /F1 4 0 R /F2 5 0 R >> ${picture} >> >>`;
      }),
      ...pages.map(({ content }) => stream('', content)),
      ...scans.map((bits) => stream(scanEntries, Buffer.from(bits).toString('latin1'))),
      ...bookmarks.map(({ title: text, page }, at) => {
        const before = at > 0 ? `/Prev ${firstBookmark + at - 1} 0 R` : '';
        const next = firstBookmark + at < lastBookmark ? `/Next ${firstBookmark + at + 1} 0 R` : '';
        const target = `[${firstPage + page - 1} 0 R /XYZ 0 ${pageHeight} null]`;
        return `<< /Title ${unicode(text)} /Parent 6 0 R /Dest ${target} ${before} ${next} >>`;
      }),
    ];
    let body = '%PDF-1.7\n%\u00E2\u00E3\u00CF\u00D3\n';
    let table = `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n`;
    objects.forEach((object, index) => {
      table += `${String(body.length).padStart(10, '0')} 00000 n \n`;
      body += `${index + 1} 0 obj\n${object}\nendobj\n`;
    });
    const id = `<${fileId.toString(16).padStart(32, '0')}>`;
    const trailer = `<< /Size ${objects.length + 1} /Root 1 0 R /Info 3 0 R /ID [${id} ${id}] >>`;
    const text = `${body}${table}trailer\n${trailer}\nstartxref\n${body.length}\n%%EOF\n`;
    return new Uint8Array(Buffer.from(text, 'latin1'));
  }
}

function stream(entries: string, data: string): string {
  return `<< /Length ${data.length} ${entries} >>\nstream\n${data}\nendstream`;
}

/** The characters of the standard fonts with their codes, which are those of Windows-1252. */
const codes = new Map(
  Array.from(
    new TextDecoder('windows-1252').decode(Uint8Array.from({ length: 224 }, (_, at) => at + 32)),
    (character, at) => [character, at + 32] as const,
  ),
);

/** True when the standard fonts have every character. */
export function isShown(text: string): boolean {
  return Array.from(text).every((character) => codes.has(character));
}

/** A text on a page, a character for each byte; a question mark stands for what the fonts lack. */
function literal(text: string): string {
  return text.replace(/[^ -'*-[\]-~]/gu, (character) =>
    /[\\()]/.test(character) ? `\\${character}` : String.fromCharCode(codes.get(character) ?? 0x3f),
  );
}

/** A text outside the pages, in UTF-16. */
function unicode(text: string): string {
  return `<FEFF${Buffer.from(text, 'utf16le').swap16().toString('hex').toUpperCase()}>`;
}

export function widthOf(text: string, { size, bold }: Style): number {
  const widths = bold ? fonts.bold : fonts.normal;
  let sum = 0;
  for (const character of text) sum += widths[(codes.get(character) ?? 0x3f) - 32] ?? 0;
  return (sum * size) / 1000;
}

/** Breaks a text into lines of at most `width` points; a longer word stands alone. */
export function wrap(text: string, width: number, style: Style): string[] {
  const lines: string[] = [];
  let room = 0;
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    room -= widthOf(` ${word}`, style);
    if (last !== undefined && room >= 0) lines[lines.length - 1] = `${last} ${word}`;
    else {
      lines.push(word);
      room = width - widthOf(word, style);
    }
  }
  return lines.filter((line) => line !== '');
}

function rounded(value: number): number {
  return Math.round(value * 100) / 100;
}
