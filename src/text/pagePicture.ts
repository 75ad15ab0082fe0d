import { crc32, deflateSync } from 'node:zlib';
import type { Box } from '../base/placedText.ts';

/** A part of a page, from the upper left: a byte each, the gray from 0 to 15, and 16 more where something is marked. */
export interface PagePixels {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

/** Widest and highest picture, in pixels: as a PNG it has at most about half a byte for each. */
const [pictureWidth, pictureHeight] = [600, 216];
export const maxPictureBytes = 72_000;

/** What is used of PDFium to draw a page; numbers are addresses and sizes. */
export interface DrawingFunctions {
  FPDF_GetPageWidthF(page: number): number;
  FPDF_GetPageHeightF(page: number): number;
  /** Where a point of the page is on a device that shows it from (x, y) on, so wide and so high. */
  FPDF_PageToDevice(...[page, x, y, width, height, turns, pageX, pageY, intoX, intoY]: readonly number[]): boolean;
  FPDFBitmap_CreateEx(width: number, height: number, format: number, buffer: number, stride: number): number;
  FPDFBitmap_FillRect(bitmap: number, x: number, y: number, width: number, height: number, color: number): void;
  FPDFBitmap_GetBuffer(bitmap: number): number;
  FPDFBitmap_GetStride(bitmap: number): number;
  FPDFBitmap_Destroy(bitmap: number): void;
  FPDF_RenderPageBitmap(...[bitmap, page, x, y, width, height, turns, flags]: readonly number[]): void;
}

/** PDFium's memory. */
export interface EngineMemory {
  readonly memory: { readonly buffer: ArrayBuffer };
  malloc(bytes: number): number;
  free(address: number): void;
}

/** In pixels. */
type PixelBox = readonly [left: number, top: number, right: number, bottom: number];

/** PDFium's numbers for four bytes a pixel, and for drawing annotations, too. */
const [bgrx, withAnnotations] = [3, 1];

/** Draws what fits of an open page, with the boxes in the middle, or the first at the top. Null where it can't. */
export function drawnPage(
  pdfium: DrawingFunctions,
  exports: EngineMemory,
  page: number,
  marked: readonly Box[],
): PagePixels | null {
  const width = pictureWidth;
  const ratio = pdfium.FPDF_GetPageHeightF(page) / pdfium.FPDF_GetPageWidthF(page);
  if (!(ratio > 0 && ratio < 50)) return null;
  const whole = Math.ceil(width * ratio);
  const height = Math.min(whole, pictureHeight);
  const boxes = onDevice(pdfium, exports, { page, width, height: whole }, marked);
  const [top, bottom] = [Math.min(...boxes.map((box) => box[1])), Math.max(...boxes.map((box) => box[3]))];
  const middle = Math.min((top + bottom) / 2, top + height * 0.4);
  const begin = boxes.length > 0 ? Math.round(Math.max(0, Math.min(middle - height / 2, whole - height))) : 0;
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, bgrx, 0, 0);
  if (bitmap === 0) return null;
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, -1);
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, -begin, width, whole, 0, withAnnotations);
  const stride = pdfium.FPDFBitmap_GetStride(bitmap);
  const drawn = new Uint8Array(exports.memory.buffer, pdfium.FPDFBitmap_GetBuffer(bitmap) >>> 0, stride * height);
  const pixels = new Uint8Array(width * height);
  for (let at = 0; at < pixels.length; at += 1) {
    const [x, y] = [at % width, Math.floor(at / width)];
    const from = y * stride + 4 * x;
    const [blue = 0, green = 0, red = 0] = [drawn[from], drawn[from + 1], drawn[from + 2]];
    const isMarked = boxes.some((box) => x >= box[0] && x <= box[2] && y + begin >= box[1] && y + begin <= box[3]);
    pixels[at] = ((3 * red + 6 * green + blue) / 160) | (isMarked ? 16 : 0);
  }
  pdfium.FPDFBitmap_Destroy(bitmap);
  return { width, height, pixels };
}

/** Boxes of a page in pixels from the upper left, where the whole page is so wide and high. */
function onDevice(
  pdfium: DrawingFunctions,
  { memory, malloc, free }: EngineMemory,
  { page, width, height }: { readonly page: number; readonly width: number; readonly height: number },
  boxes: readonly Box[],
): PixelBox[] {
  const into = malloc(8);
  if (into === 0) return [];
  const point = (x: number, y: number) => {
    pdfium.FPDF_PageToDevice(page, 0, 0, width, height, 0, x, y, into, into + 4);
    const view = new DataView(memory.buffer, into >>> 0, 8);
    return [view.getInt32(0, true), view.getInt32(4, true)] as const;
  };
  const found = boxes.map(([left, bottom, right, top]): PixelBox => {
    const [[x0, y0], [x1, y1]] = [point(left, bottom), point(right, top)];
    return [Math.min(x0, x1), Math.min(y0, y1), Math.max(x0, x1), Math.max(y0, y1)];
  });
  free(into);
  return found;
}

/** Greys, then the same as marked with a yellow pen. */
const palette = Buffer.from(
  [[1, 1, 1] as const, [1, 0.9, 0.4] as const].flatMap((pen) =>
    Array.from({ length: 16 }, (_, level) => pen.map((share) => Math.round(level * 17 * share))).flat(),
  ),
);

export function pngOf({ width, height, pixels }: PagePixels): Uint8Array<ArrayBuffer> {
  const head = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 3, 0, 0, 0]);
  head.writeUInt32BE(width, 0);
  head.writeUInt32BE(height, 4);
  // Each row begins with how it is filtered: not at all.
  const rows = Buffer.alloc((width + 1) * height);
  for (let row = 0; row < height; row += 1)
    rows.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  const parts = [chunk('IHDR', head), chunk('PLTE', palette), chunk('IDAT', deflateSync(rows, { level: 9 }))];
  return new Uint8Array(
    Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), ...parts, chunk('IEND', Buffer.alloc(0))]),
  );
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), data]);
  const frame = Buffer.alloc(body.length + 8);
  frame.writeUInt32BE(data.length, 0);
  body.copy(frame, 4);
  frame.writeUInt32BE(crc32(body), body.length + 4);
  return frame;
}
