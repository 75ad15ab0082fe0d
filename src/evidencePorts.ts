import * as vscode from 'vscode';
import { systemClock } from './base/clock.ts';
import type { Disposable } from './base/disposable.ts';
import { l10n } from './base/l10n.ts';
import { once } from './base/once.ts';
import { commandIds } from './editor/common/contributions.ts';
import type { Log } from './editor/common/log.ts';
import type { DocumentsApi } from './editor/documents/register.ts';
import type { DownloadsApi } from './editor/downloads/register.ts';
import type { EvidencePorts } from './editor/evidence/ports.ts';
import type { PdfOfReport, TextOfPdf } from './evidence/check.ts';
import { LibraryError } from './library/libraryError.ts';
import type { Services } from './services.ts';
import type { ReadPdf } from './text/readPdf.ts';

/** What {@link makeEvidencePorts} joins. */
interface EvidenceParts {
  readonly services: Services;
  readonly log: Log;
  readonly context: Pick<vscode.ExtensionContext, 'extensionUri' | 'globalState'>;
  readonly downloads: DownloadsApi;
  readonly documents: DocumentsApi;
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
}: EvidenceParts): EvidencePorts & Disposable {
  const reader = once(async () => {
    const { PdfReader } = await import('./text/extract.ts');
    const script = vscode.Uri.joinPath(context.extensionUri, 'dist', 'text', 'reader.worker.js').fsPath;
    return new PdfReader({ script, clock: systemClock, logger: log });
  });
  const texts = new Map<string, TextOfPdf>();
  let isRead = false;
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
    async text(pdf: PdfOfReport, signal) {
      const known = texts.get(pdf.sha256);
      if (known) return known;
      isRead = true;
      const read = await (await reader.get()).read(pdf.path, signal);
      if (read.kind === 'read' && read.sha256 !== pdf.sha256)
        return { reason: l10n.t('The PDF changed while it was read. Check again.') };
      const text = textOf(read);
      const [oldest] = texts.keys();
      if (texts.size >= maxTexts && oldest !== undefined) texts.delete(oldest);
      if (read.kind === 'read') texts.set(pdf.sha256, text);
      return text;
    },
    dispose() {
      if (isRead) void reader.get().then((it) => it.dispose());
    },
  };
}

function textOf(read: ReadPdf): TextOfPdf {
  if (read.kind === 'read') return { pages: read.pages };
  if (read.kind === 'without-text')
    return { reason: l10n.t('The PDF has no text that can be compared, as a scan has none.') };
  return { reason: l10n.t('The text of the PDF could not be read.') };
}
