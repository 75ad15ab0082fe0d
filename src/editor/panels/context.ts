import * as vscode from 'vscode';
import type { Report } from '../../api/schemas/report.ts';
import type { App } from '../../app/app.ts';
import { DisposableStore, type Event } from '../../base/disposable.ts';
import type { LibraryChange } from '../../library/libraryChange.ts';
import type { AskHow, Candidate, ResolveEntry } from '../../panels/lookups.ts';
import { type LocalReport, type PdfDoubt, pdfDoubts } from '../../panels/pdfState.ts';
import { reveal } from '../common/commands.ts';
import { orWithout } from '../common/upstream.ts';
import { downloadOne } from '../downloads/downloadCommand.ts';
import { lookupWithProgress, resolveWithProgress } from '../resolve/commands.ts';
import { downloadCompanies, refine, writeBackAndTell } from '../resolve/resultActions.ts';

/** Bytes of a PDF that are read before its panel is shown. */
const smallFile = 16_000_000;

/** The app, and what only panels use of its features. */
export function panelContext(app: App) {
  const { services, favorites, downloads, reportsView, log } = app;
  /** Tells what an open panel may have to follow. */
  const onDidChange: Event<DataChange> = (listener) => {
    const store = new DisposableStore();
    store.add(services.onDidChangeLibrary(({ change }) => listener({ kind: 'library', change })));
    store.add(services.onDidChangeSession(() => listener({ kind: 'session' })));
    store.add(downloads.onDidChange((reportIds) => listener({ kind: 'files', reportIds })));
    store.add(favorites.onDidChange(() => listener({ kind: 'favorites' })));
    store.add(reportsView.onDidChange(() => listener({ kind: 'filter' })));
    return store;
  };
  return {
    ...app,
    /**
     * What is known locally; never asks the service.
     * @param signal when given, the PDF is read whatever its size, and compared with what was downloaded
     */
    async localReport(id: number, signal?: AbortSignal): Promise<LocalReport> {
      const all = await downloads.open();
      const pdf = await all.find(id);
      const seen = pdf && (await all.check(pdf, signal !== undefined, signal));
      // A file of its row's size, and a small one: reading it takes no time.
      const isSmall = seen?.state === 'unread' && seen.row.bytes <= smallFile;
      const found = pdf && isSmall ? await all.check(pdf, true) : seen;
      const state = found?.state ?? 'missing';
      const file = pdf &&
        state !== 'missing' && {
          path: pdf.path,
          verified: state === 'verified',
          ...(isDoubt(state) && { doubt: state }),
          sha256: pdf.row.sha256,
          edited: state === 'edited' || state === 'unreadable',
        };
      const known = await orWithout(log, undefined, async () => (await services.library()).library.report(id));
      return { withdrawn: (known?.state ?? 'listed') !== 'listed', file: file || null };
    },
    onDidChange,
    async downloadReport(
      report: Report,
      onProgress: (receivedBytes: number, totalBytes: number | null) => void,
      signal: AbortSignal,
    ) {
      const outcome = await downloadOne(await downloads.open(), report, onProgress, signal);
      downloads.noteChanged([report.report_id]);
      return outcome;
    },
    /** Shows a report's PDF in the Explorer, or in the system's file manager. */
    async revealDownload(id: number): Promise<void> {
      const pdf = await (await downloads.open()).find(id);
      if (!pdf) throw new Error(vscode.l10n.t('The PDF was moved or deleted. Download it again.'));
      await reveal(pdf.uri);
    },
    /** What the Reports view is narrowed to; null when it shows everything. */
    async reportsFilter() {
      const narrowed = await reportsView.filter();
      return narrowed && narrowed.words !== '' ? narrowed : null;
    },
    /** SHA-256, if known, of the PDFs in this window's folders, by report: all, or those of some reports. */
    async localFiles(among?: ReadonlySet<number>): Promise<ReadonlyMap<number, string | null>> {
      const pdfs = await (await downloads.open()).ownPdfs(({ row }) => among?.has(row.report_id) ?? true);
      return new Map(pdfs.map(({ row }) => [row.report_id, row.sha256]));
    },
    resolve: (queries: readonly string[], how: AskHow) => resolveWithProgress(services, queries, how),
    lookup: (queries: readonly string[], how: AskHow) => lookupWithProgress(services, queries, how),
    refine: (entry: ResolveEntry, candidate: Candidate | undefined) => refine(services, entry, candidate, log),
    writeBack: writeBackAndTell,
    downloadCompanies: (companyKeys: readonly string[]) => downloadCompanies(app, companyKeys),
  };
}

function isDoubt(state: string): state is PdfDoubt {
  return (pdfDoubts as readonly string[]).includes(state);
}

/** What panels use of the rest of the product. */
export type PanelPorts = ReturnType<typeof panelContext>;

export type DataChange =
  /** The library on this machine was written to. */
  | { readonly kind: 'library'; readonly change: LibraryChange }
  /** The PDFs of these reports came, went or changed. */
  | { readonly kind: 'files'; readonly reportIds: readonly number[] }
  /** The Reports view may be narrowed to something else. */
  | { readonly kind: 'filter' }
  /** Stars may have changed. */
  | { readonly kind: 'favorites' }
  /** Another connection is in use, or none: nothing that was read before holds. */
  | { readonly kind: 'session' };
