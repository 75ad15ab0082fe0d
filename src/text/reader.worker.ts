import { existsSync, readFileSync, statSync } from 'node:fs';
import { constants, setPriority } from 'node:os';
import { extname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { silentLogger } from '../base/logger.ts';
import { Channel, type Port } from '../base/rpc.ts';
import { maxAttachments } from './annotations.ts';
import { readHashed, TooLarge } from './hashedFile.ts';
import { normalForm } from './normalForm.ts';
import { maxPictureBytes, pngOf } from './pagePicture.ts';
import { placedText, rawText } from './pageText.ts';
import { compilePdfium, type PdfDocument, Pdfium, type PdfiumCode, PdfProblem } from './pdfium.ts';
import {
  maxPages,
  maxPageText,
  maxPdfBytes,
  maxPdfText,
  type PagePicture,
  type PictureWish,
  type PlacedPage,
  type ReaderAnswer,
  type ReaderResult,
  type ReaderWatch,
  readerSide,
  takerSide,
} from './readerMessages.ts';
import type { PageText } from './textIndex.ts';

/** How large PDFium's own memory may get: the file and what else there is in the process have room beside it. */
const maxPdfiumBytes = 320 * 1024 ** 2;
/** How large the process may get: the file is held in memory beside all else. */
const maxMemory = 512 * 1024 ** 2 + maxPdfBytes;
/** How often PDFium is started anew for a PDF whose pages break it. */
const maxBreaks = 20;

/**
 * Reads the PDFs that its parent names, one at a time. It is a process of its own, since a PDF may loop for ever, want
 * all memory, or break PDFium: the parent ends it then, or its own second thread, and only the one PDF is lost.
 */
class Reader {
  readonly #code: PdfiumCode;
  readonly #channel: Channel<typeof readerSide, typeof takerSide>;
  /** Which PDF is read, and how many of its pages were: see {@link ReaderWatch}. */
  readonly #progress: Int32Array;
  #files = 0;
  /** How often PDFium was broken by pages and labels. */
  #breaks = 0;
  #pdfium: Pdfium | null = null;
  /** The last PDF, by path, size and time: often several of its pages are requested in a row. */
  #held: { readonly state: string; readonly sha256: string; readonly document: PdfDocument } | null = null;

  constructor(code: PdfiumCode, port: Port, progress: Int32Array) {
    this.#code = code;
    this.#progress = progress;
    this.#channel = new Channel({
      ...{ port, mine: readerSide, theirs: takerSide, log: silentLogger },
      handlers: {
        calls: {
          read: ({ path }) => this.#read(path),
          placedText: ({ path, page }) => this.#placedText(path, page),
          picture: ({ path, ...part }) => this.#picture(path, part),
        },
        events: {},
      },
      explain: (error) => (error instanceof Error ? error.name : 'Error'),
    });
  }

  async #read(path: string): Promise<ReaderResult> {
    const answer = await this.#watched(() => this.#answer(path));
    return { answer, spent: this.#isSpent };
  }

  /** The one text of a page; null of one that can't be read. */
  async #placedText(path: string, page: number): Promise<PlacedPage> {
    const { found, ...rest } = await this.#onDocument(path, (document) => {
      const { characters, notes, label } = document.page(page - 1, maxPageText, true);
      const { text, boxes } = placedText(rawText(characters, notes));
      return { text, boxes: Array.from(boxes), label: normalForm(label) || null };
    });
    return { ...rest, page: found };
  }

  async #picture(path: string, { page, rectangles }: PictureWish): Promise<PagePicture> {
    const { found, ...rest } = await this.#onDocument(path, (document) =>
      pngOf(document.picture(page - 1, rectangles)),
    );
    return { ...rest, png: found && found.length <= maxPictureBytes ? found : null };
  }

  /** What is found in a PDF; null in one that can't be read. */
  async #onDocument<T>(path: string, find: (document: PdfDocument) => T) {
    return this.#watched(async () => {
      let sha256: string | null = null;
      let found: T | null = null;
      try {
        const { size, mtimeMs } = statSync(path);
        const state = [path, size, mtimeMs].join();
        if (this.#held?.state !== state || this.#pdfium?.isBroken) {
          this.#release();
          const file = readHashed(path, maxPdfBytes);
          sha256 = file.sha256;
          this.#held = { state, sha256, document: (await this.#engine()).open(file.bytes) };
        }
        sha256 = this.#held.sha256;
        found = find(this.#held.document);
      } catch (error) {
        // An unreadable page has nothing to find; any other mistake is one of ours.
        if (!(error instanceof PdfProblem || sha256 === null)) throw error;
      }
      return { sha256, found, spent: this.#isSpent };
    });
  }

  #release(): void {
    this.#held?.document.close();
    this.#held = null;
  }

  /** Work on a PDF, which the second thread ends when it takes too much. */
  async #watched<T>(work: () => Promise<T>): Promise<T> {
    Atomics.store(this.#progress, 1, 0);
    Atomics.store(this.#progress, 0, ++this.#files);
    try {
      return await work();
    } finally {
      Atomics.store(this.#progress, 0, 0);
    }
  }

  async #answer(path: string): Promise<ReaderAnswer> {
    this.#release();
    let sha256: string | null = null;
    try {
      const file = readHashed(path, maxPdfBytes);
      sha256 = file.sha256;
      if (!(await this.#channel.call('isWanted', { sha256 }))) return { kind: 'failed', sha256, reason: 'changed' };
      if (file.bytes.length === 0) return { kind: 'failed', sha256, reason: 'empty' };
      return await this.#readAll(file.bytes, sha256);
    } catch (error) {
      if (error instanceof PdfProblem) return { kind: 'failed', sha256, reason: error.kind };
      return { kind: 'failed', sha256, reason: error instanceof TooLarge ? 'too-large' : 'unreadable-file' };
    }
  }

  async #readAll(bytes: Uint8Array, sha256: string): Promise<ReaderAnswer> {
    let document = (await this.#engine()).open(bytes);
    try {
      const count = document.pageCount;
      const of = Math.min(count, maxPages);
      const damaged: number[] = [];
      const unreadable: number[] = [];
      const attachments = document.attachments();
      let lastProblem: PdfProblem | null = null;
      let withLabels = true;
      let textLength = 0;
      let hasText = false;
      for (let index = 0; index < of; index += 1) {
        const { page, problem, isUnreadable, files } = pageOf(document, index, withLabels);
        if (isUnreadable) unreadable.push(index + 1);
        attachments.push(...files);
        if (problem) {
          damaged.push(index + 1);
          lastProblem = problem;
        }
        textLength += page.text.length;
        if (textLength > maxPdfText) throw new TooLarge('Too much text.');
        hasText ||= /[\p{L}\p{N}]/u.test(page.text);
        await this.#channel.call('take', { page, of });
        Atomics.store(this.#progress, 1, index + 1);
        if (!this.#pdfium?.isBroken) continue;
        // Not the page: its label.
        if (!problem) withLabels = false;
        this.#breaks += 1;
        if (this.#breaks > maxBreaks) throw lastProblem ?? new PdfProblem('damaged');
        document = (await this.#engine()).open(bytes);
      }
      if (count === 0) return { kind: 'failed', sha256, reason: 'empty' };
      // A damaged page may still have had text.
      if (!hasText && lastProblem) throw lastProblem;
      return {
        kind: 'read',
        sha256,
        bytes: bytes.length,
        damaged,
        unreadable,
        attachments: attachments.slice(0, maxAttachments).map((name) => normalForm(name).slice(0, 200)),
        left: Math.max(0, count - maxPages),
      };
    } finally {
      document.close();
    }
  }

  /** An engine that a PDF broke or made large is not freed in time for the next one. */
  get #isSpent(): boolean {
    return this.#breaks > 0 || (this.#pdfium?.isSpent ?? false);
  }

  async #engine(): Promise<Pdfium> {
    if (this.#pdfium?.isBroken) this.#pdfium = null;
    this.#pdfium ??= await Pdfium.start(this.#code, maxPdfiumBytes);
    return this.#pdfium;
  }
}

interface PageRead {
  readonly page: PageText;
  /** Why it is not whole. */
  readonly problem?: PdfProblem;
  /** Whether its fonts don't say which characters it has. */
  readonly isUnreadable: boolean;
  /** Names of attached files. */
  readonly files: readonly string[];
}

function pageOf(document: PdfDocument, index: number, withLabel: boolean): PageRead {
  try {
    const { characters, notes, files, label, whole } = document.page(index, maxPageText, withLabel);
    const { text, isUnreadable } = rawText(characters, notes);
    const read = { page: { label: normalForm(label) || null, text: normalForm(text) }, isUnreadable, files };
    return whole ? read : { ...read, problem: new PdfProblem('damaged') };
  } catch (problem) {
    if (!(problem instanceof PdfProblem)) throw problem;
    return { page: { label: null, text: '' }, problem, isUnreadable: false, files: [] };
  }
}

/** PDFium's code: beside this script where it was built, in its package where Node runs the source. */
function pdfiumCode(): PdfiumCode {
  const built = new URL('pdfium.wasm', import.meta.url);
  const packaged = () => import.meta.resolve('@embedpdf/pdfium/pdfium.wasm');
  return compilePdfium(readFileSync(existsSync(built) ? built : fileURLToPath(packaged())));
}

function parentPort(): Port {
  return {
    post: (message) => void process.send?.(message),
    onMessage(listener) {
      process.on('message', listener);
      return { dispose: () => void process.off('message', listener) };
    },
  };
}

const shared = new SharedArrayBuffer(8);
const workerData: ReaderWatch = { shared, memory: maxMemory, fileTime: 30, pageTime: 0.02 };
// Started before the priority is lowered, so that it checks in time.
new Worker(new URL(`readerWatch.worker${extname(import.meta.url)}`, import.meta.url), { workerData }).unref();
setPriority(constants.priority.PRIORITY_LOW);
process.on('disconnect', () => process.exit());
new Reader(pdfiumCode(), parentPort(), new Int32Array(shared));
