import * as vscode from 'vscode';
import { DisposableStore } from './base/disposable.ts';
import { type Logger, silentLogger } from './base/logger.ts';
import type { Upstream } from './downloads/ports.ts';
import { upstreamIn } from './downloads/verify.ts';
import { setContextKey } from './editor/common/commands.ts';
import type { FavouriteMarks } from './editor/common/favouriteMarks.ts';
import { downloadOne } from './editor/downloads/downloadCommand.ts';
import type { DownloadsApi } from './editor/downloads/register.ts';
import type { PanelPorts } from './editor/panels/panel.ts';
import { lookupWithProgress, resolveWithProgress } from './editor/resolve/commands.ts';
import { downloadCompanies, refine } from './editor/resolve/resultActions.ts';
import { writeBackAndTell } from './editor/resolve/writeBack.ts';
import type { TreesApi } from './editor/trees/register.ts';
import { LibraryError } from './library/libraryError.ts';
import type { Services } from './services.ts';

/** Bytes of a PDF that are read before its panel is shown. */
const smallFile = 16_000_000;

/** What {@link makePanelPorts} joins. */
interface PanelParts
  extends Pick<PanelPorts, 'services' | 'log' | 'startSync' | 'memory' | 'selection' | 'extensionUri'> {
  readonly downloads: DownloadsApi;
  readonly reports: TreesApi['reports'];
  readonly favourites: FavouriteMarks;
  /** A company, by its key, or a report, by its id, was opened. */
  noteOpened(opened: string | number): Promise<void>;
}

/** What the panels ask of the other features. */
export function makePanelPorts({ downloads, reports, noteOpened, ...shared }: PanelParts): PanelPorts {
  const { services, log, favourites } = shared;
  return {
    ...shared,
    async noteOpened(key) {
      await setContextKey(key.kind === 'report' ? 'reportLibrary.didRead' : 'reportLibrary.didFind', true);
      await noteOpened(key.kind === 'report' ? key.reportId : key.companyKey);
    },
    async localReport(id, signal) {
      const all = await downloads.downloads();
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
          ...((state === 'unread' || state === 'matches-lock') && { doubt: state }),
          sha256: pdf.row.sha256,
          edited: state === 'edited' || state === 'unreadable',
        };
      const known = await orWithout(log, undefined, async () => (await services.library()).library.report(id));
      return { withdrawn: (known?.state ?? 'listed') !== 'listed', file: file || null };
    },
    onDidChange: (listener) => {
      const store = new DisposableStore();
      store.add(services.onDidChangeLibrary(({ change }) => listener({ kind: 'library', change })));
      store.add(services.onDidChangeSession(() => listener({ kind: 'session' })));
      store.add(downloads.onDidChange((reportIds) => listener({ kind: 'files', reportIds })));
      store.add(favourites.onDidChange(() => listener({ kind: 'favourites' })));
      store.add(reports.onDidChangeTreeData(() => listener({ kind: 'filter' })));
      return store;
    },
    async downloadReport(report, onProgress, signal) {
      const outcome = await downloadOne(await downloads.downloads(), report, onProgress, signal);
      downloads.noteChanged([report.report_id]);
      return outcome;
    },
    async revealDownload(id) {
      const pdf = await (await downloads.downloads()).find(id);
      if (!pdf) throw new Error(vscode.l10n.t('The PDF is no longer here. Download it again.'));
      const command = vscode.workspace.getWorkspaceFolder(pdf.uri) ? 'revealInExplorer' : 'revealFileInOS';
      await vscode.commands.executeCommand(command, pdf.uri);
    },
    async reportsFilter() {
      const narrowed = await (await reports.loaded())?.narrowed();
      return narrowed && narrowed.words !== '' ? narrowed : null;
    },
    async localFiles(among) {
      const pdfs = await (await downloads.downloads()).localPdfs(({ row }) => among?.has(row.report_id) ?? true);
      return new Map(pdfs.map(({ row }) => [row.report_id, row.sha256]));
    },
    resolve: async (queries, how) => resolveWithProgress(services, queries, how),
    lookup: async (queries, how) => lookupWithProgress(services, queries, how),
    refine: (entry, candidate) => refine(services, entry, candidate, log),
    writeBack: writeBackAndTell,
    downloadCompanies: (companyKeys) => downloadCompanies(services, companyKeys),
  };
}

/** What the library knows; or what stands for it where the library can't be opened or read. */
async function orWithout<T>(log: Logger, otherwise: T, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof LibraryError)) throw error;
    log.warn(`The library was not asked: ${error.message}`);
    return otherwise;
  }
}

/**
 * What the library on this machine knows of reports at the service, in one question; nothing of reports where it can't be
 * opened or read: their files are looked at all the same.
 */
export async function upstream(
  services: Services,
  reportIds: readonly number[],
  signal?: AbortSignal,
  log: Logger = silentLogger,
): Promise<ReadonlyMap<number, Upstream>> {
  const nothing: ReadonlyMap<number, Upstream> = new Map();
  if (!('connection' in services.session)) return nothing;
  return orWithout(log, nothing, async () => upstreamIn((await services.library()).library, reportIds, signal));
}
