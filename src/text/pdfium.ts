import { init } from '@embedpdf/pdfium';
import type { Box } from '../base/placedText.ts';
import { type AnnotationFunctions, annotationsOf, attachmentsOf } from './annotations.ts';
import { addedBlank, addedBreak, asPrinted, lineEndHyphen, type PageCharacter, partBreak } from './pageCharacter.ts';
import { type DrawingFunctions, drawnPage, type EngineMemory } from './pagePicture.ts';
import { PdfObjects } from './pdfObjects.ts';

export type PdfProblemKind = 'encrypted' | 'not-a-pdf' | 'damaged' | 'too-much-memory';

/** Why a PDF, or a page of it, can't be read. */
export class PdfProblem extends Error {
  readonly kind: PdfProblemKind;

  constructor(kind: PdfProblemKind) {
    super(`The PDF can’t be read: ${kind}.`);
    this.kind = kind;
  }
}

type EngineExports = EngineMemory & CharacterFunctions;

export type PdfDocument = ReturnType<Pdfium['open']>;

/** The PDFium functions in use; numbers are addresses, sizes and indexes. Its own types need another package. */
interface Functions extends DrawingFunctions, AnnotationFunctions {
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
  FPDFText_ClosePage(text: number): void;
  FPDFTextObj_GetFont(object: number): number;
  FPDFFont_GetBaseFontName(font: number, into: number, bytes: number): number;
  FPDF_GetPageBoundingBox(page: number, into: number): boolean;
  FPDFPage_GetRotation(page: number): number;
  FPDFPage_CountObjects(page: number): number;
  FPDFPage_GetObject(page: number, index: number): number;
  FPDFPageObj_GetType(object: number): number;
  FPDFFormObj_CountObjects(form: number): number;
  FPDFFormObj_GetObject(form: number, index: number): number;
}

/** Called for each character, past the package's wrappers, which take as long as PDFium itself. */
interface CharacterFunctions {
  FPDFText_GetUnicode(text: number, index: number): number;
  FPDFText_IsGenerated(text: number, index: number): number;
  FPDFText_IsHyphen(text: number, index: number): number;
  FPDFText_HasUnicodeMapError(text: number, index: number): number;
  FPDFText_GetLooseCharBox(text: number, index: number, into: number): number;
  FPDFText_GetCharOrigin(text: number, index: number, x: number, y: number): number;
  FPDFText_GetCharAngle(text: number, index: number): number;
  FPDFText_GetTextObject(text: number, index: number): number;
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

/** Longer labels are cut, in UTF-16 units; and pages among which the first label is looked for. */
const [maxLabel, maxLabels] = [100, 2000];
/** Longer labels, values and names are left out, and names of fonts cut. */
const [maxTextBytes, maxFontName] = [65_536, 1000];

/** Of objects on a page: a form, and how deep forms are followed. */
const [formObject, maxDepth] = [5, 16];

/** Acrobat, and PDFium with it, look for the beginning of a PDF in so many bytes. */
const headerReach = 1024;

/**
 * PDFium in its own memory. Whatever a PDF does to it stays inside: it sees no file, no network and no clock, and only
 * numbers and text come out, which are to be taken as the PDF's own words. One PDF at a time.
 */
export class Pdfium {
  readonly #functions: Functions;
  readonly #exports: EngineExports;
  readonly #maxBytes: number;
  readonly #read: number;
  #source: Uint8Array | null = null;
  /** Objects of the open PDF, read when first needed. */
  #objects: PdfObjects | null = null;
  #pagesBeforeLabels: number | null = null;
  #refusedMemory = false;
  #broken = false;

  /** @param maxBytes limit of its memory; a PDF that wants more breaks it with the problem `too-much-memory` */
  static async start(code: PdfiumCode, maxBytes: number): Promise<Pdfium> {
    let exports: EngineExports | undefined;
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
        exports = instance.exports as EngineExports;
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

  private constructor(functions: Functions, exports: EngineExports, maxBytes: number) {
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
    [this.#source, this.#objects, this.#pagesBeforeLabels] = [source, null, null];
    const { malloc, free } = this.#exports;
    const access = malloc(12);
    new Uint32Array(this.#exports.memory.buffer, access >>> 0, 3).set([source.length, this.#read, 0]);
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
       * The characters of a page, counted from 0, at most so many; what annotations write on it; names of files that
       * are attached to it; and its printed label, if the PDF names one.
       * Asking for labels may break the engine, too; the characters are given even so.
       * @throws PdfProblem when it can't be read
       */
      page: (index: number, maxCharacters: number, withLabel: boolean) => {
        const read = this.#safely(() =>
          this.#onPage(document, index, (page, text) => ({
            ...this.#charactersOf(page, text, maxCharacters),
            ...annotationsOf(this.#functions, this.#memory, document, page),
          })),
        );
        return { ...read, label: withLabel ? this.#labelOf(document, index) : '' };
      },
      /** Names of files that are attached to the document. */
      attachments: () => this.#safely(() => attachmentsOf(this.#functions, this.#memory, document)),
      /**
       * A picture of as much of a page as fits, with boxes on it marked, and in its middle, or the first at its top.
       * @throws PdfProblem when the page can't be drawn
       */
      picture: (index: number, marked: readonly Box[]) =>
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
        [this.#source, this.#objects] = [null, null];
      },
    };
  }

