import { init } from '@embedpdf/pdfium';
import { type DrawingFunctions, drawnPage, type EngineMemory } from './pagePicture.ts';

export type PdfProblemKind = 'encrypted' | 'not-a-pdf' | 'damaged' | 'too-much-memory';

/** Why a PDF, or a page of it, can't be read. */
export class PdfProblem extends Error {
  readonly kind: PdfProblemKind;

  constructor(kind: PdfProblemKind) {
    super(`The PDF can’t be read: ${kind}.`);
    this.kind = kind;
  }
}

/** Left, bottom, right, top in PDF points. */
export type TextBox = [number, number, number, number];

/** A line of text on a page, and where it begins in the text that it is a part of. */
export interface PdfLine {
  readonly box: TextBox;
  readonly start: number;
}

export type PdfDocument = ReturnType<Pdfium['open']>;

/** The PDFium functions in use; numbers are addresses, sizes and indexes. Its own types need another package. */
interface Functions extends DrawingFunctions {
  readonly pdfium: {
    addFunction(f: (param: number, position: number, into: number, size: number) => number, types: string): number;
  };
  PDFiumExt_Init(): void;
  FPDF_LoadCustomDocument(access: number, password: string): number;
  FPDF_GetLastError(): number;
  FPDF_GetPageCount(document: number): number;
  FPDF_GetPageLabel(document: number, index: number, into: number, bytes: number): number;
  FPDF_LoadPage(document: number, index: number): number;
  FPDF_ClosePage(page: number): void;
  FPDF_CloseDocument(document: number): void;
  FPDFText_LoadPage(page: number): number;
  FPDFText_CountChars(text: number): number;
  FPDFText_GetText(text: number, from: number, count: number, into: number): number;
  FPDFText_GetCharIndexFromTextIndex(text: number, index: number): number;
  FPDFText_GetLooseCharBox(text: number, index: number, into: number): number;
  FPDFText_GetCharAngle(text: number, index: number): number;
  FPDFText_ClosePage(text: number): void;
}

/** What is used of WebAssembly, which the compiler knows only where it knows a browser. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => PdfiumCode;
  readonly Instance: new (code: PdfiumCode, imports: object) => { readonly exports: object };
};

/** PDFium's code, from which any number of engines start. */
export type PdfiumCode = object;

/** @param bytes the package's `pdfium.wasm` */
export function compilePdfium(bytes: Uint8Array): PdfiumCode {
  return new WebAssembly.Module(bytes);
}

/** What Emscripten asks of who makes the instance. */
interface Hooks {
  print(): void;
  printErr(): void;
  instantiateWasm(imports: Imports, done: (instance: { readonly exports: object }) => void): object;
}
type Imports = { env: Record<string, (size: number) => number> };

/** PDFium's error codes that tell more than that the PDF is damaged. */
const formatError = 3;
const passwordErrors: readonly number[] = [4, 5];

/** Labels are a few characters long; longer ones are cut, in UTF-16 units. */
const maxLabel = 100;
const maxLabelBytes = 65_536;

/** Acrobat, and PDFium with it, look for the beginning of a PDF in so many bytes. */
const headerReach = 1024;

/**
 * PDFium in its own memory. Whatever a PDF does to it stays inside: it sees no file, no network and no clock, and only
 * numbers and text come out, which are to be taken as the PDF's own words. One PDF at a time.
 */
export class Pdfium {
  readonly #functions: Functions;
  readonly #exports: EngineMemory;
  readonly #maxBytes: number;
  readonly #read: number;
  #source: Uint8Array | null = null;
  #refusedMemory = false;
  #broken = false;

