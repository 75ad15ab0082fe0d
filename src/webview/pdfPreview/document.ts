// The legacy build brings what the oldest editor's browser (Chromium 142) lacks.
import { getDocument, PasswordResponses, PDFDataRangeTransport, type PDFWorker } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { l10n } from '../../base/l10n.ts';
import { longestRange, type PdfjsFile } from '../../protocol/pdfPreview.ts';

export type Loaded = Awaited<ReturnType<typeof getDocument>['promise']>;
type PdfPage = Awaited<ReturnType<Loaded['getPage']>>;

/** Gives a file of pdf.js: a character map, a standard font, a decoder. */
export type ReadPdfjs = (file: PdfjsFile) => Promise<Uint8Array<ArrayBuffer>>;

/** A PDF's file, of which only those bytes are read that what is shown of it needs. */
export interface PdfFile {
  readonly length: number;
  /** Its first bytes, or all. */
  readonly head: Uint8Array<ArrayBuffer>;
  /** At most `longestRange` bytes at once. */
  read(begin: number, end: number): Promise<Uint8Array<ArrayBuffer>>;
  /** Some bytes could not be read: nothing more is to be expected of the file. */
  onBroken(error: unknown): void;
  /** Resolves with the password, which is asked for again while it is wrong. */
  password(isWrong: boolean): Promise<string>;
}

/** Bytes that pdf.js asks for at once, at least. */
const chunk = 256 * 1024;

/** Starts to open a PDF. Its promise rejects with what {@link sentence} has words for. */
export function load(file: PdfFile, worker: PDFWorker, readPdfjs: ReadPdfjs): ReturnType<typeof getDocument> {
  const isWhole = file.head.length === file.length;
  const task = getDocument({
    ...(isWhole ? { data: file.head } : { range: new Ranges(file), rangeChunkSize: chunk }),
    // A large file is read where it is looked at.
    disableAutoFetch: !isWhole,
    disableStream: true,
    worker,
    enableXfa: false,
    // Fonts that each PDF reader has to know are drawn with pdf.js's own: a machine's may be of other widths.
    useSystemFonts: false,
    useWorkerFetch: false,
    BinaryDataFactory: dataFactory(readPdfjs),
  });
  task.onPassword = (use: (password: string) => void, reason: number) => {
    file.password(reason === PasswordResponses.INCORRECT_PASSWORD).then(use, (error: unknown) => file.onBroken(error));
  };
  return task;
}

/** Gets from the editor what pdf.js asks for. */
class Ranges extends PDFDataRangeTransport {
  readonly #file: PdfFile;
  #isOver = false;

  constructor(file: PdfFile) {
    super(file.length, file.head);
    this.#file = file;
  }

  override requestDataRange(begin: number, end: number): void {
    this.#read(begin, end).then(
      (bytes) => {
        if (!this.#isOver) this.onDataRange(begin, bytes);
      },
      (error: unknown) => {
        if (!this.#isOver) this.#file.onBroken(error);
      },
    );
  }

  override abort(): void {
    this.#isOver = true;
  }

  async #read(begin: number, end: number): Promise<Uint8Array> {
    if (end - begin <= longestRange) return this.#file.read(begin, end);
    const bytes = new Uint8Array(end - begin);
    for (let at = begin; at < end && !this.#isOver; at += longestRange)
      bytes.set(await this.#file.read(at, Math.min(end, at + longestRange)), at - begin);
    return bytes;
  }
}

/** Where pdf.js gets what a PDF takes for granted: each file comes from the editor when it is first needed. */
function dataFactory(readPdfjs: ReadPdfjs) {
  return class {
    async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
      const folder = folders.get(kind);
      if (folder === undefined) throw new Error(`There is no ${kind} here.`);
      return readPdfjs({ folder, name: filename });
    }
  };
}

/** pdf.js's names for what it asks for, and our folders of them. */
const folders = new Map<string, PdfjsFile['folder']>([
  ['cMapUrl', 'cmaps'],
  ['standardFontDataUrl', 'standard_fonts'],
  ['wasmUrl', 'wasm'],
]);

/**
 * Changes the pages that a document gives. Only links can be used; notes, forms and attached files are drawn and do
 * nothing. A page that can't be read is replaced by an empty one that can't be drawn, so that the others show.
 */
export function keepLinksOnly(document: Loaded): void {
  const getPage = document.getPage.bind(document);
  const withLinksOnly = (page: PdfPage) => {
    const getAnnotations = page.getAnnotations.bind(page);
    const isLink = ({ subtype }: { readonly subtype?: unknown }) => subtype === 'Link';
    page.getAnnotations = async (options) => (await getAnnotations(options)).filter(isLink);
    return page;
  };
  document.getPage = async (number) => {
    try {
      const page = await getPage(number);
      return Object.hasOwn(page, 'getAnnotations') ? page : withLinksOnly(page);
    } catch (error) {
      if (document.loadingTask.destroyed) throw error;
      // One of the first pages that can be read gives the size.
      const first = Array.from({ length: Math.min(document.numPages, 8) }, (_, index) => getPage(index + 1));
      return emptyPage(await Promise.any(first), number, error);
    }
  };
}

/** As large as a page of the same file, with nothing on it, and never drawn. */
function emptyPage(like: PdfPage, number: number, error: unknown): PdfPage {
  const failed = () => {
    const promise = Promise.reject(error);
    promise.catch(() => undefined);
    return { promise, cancel() {}, onContinue: null, onError: null, separateAnnots: false };
  };
  const values: Partial<Record<keyof PdfPage | '_pageIndex', unknown>> = {
    _pageIndex: number - 1,
    render: failed,
    getAnnotations: async () => [],
    getStructTree: async () => null,
    getTextContent: async () => ({ items: [], styles: {}, lang: null }),
    streamTextContent: () => new ReadableStream({ start: (controller) => controller.close() }),
    cleanup: () => true,
  };
  return Object.assign(Object.create(like), values) as PdfPage;
}

/** Why a PDF can't be shown, for a person. */
export function sentence(error: unknown): string {
  if (error instanceof Error && error.name === 'InvalidPDFException') {
    return l10n.t(
      'This file can’t be read as a PDF: it is damaged, or it is something else. Verify Downloaded PDFs tells whether it changed since it was downloaded.',
    );
  }
  return l10n.t('This PDF could not be opened. Try again, or open it in another PDF viewer.');
}
