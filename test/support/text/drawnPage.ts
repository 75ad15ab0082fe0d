import { assembled, stream } from './smallPdf.ts';

interface DrawnPage {
  /** Entries of the page, as `/Rotate 90`. */
  readonly page?: string;
  readonly mediaBox?: string;
  /** Entries of the font `F`; Helvetica without them. `H` is always Helvetica. */
  readonly font?: string;
  /** Objects from number 6 on. */
  readonly objects?: readonly string[];
  /** Entries of the catalog. */
  readonly catalog?: string;
}

const winAnsi = '/Encoding /WinAnsiEncoding';

/** A PDF of one page, drawn by operators of the PDF language. */
export function drawnPage(content: string, options: DrawnPage = {}): Uint8Array<ArrayBuffer> {
  const { page = '', mediaBox = '0 0 595 842', objects = [], catalog = '' } = options;
  const font = options.font ?? `/Subtype /Type1 /BaseFont /Helvetica ${winAnsi}`;
  const fonts = `<< /F << /Type /Font ${font} >> /H << /Type /Font /Subtype /Type1 /BaseFont /Helvetica ${winAnsi} >> >>`;
  return assembled([
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Count 1 /Kids [3 0 R] >>',
    `<< /Type /Page /Parent 2 0 R /MediaBox [${mediaBox}] ${page} /Contents 4 0 R /Resources << /Font ${fonts} >> >>`,
    stream(content),
    'null',
    ...objects,
  ]);
}

/** Draws words from a point on, in Helvetica of a size. */
export const words = (text: string, x: number, y: number, size = 12, more = '') =>
  `BT /F ${size} Tf ${more} ${x} ${y} Td (${text}) Tj ET`;

/** Draws lines in a direction: the first four numbers of a text matrix. */
export const turnedLines = (lines: readonly string[], direction: string, x: number, y: number, size = 12) =>
  `BT /F ${size} Tf ${direction} ${x} ${y} Tm ${size * 1.2} TL ${lines.map((line) => `(${line}) Tj T*`).join(' ')} ET`;