  /** @param maxBytes limit of its memory; a PDF that wants more breaks it with the problem `too-much-memory` */
  static async start(code: PdfiumCode, maxBytes: number): Promise<Pdfium> {
    let exports: EngineMemory | undefined;
    let refused = () => {};
    const hooks: Hooks = {
      // It prints parts of the PDF.
      print() {},
      printErr() {},
      instantiateWasm(imports, done) {
        const { emscripten_resize_heap: grow } = imports.env;
        if (!grow) throw new Error('PDFium asks for memory in another way.');
        const growWithin = (size: number) => {
          if (size >>> 0 <= maxBytes) return grow(size);
          refused();
          return 0;
        };
        const env = { ...imports.env, emscripten_resize_heap: growWithin };
        const instance = new WebAssembly.Instance(code, { ...imports, env });
        exports = instance.exports as EngineMemory;
        done(instance);
        return instance.exports;
      },
    };
    const functions = (await (init as unknown as (hooks: Hooks) => Promise<unknown>)(hooks)) as Functions;
    if (!exports) throw new Error('PDFium did not start.');
    const started = new Pdfium(functions, exports, maxBytes);
    refused = () => {
      started.#refusedMemory = true;
    };
    functions.PDFiumExt_Init();
    return started;
  }

  private constructor(functions: Functions, exports: EngineMemory, maxBytes: number) {
    this.#functions = functions;
    this.#exports = exports;
    this.#maxBytes = maxBytes;
    // `unsigned long` has 32 bits here, and comes as a signed number.
    this.#read = functions.pdfium.addFunction((_param, position, into, size) => {
      const part = this.#source?.subarray(position >>> 0, (position >>> 0) + (size >>> 0));
      if (part?.length !== size >>> 0) return 0;
      this.#bytes(into, part.length).set(part);
      return 1;
    }, 'iiiii');
  }

  /** True once a PDF has broken it: no PDF that it had open can be read any further. */
  get isBroken(): boolean {
    return this.#broken;
  }

  /** True once a PDF has broken it or made it large: it is to be replaced by a new one. */
  get isSpent(): boolean {
    return this.#broken || this.#exports.memory.buffer.byteLength > this.#maxBytes / 4;
  }

  /** @throws PdfProblem when it is no PDF, a damaged one, or asks for a password */
  open(source: Uint8Array) {
    this.#source = source;
    const { malloc, free } = this.#exports;
    const access = malloc(12);
    new DataView(this.#exports.memory.buffer).setUint32(access, source.length, true);
    new DataView(this.#exports.memory.buffer).setUint32(access + 4, this.#read, true);
    new DataView(this.#exports.memory.buffer).setUint32(access + 8, 0, true);
    const document = this.#safely(() => this.#functions.FPDF_LoadCustomDocument(access, ''));
    if (document === 0) {
      free(access);
      throw new PdfProblem(this.#problemOf(source));
    }
    return {
      pageCount: Math.max(
        0,
        this.#safely(() => this.#functions.FPDF_GetPageCount(document)),
      ),
      /**
       * Text of a page, counted from 0, at most `maxLength` UTF-16 units, and its printed label, if the PDF names one.
       * Asking for labels may break the engine, too; the text is given even so.
       * @throws PdfProblem when it can't be read
       */
      page: (index: number, maxLength: number, withLabel: boolean) => {
        const text = this.#safely(() => this.#onPage(document, index, (page) => this.#textOf(page, maxLength)));
        return { ...text, label: withLabel ? this.#labelOf(document, index) : '' };
      },
      /**
       * Where a part of a page's text lies, a line each, in points from the lower left of the page.
       * @param find the part's first character in the text and the one behind its last, in UTF-16 units; null for none
       * @throws PdfProblem when the page can't be read
       */
      lines: (index: number, maxLength: number, find: (text: string) => readonly [number, number] | null) =>
        this.#safely(() =>
          this.#onPage(document, index, (page) => {
            const { text } = this.#textOf(page, maxLength);
            const found = find(text);
            return found ? this.#linesOf(page, text, found) : [];
          }),
        ),
      /**
       * Text of a page, at most `maxLength` UTF-16 units, and for each unit the box of its character; null for none.
       * @throws PdfProblem when the page can't be read
       */
      boxedText: (index: number, maxLength: number) => {
        const boxed = this.#safely(() =>
          this.#onPage(document, index, (page) => {
            const { text } = this.#textOf(page, maxLength);
            return { text, boxes: this.#boxesOf(page, text) };
          }),
        );
        return { ...boxed, label: this.#labelOf(document, index) };
      },
      /**
       * A picture of as much of a page as fits, with boxes on it marked, and in its middle, or the first at its top.
       * @throws PdfProblem when the page can't be drawn
       */
      picture: (index: number, marked: readonly TextBox[]) =>
        this.#safely(() => {
          const page = this.#functions.FPDF_LoadPage(document, index);
          if (page === 0) throw new PdfProblem('damaged');
          const pixels = drawnPage(this.#functions, this.#exports, page, marked);
          this.#functions.FPDF_ClosePage(page);
          if (!pixels) throw new PdfProblem('damaged');
          return pixels;
        }),
      /** Frees what it holds; not after the engine has broken. */
      close: () => {
        if (this.#broken) return;
        this.#safely(() => this.#functions.FPDF_CloseDocument(document));
        free(access);
        this.#source = null;
      },
    };
  }

  #problemOf(source: Uint8Array): PdfProblemKind {
    const error = this.#functions.FPDF_GetLastError();
    if (passwordErrors.includes(error)) return 'encrypted';
    const head = Buffer.from(source.subarray(0, headerReach));
    return error === formatError && !head.includes('%PDF-') ? 'not-a-pdf' : 'damaged';
  }

  #onPage<T>(document: number, index: number, work: (text: number) => T): T {
    const { FPDF_LoadPage, FPDF_ClosePage, FPDFText_LoadPage, FPDFText_ClosePage } = this.#functions;
    const page = FPDF_LoadPage(document, index);
    if (page === 0) throw new PdfProblem('damaged');
    const text = FPDFText_LoadPage(page);
    if (text === 0) {
      FPDF_ClosePage(page);
      throw new PdfProblem('damaged');
    }
    const done = work(text);
    FPDFText_ClosePage(text);
    FPDF_ClosePage(page);
    return done;
  }

  /** The boxes of characters that follow one another on a line, joined. */
  #linesOf(page: number, text: string, [start, end]: readonly [number, number]): PdfLine[] {
    const { FPDFText_GetCharIndexFromTextIndex, FPDFText_GetLooseCharBox, FPDFText_GetCharAngle } = this.#functions;
    const into = this.#exports.malloc(16);
    if (into === 0) throw new PdfProblem('too-much-memory');
    const lines: { box: TextBox; readonly isVertical: boolean; readonly start: number }[] = [];
    // PDFium counts characters, which may be two units each.
    let at = [...text.slice(0, start)].length;
    let next = start;
    for (const character of text.slice(start, end)) {
      const index = FPDFText_GetCharIndexFromTextIndex(page, at);
      const unit = next;
      at += 1;
      next += character.length;
      if (index < 0 || character.trim() === '' || !FPDFText_GetLooseCharBox(page, index, into)) continue;
      const view = new DataView(this.#exports.memory.buffer, into >>> 0, 16);
      const [left, top, right, bottom] = [0, 4, 8, 12].map((offset) => view.getFloat32(offset, true));
      const box: TextBox = [left ?? 0, bottom ?? 0, right ?? 0, top ?? 0];
      if (!box.every(Number.isFinite) || box[2] <= box[0] || box[3] <= box[1]) continue;
      const isVertical = Math.abs(Math.sin(FPDFText_GetCharAngle(page, index))) > Math.SQRT1_2;
      const line = lines.at(-1);
      if (line?.isVertical === isVertical && isSameLine(line.box, box, isVertical)) line.box = around(line.box, box);
      else lines.push({ box, isVertical, start: unit });
    }
    this.#exports.free(into);
    return lines;
  }

  #boxesOf(page: number, text: string): (TextBox | null)[] {
    const { FPDFText_GetCharIndexFromTextIndex, FPDFText_GetLooseCharBox } = this.#functions;
    const into = this.#exports.malloc(16);
    if (into === 0) throw new PdfProblem('too-much-memory');
    const boxes: (TextBox | null)[] = [];
    for (const [at, character] of Array.from(text).entries()) {
      const index = FPDFText_GetCharIndexFromTextIndex(page, at);
      const isPrinted = index >= 0 && character.trim() !== '' && FPDFText_GetLooseCharBox(page, index, into) !== 0;
      const view = new DataView(this.#exports.memory.buffer, into >>> 0, 16);
      const [left, right, bottom, top] = [0, 8, 12, 4].map((offset) => view.getFloat32(offset, true));
      const box: TextBox | null = isPrinted ? [left ?? 0, bottom ?? 0, right ?? 0, top ?? 0] : null;
      for (let unit = 0; unit < character.length; unit += 1) boxes.push(box?.every(Number.isFinite) ? box : null);
    }
    this.#exports.free(into);
    return boxes;
  }

  /** In the order of reading; not whole when the page has more. */
  #textOf(text: number, maxLength: number) {
    const count = this.#functions.FPDFText_CountChars(text);
    const wanted = Math.min(Math.max(0, count), maxLength);
    // Characters beyond the first plane are two units each.
    const room = 2 * wanted + 1;
    const units = this.#utf16(2 * room, (into) => 2 * this.#functions.FPDFText_GetText(text, 0, wanted, into));
    return { text: units, whole: count <= maxLength };
  }

  #labelOf(document: number, index: number): string {
    const { FPDF_GetPageLabel } = this.#functions;
    try {
      // Nothing is written into less room than the whole takes.
      const bytes = this.#safely(() => FPDF_GetPageLabel(document, index, 0, 0)) >>> 0;
      if (bytes <= 2 || bytes > maxLabelBytes) return '';
      return this.#safely(() => this.#utf16(bytes, (into) => FPDF_GetPageLabel(document, index, into, bytes))).slice(
        0,
        maxLabel,
      );
    } catch (error) {
      // A page without its label is a page all the same.
      if (error instanceof PdfProblem) return '';
      throw error;
    }
  }

  /** What `write` writes, which tells how many bytes those were, with the zero at the end. */
  #utf16(bytes: number, write: (into: number) => number): string {
    const into = this.#exports.malloc(bytes);
    if (into === 0) throw new PdfProblem('too-much-memory');
    const written = Math.min(write(into), bytes);
    const text = Buffer.from(this.#bytes(into, Math.max(0, written - 2))).toString('utf16le');
    this.#exports.free(into);
    return text;
  }

  #bytes(address: number, length: number): Uint8Array {
    return new Uint8Array(this.#exports.memory.buffer, address >>> 0, length);
  }

  /** Whatever breaks off in the middle of PDFium leaves it unusable. */
  #safely<T>(work: () => T): T {
    if (this.#broken) throw new PdfProblem('damaged');
    try {
      return work();
    } catch (error) {
      if (error instanceof PdfProblem) throw error;
      this.#broken = true;
      throw new PdfProblem(this.#refusedMemory ? 'too-much-memory' : 'damaged');
    }
  }
}

/** Characters follow one another on a line: next to each other, and as high. */
function isSameLine(one: TextBox, two: TextBox, isVertical: boolean): boolean {
  const [along, across] = isVertical ? ([1, 0] as const) : ([0, 1] as const);
  const [oneEnd, twoEnd] = [one.slice(2), two.slice(2)] as [[number, number], [number, number]];
  const height = Math.min(oneEnd[across] - one[across], twoEnd[across] - two[across]);
  const shared = Math.min(oneEnd[across], twoEnd[across]) - Math.max(one[across], two[across]);
  const gap = Math.max(two[along] - oneEnd[along], one[along] - twoEnd[along]);
  return shared > height / 2 && gap < height * 1.5;
}

function around(one: TextBox, two: TextBox): TextBox {
  return [Math.min(one[0], two[0]), Math.min(one[1], two[1]), Math.max(one[2], two[2]), Math.max(one[3], two[3])];
}