  #problemOf(source: Uint8Array): PdfProblemKind {
    const error = this.#functions.FPDF_GetLastError();
    if (passwordErrors.includes(error)) return 'encrypted';
    const head = Buffer.from(source.subarray(0, headerReach));
    return error === formatError && !head.includes('%PDF-') ? 'not-a-pdf' : 'damaged';
  }

  #onPage<T>(document: number, index: number, work: (page: number, text: number) => T): T {
    const { FPDF_LoadPage, FPDF_ClosePage, FPDFText_LoadPage, FPDFText_ClosePage } = this.#functions;
    const page = FPDF_LoadPage(document, index);
    if (page === 0) throw new PdfProblem('damaged');
    const text = FPDFText_LoadPage(page);
    if (text === 0) {
      FPDF_ClosePage(page);
      throw new PdfProblem('damaged');
    }
    const done = work(page, text);
    FPDFText_ClosePage(text);
    FPDF_ClosePage(page);
    return done;
  }

  /** In PDFium's order, or on a turned page in the order of printing; not whole when the page has more. */
  #charactersOf(page: number, text: number, maxCharacters: number) {
    const functions = this.#exports;
    const shown = this.#memory.four((into) => this.#functions.FPDF_GetPageBoundingBox(page, into)) ?? [0, 0, 0, 0];
    const isCropped = shown[2] > shown[0] && shown[1] > shown[3];
    const count = Math.max(0, this.#functions.FPDFText_CountChars(text));
    const into = functions.malloc(32);
    if (into === 0) throw new PdfProblem('too-much-memory');
    let view = new DataView(functions.memory.buffer, into >>> 0, 32);
    const characters: PageCharacter[] = [];
    let isTurned = this.#functions.FPDFPage_GetRotation(page) !== 0;
    for (let index = 0; index < Math.min(count, maxCharacters); index += 1) {
      const code = functions.FPDFText_GetUnicode(text, index) >>> 0;
      if (code <= 0x20 && functions.FPDFText_IsGenerated(text, index) === 1) {
        characters.push(code === 0x20 ? addedBlank : addedBreak);
        continue;
      }
      functions.FPDFText_GetLooseCharBox(text, index, into);
      functions.FPDFText_GetCharOrigin(text, index, into + 16, into + 24);
      // A buffer is empty once its memory has grown.
      if (view.buffer.byteLength === 0) view = new DataView(functions.memory.buffer, into >>> 0, 32);
      const left = view.getFloat32(0, true);
      const bottom = view.getFloat32(12, true);
      const top = view.getFloat32(4, true);
      const right = view.getFloat32(8, true);
      const isBeside = right < shown[0] || bottom > shown[1] || left > shown[2] || top < shown[3];
      if (isCropped && isBeside) {
        // What is beside the page isn't shown.
        characters.push(partBreak);
        continue;
      }
      const x = view.getFloat64(16, true);
      const y = view.getFloat64(24, true);
      // A glyph that runs to the right begins at its left. PDFium counts clockwise.
      const isPlain = Math.abs(x - left) < 0.001 && y > bottom && y < top;
      const angle = isPlain ? 0 : -functions.FPDFText_GetCharAngle(text, index);
      isTurned ||= angle !== 0 && (Math.abs(Math.sin(angle)) > 0.1 || Math.cos(angle) < 0);
      const object = functions.FPDFText_GetTextObject(text, index);
      const isUnknown = functions.FPDFText_HasUnicodeMapError(text, index) === 1;
      const box: Box = [left, bottom, right, top];
      const own = code === 2 && functions.FPDFText_IsHyphen(text, index) === 1 ? lineEndHyphen : code;
      const character = { code: own, box, x, y, angle, isGenerated: false, isUnknown, object };
      const known = isUnknown ? this.#textOf(object, code) : undefined;
      if (known === undefined) characters.push(character);
      else for (const one of known) characters.push({ ...character, code: one.codePointAt(0) ?? 0, isUnknown: false });
    }
    functions.free(into);
    return { characters: isTurned ? this.#asPrinted(page, characters) : characters, whole: count <= maxCharacters };
  }

  /** What a code of a font means of which PDFium doesn't know it; undefined where nothing says so. */
  #textOf(object: number, code: number): string | undefined {
    const { FPDFTextObj_GetFont, FPDFFont_GetBaseFontName } = this.#functions;
    const font = FPDFTextObj_GetFont(object);
    if (font === 0 || !this.#source) return undefined;
    this.#objects ??= new PdfObjects(this.#source);
    const bytes = Math.min(FPDFFont_GetBaseFontName(font, 0, 0), maxFontName);
    const name = this.#written(bytes, (into) => FPDFFont_GetBaseFontName(font, into, bytes), 1).toString();
    const described = this.#objects.font(name);
    // A font drawn by the PDF itself has no name. Codes of simple fonts mostly are ASCII, whatever their glyphs' names.
    const isSimple = name === '' || described?.isComposite === false;
    return (
      described?.texts.get(code) ?? (isSimple && code > 0x20 && code < 0x7f ? String.fromCharCode(code) : undefined)
    );
  }

  /** PDFium mixes up lines and words that don't run from left to right across the page. */
  #asPrinted(page: number, characters: readonly PageCharacter[]): PageCharacter[] {
    const { FPDFPage_CountObjects, FPDFPage_GetObject, FPDFPageObj_GetType } = this.#functions;
    const { FPDFFormObj_CountObjects, FPDFFormObj_GetObject } = this.#functions;
    const order = new Map<number, number>();
    const add = (object: number, depth: number) => {
      if (FPDFPageObj_GetType(object) !== formObject) order.set(object, order.size);
      else if (depth < maxDepth)
        for (let index = 0; index < FPDFFormObj_CountObjects(object); index += 1)
          add(FPDFFormObj_GetObject(object, index), depth + 1);
    };
    for (let index = 0; index < FPDFPage_CountObjects(page); index += 1) add(FPDFPage_GetObject(page, index), 0);
    return asPrinted(characters, order);
  }

  readonly #memory = {
    text: (write: (into: number, bytes: number) => number): string => {
      // Nothing is written into less room than the whole takes.
      const bytes = write(0, 0) >>> 0;
      if (bytes <= 2 || bytes > maxTextBytes) return '';
      return this.#written(bytes, (into) => write(into, bytes), 2).toString('utf16le');
    },
    four: (write: (into: number) => boolean): Box | null => {
      const four = this.#written(16, (into) => (write(into) ? 16 : 0), 0);
      const at = (index: number) => four.readFloatLE(4 * index);
      return four.length === 16 ? [at(0), at(1), at(2), at(3)] : null;
    },
  };

  /** How many pages come before the first label, which PDFium numbers as if they had one. */
  #unlabeled(document: number): number {
    if (this.#pagesBeforeLabels !== null) return this.#pagesBeforeLabels;
    const { FPDF_GetPageCount, FPDF_GetPageLabel } = this.#functions;
    const labelOf = (index: number) => this.#memory.text((...into) => FPDF_GetPageLabel(document, index, ...into));
    this.#pagesBeforeLabels = this.#safely(() => {
      const count = Math.min(FPDF_GetPageCount(document), maxLabels);
      let numbered = 0;
      while (numbered < count && labelOf(numbered) === String(numbered + 1)) numbered += 1;
      // Where all labels are the pages' own numbers, it doesn't matter whether they are given.
      if (numbered === 0 || numbered === count || !this.#source) return 0;
      this.#objects ??= new PdfObjects(this.#source);
      return Math.min(this.#objects.pagesBeforeLabels(), numbered);
    });
    return this.#pagesBeforeLabels;
  }

  #labelOf(document: number, index: number): string {
    const { FPDF_GetPageLabel } = this.#functions;
    try {
      if (index < this.#unlabeled(document)) return '';
      const label = this.#safely(() => this.#memory.text((...into) => FPDF_GetPageLabel(document, index, ...into)));
      return label.slice(0, maxLabel);
    } catch (error) {
      // A page without its label is a page all the same.
      if (error instanceof PdfProblem) return '';
      throw error;
    }
  }

  /** The text that `write` writes; it returns the number of bytes, without the zero at the end. */
  #written(bytes: number, write: (into: number) => number, zero: 0 | 1 | 2): Buffer {
    const into = this.#exports.malloc(Math.max(bytes, 1));
    if (into === 0) throw new PdfProblem('too-much-memory');
    const written = Buffer.from(this.#bytes(into, Math.max(0, Math.min(write(into), bytes) - zero)));
    this.#exports.free(into);
    return written;
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
