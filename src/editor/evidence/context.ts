import * as vscode from 'vscode';
import type { Report } from '../../api/schemas/report.ts';
import type { App } from '../../app/app.ts';
import { isAbortError, systemClock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import { once } from '../../base/once.ts';
import type { PlacedText } from '../../base/placedText.ts';
import type { LockRow } from '../../downloads/manifest.ts';
import type { QuoteWords } from '../../evidence/anchor.ts';
import { comparableText, type PdfOfReport, type TextOfPdf } from '../../evidence/check.ts';
import { evidenceName, type Rectangle, type Region } from '../../evidence/record.ts';
import { isThere } from '../../files/guard.ts';
import { LibraryError } from '../../library/libraryError.ts';
import type { PageText } from '../../text/textIndex.ts';
import type { InsertionKind, InsertionPlace } from '../common/insertion.ts';
import type { Log } from '../common/log.ts';
import { problemText } from '../common/messages.ts';

/** A folder of this window that may hold PDFs. */
export interface EvidenceRoot {
  readonly uri: vscode.Uri;
  /** The downloads folder below it. */
  readonly folder: string;
  /** False for the folder that stands for a workspace while none is open. */
  readonly isWorkspace: boolean;
}

/** A downloaded PDF of this window. */
export interface QuotedPdf {
  readonly root: EvidenceRoot;
  readonly row: LockRow;
  readonly uri: vscode.Uri;
}

/** What quotes ask of the downloads. */
interface QuotedFiles {
  readonly roots: readonly EvidenceRoot[];
  /** The PDFs that are there, by the lock files. */
  localPdfs(
    isWanted: (named: { readonly root: EvidenceRoot; readonly row: LockRow }) => boolean,
  ): Promise<readonly QuotedPdf[]>;
}

/** What quotes need from the rest of the product. */
export interface EvidencePorts {
  readonly log: Log;
  /** Remembers the form that was chosen last. */
  readonly memory: vscode.Memento;
  downloads(): Promise<QuotedFiles>;
  /** What the library on this machine knows of a report; undefined where it knows nothing. */
  report(id: number): Promise<Report | undefined>;
  /** Downloads the PDFs of reports, as the command does. */
  downloadReports(ids: readonly number[]): Promise<void>;
  insertionPlace(kind: InsertionKind): Promise<InsertionPlace | undefined>;
  /** The name of the document that the next insertion goes into; null if the person is asked. */
  targetName(): Promise<string | null>;
  /** Below the line, or the cell, that something is dropped on. */
  placeAt(document: vscode.TextDocument, position: vscode.Position, kind: InsertionKind): Promise<InsertionPlace>;
  /** The text of a PDF, from what was read before where it can be. */
  text(pdf: PdfOfReport, signal: AbortSignal): Promise<TextOfPdf>;
  /** Where words lie on a page of it, a line each; none where they are not found there once. */
  rectangles(
    pdf: PdfOfReport,
    words: Pick<QuoteWords, 'exact' | 'prefix'> & { readonly page: number },
    signal: AbortSignal,
  ): Promise<Rectangle[]>;
  /** The one text of a page, from 1, with its boxes; null where it can't be read, or has another hash than is given. */
  placedText(
    pdf: Pick<PdfOfReport, 'path'> & { readonly sha256?: string },
    page: number,
    signal?: AbortSignal,
  ): Promise<(PlacedText & Pick<PageText, 'label'>) | null>;
  /** A PNG of a page around rectangles that are marked on it; null where it can't be drawn. */
  picture(pdf: PdfOfReport, part: Pick<Region, 'page' | 'rectangles'>, signal: AbortSignal): Promise<Uint8Array | null>;
  /** Whether a folder of this window has a file of quotes, which is not read. */
  hasEvidence(): Promise<boolean>;
}

/** PDFs whose text is kept in memory, for a check that follows another one. */
const maxTexts = 4;

/** What quotes use of the other features, and the text of PDFs. */
export function evidenceContext(app: App): EvidencePorts & Disposable {
  const { services, log, extension, downloads, documents, pdfText } = app;
  const reader = once(async () => {
    const { PdfReader } = await import('../../text/extract.ts');
    const script = vscode.Uri.joinPath(extension.extensionUri, 'dist', 'text', 'reader.worker.js').fsPath;
    return new PdfReader({ script, clock: systemClock, logger: log });
  });
  const texts = new Map<string, TextOfPdf>();
  /** The pages of bytes that Find in PDFs has read before; undefined where it has not. */
  const indexed = async (sha256: string): Promise<TextOfPdf | undefined> => {
    try {
      const pages = await pdfText.pagesOf(sha256);
      return pages ? { pages } : undefined;
    } catch (error) {
      if (isAbortError(error)) throw error;
      log.warn(`The text index was not asked: ${problemText(error)}`);
      return undefined;
    }
  };
  return {
    log,
    memory: extension.globalState,
    downloads: () => downloads.open(),
    async report(id) {
      if (!('connection' in services.session)) return undefined;
      try {
        return (await (await services.library()).library.report(id))?.report;
      } catch (error) {
        if (!(error instanceof LibraryError)) throw error;
        log.warn(`A quote was made without the library: ${error.message}`);
        return undefined;
      }
    },
    async downloadReports(ids) {
      await downloads.run(ids);
    },
    insertionPlace: (kind) => documents.insertionPlace(kind),
    targetName: () => documents.targetName(),
    placeAt: (...at) => documents.placeAt(...at),
    async text(pdf: PdfOfReport, signal) {
      const known = texts.get(pdf.sha256);
      if (known) return known;
      const stored = await indexed(pdf.sha256);
      signal.throwIfAborted();
      if (stored) return stored;
      const text = comparableText(await (await reader.get()).read(pdf.path, { signal }), pdf.sha256);
      const [oldest] = texts.keys();
      if (texts.size >= maxTexts && oldest !== undefined) texts.delete(oldest);
      if ('pages' in text) texts.set(pdf.sha256, text);
      return text;
    },
    async rectangles(pdf, { page, exact, prefix }, signal) {
      return (await (await reader.get()).lines(pdf, { page, exact, prefix }, signal)).map(({ box }) => box);
    },
    async placedText(pdf, page, signal) {
      return (await reader.get()).placedText(pdf, page, signal);
    },
    async picture(pdf, { page, rectangles }, signal) {
      return (await reader.get()).picture(pdf, { page, rectangles }, signal);
    },
    async hasEvidence() {
      const { roots } = await downloads.open();
      const found = roots.map(({ uri, folder }) => isThere(vscode.Uri.joinPath(uri, folder, evidenceName).fsPath));
      return (await Promise.all(found)).includes(true);
    },
    dispose() {
      if (reader.made) void reader.get().then((it) => it.dispose());
    },
  };
}
