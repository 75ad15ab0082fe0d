// The legacy build brings what the oldest editor's browser (Chromium 142) lacks.
import { getDocument, PasswordResponses, PDFDataRangeTransport, type PDFWorker } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { l10n } from '../../base/l10n.ts';
import type { Channel } from '../../base/rpc.ts';
import { longestRange, type OpenedPdf, type PdfjsFile, type pdfPreviewProtocol } from '../../protocol/pdfPreview.ts';

export type Loaded = Awaited<ReturnType<typeof getDocument>['promise']>;
type PdfPage = Awaited<ReturnType<Loaded['getPage']>>;

/** The editor, which has the bytes of the PDF and of pdf.js's own files. */
export type Editor = Pick<Channel<typeof pdfPreviewProtocol.page, typeof pdfPreviewProtocol.host>, 'call'>;

/** What a file needs while it is read. */
export interface PdfEvents {
  /** Some bytes could not be read: nothing more comes of the file. */
  onBroken(error: unknown): void;
  /** Resolves with the password, which is asked for again while it is wrong. */
  password(isWrong: boolean): Promise<string>;
}

/** Minimum number of bytes that pdf.js requests at once. */
const chunk = 256 * 1024;

/** Starts to open a PDF. Its promise rejects with what {@link sentence} has words for. */
export function load(editor: Editor, file: OpenedPdf, worker: PDFWorker, events: PdfEvents) {
  const isWhole = file.head.length === file.length;
  const task = getDocument({
    ...(isWhole ? { data: file.head } : { range: new Ranges(editor, file, events), rangeChunkSize: chunk }),
    // Only the visible parts of a large file are read.
    disableAutoFetch: !isWhole,
    disableStream: true,
    worker,
    enableXfa: false,
    // Fonts that each PDF reader has to know are drawn with pdf.js's own: a machine's may be of other widths.
    useSystemFonts: false,
    useWorkerFetch: false,
    BinaryDataFactory: dataFactory(editor),
    ...(file.password !== null && { password: file.password }),
  });
  task.onPassword = (use: (password: string) => void, reason: number) => {
    events.password(reason === PasswordResponses.INCORRECT_PASSWORD).then(use, (error) => events.onBroken(error));
  };
  return task;
}

/** Gets from the editor the bytes that pdf.js requests. */
class Ranges extends PDFDataRangeTransport {
  readonly #editor: Editor;
  readonly #file: OpenedPdf;
  readonly #events: PdfEvents;
  #isOver = false;

  constructor(editor: Editor, file: OpenedPdf, events: PdfEvents) {
    super(file.length, file.head);
    [this.#editor, this.#file, this.#events] = [editor, file, events];
  }

  override requestDataRange(begin: number, end: number): void {
    this.#read(begin, end).then(
      (bytes) => {
        if (!this.#isOver) this.onDataRange(begin, bytes);
      },
      (error: unknown) => {
        if (!this.#isOver) this.#events.onBroken(error);
      },
    );
  }

  override abort(): void {
    this.#isOver = true;
  }

  /** In pieces, as long as they are wanted. */
  async #read(begin: number, end: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(end - begin);
    for (let at = begin; at < end && !this.#isOver; at += longestRange) {
      const range = { version: this.#file.version, begin: at, end: Math.min(end, at + longestRange) };
      bytes.set((await this.#editor.call('range', range)).bytes, at - begin);
    }
    return bytes;
  }
}

/** Gets from the editor what a PDF uses without containing it. */
function dataFactory(editor: Editor) {
  return class {
    async fetch({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> {
      const folder = folders.get(kind);
      if (folder === undefined) throw new Error(`There is no ${kind} here.`);
      return (await editor.call('pdfjs', { folder, name: filename })).bytes;
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
    getTextContent: async () => ({ items: [], styles: {}, lang: null }),
    cleanup: () => true,
  };
  return Object.assign(Object.create(like), values) as PdfPage;
}

/** Why a PDF can't be shown, for a person. */
export function sentence(error: unknown): string {
  if (error instanceof Error && error.name === 'InvalidPDFException') {
    return l10n.t(
      'This file is damaged or isn’t a PDF. Run Verify Downloaded PDFs to see whether it changed since it was downloaded.',
    );
  }
  return l10n.t('This PDF could not be opened. Try again, or open it in another PDF viewer.');
}
