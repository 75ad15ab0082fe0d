import * as vscode from 'vscode';
import { isAbortError, systemClock } from './base/clock.ts';
import type { Disposable } from './base/disposable.ts';
import { once } from './base/once.ts';
import { commandIds } from './editor/common/contributions.ts';
import type { Log } from './editor/common/log.ts';
import { problemText } from './editor/common/messages.ts';
import type { DocumentsApi } from './editor/documents/register.ts';
import type { DownloadsApi } from './editor/downloads/register.ts';
import type { EvidencePorts } from './editor/evidence/ports.ts';
import type { PdfText } from './editor/text/pdfText.ts';
import { comparableText, type PdfOfReport, type TextOfPdf } from './evidence/check.ts';
import { evidenceName } from './evidence/record.ts';
import { isThere } from './files/guard.ts';
import { LibraryError } from './library/libraryError.ts';
import type { Services } from './services.ts';

/** What {@link makeEvidencePorts} joins. */
interface EvidenceParts {
  readonly services: Services;
  readonly log: Log;
  readonly context: Pick<vscode.ExtensionContext, 'extensionUri' | 'globalState'>;
  readonly downloads: DownloadsApi;
  readonly documents: DocumentsApi;
  readonly pdfText: () => Promise<PdfText>;
}

/** PDFs whose text is kept in memory, for a check that follows another one. */
const maxTexts = 4;

/** What quotes ask of the other features. */
export function makeEvidencePorts({
  services,
  log,
  context,
  downloads,
  documents,
  pdfText,
}: EvidenceParts): EvidencePorts & Disposable {
  const reader = once(async () => {
    const { PdfReader } = await import('./text/extract.ts');
    const script = vscode.Uri.joinPath(context.extensionUri, 'dist', 'text', 'reader.worker.js').fsPath;
    return new PdfReader({ script, clock: systemClock, logger: log });
  });
  const texts = new Map<string, TextOfPdf>();
  /** The pages of bytes that Find in PDFs has read before; undefined where it has not. */
  const indexed = async (sha256: string): Promise<TextOfPdf | undefined> => {
    try {
      const text = await pdfText();
      const isKept = (await text.state()) === 'ready' && text.reportOf(sha256) !== undefined;
      const pages = isKept ? await (await text.index()).pagesOf(sha256) : null;
      return pages ? { pages } : undefined;
    } catch (error) {
      if (isAbortError(error)) throw error;
      log.warn(`The text index was not asked: ${problemText(error)}`);
      return undefined;
    }
  };
  return {
    log,
    memory: context.globalState,
    downloads: () => downloads.downloads(),
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
      await vscode.commands.executeCommand(commandIds.downloadReports, ids);
    },
    insertionPlace: (kind) => documents.insertionPlace(kind),
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
      const { roots } = await downloads.downloads();
      const found = roots.map(({ uri, folder }) => isThere(vscode.Uri.joinPath(uri, folder, evidenceName).fsPath));
      return (await Promise.all(found)).includes(true);
    },
    dispose() {
      if (reader.made) void reader.get().then((it) => it.dispose());
    },
  };
}
