import * as vscode from 'vscode';
import { DisposableStore } from './base/disposable.ts';
import { l10n } from './base/l10n.ts';
import { type Logger, silentLogger } from './base/logger.ts';
import { countText } from './base/words.ts';
import type { Upstream } from './downloads/ports.ts';
import { upstreamIn } from './downloads/verify.ts';
import { reveal, setContextKey } from './editor/common/commands.ts';
import type { FavoriteMarks } from './editor/common/favoriteMarks.ts';
import type { Log } from './editor/common/log.ts';
import { problemText } from './editor/common/messages.ts';
import { rememberedFilter } from './editor/common/savedFilters.ts';
import type { TreeDragController } from './editor/common/treeDrag.ts';
import type { DocumentPorts, FetchedPdfs, PdfPlace } from './editor/documents/ports.ts';
import { chosenIds, chosenReports, downloadOne, downloadReports } from './editor/downloads/downloadCommand.ts';
import type { DownloadsApi } from './editor/downloads/register.ts';
import type { WorkspaceDownloads } from './editor/downloads/workspaceDownloads.ts';
import type { PanelPorts } from './editor/panels/panel.ts';
import { lookupWithProgress, resolveWithProgress } from './editor/resolve/commands.ts';
import { downloadCompanies, refine, writeBackAndTell } from './editor/resolve/resultActions.ts';
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
  readonly favorites: FavoriteMarks;
  /** A company, by its key, or a report, by its id, was opened. */
  noteOpened(opened: string | number): Promise<void>;
}

/** What the panels ask of the other features. */
export function makePanelPorts({ downloads, reports, noteOpened, ...shared }: PanelParts): PanelPorts {
  const { services, log, favorites } = shared;
  return {
    ...shared,
    async noteOpened(key) {
      if (key.kind === 'report') await setContextKey('reportLibrary.didRead', true);
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
          ...((state === 'unread' || state === 'matches-lock' || state === 'other-key') && { doubt: state }),
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
      store.add(favorites.onDidChange(() => listener({ kind: 'favorites' })));
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
      await reveal(pdf.uri);
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
 * What the library on this machine knows of reports at the service, in one question; nothing where it can't be opened
 * or read, since the files are checked all the same.
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

/** What {@link makeDocumentPorts} joins. */
interface DocumentParts {
  readonly services: Services;
  readonly log: Log;
  readonly extension: vscode.ExtensionContext;
  readonly treeDrag: TreeDragController;
  readonly favorites: FavoriteMarks;
  readonly downloads: DownloadsApi;
  readonly reports: TreesApi['reports'];
}

/** What documents ask of the other features. */
export function makeDocumentPorts({ downloads, reports, extension, ...shared }: DocumentParts): DocumentPorts {
  const { services } = shared;
  return {
    ...shared,
    memory: extension.globalState,
    tableFilter: () => rememberedFilter(extension.workspaceState, 'table'),
    chosenIds: (args) => chosenIds(args, services),
    chosenReports: (args, ids) => chosenReports(args, services, undefined, ids),
    async readReports({ ids, inHand }, signal) {
      const read = await (await downloads.downloads()).reports(ids, signal, inHand);
      signal.throwIfAborted();
      const [failed] = read.filter((one) => one.status === 'rejected');
      const reports = read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      // One that can't be read keeps none of the others back.
      if (failed && reports.length === 0) throw failed.reason;
      if (failed) tellUnread(read.length - reports.length, failed.reason);
      return reports;
    },
    async fetchPdfs(wanted, mayAsk) {
      const all = await downloads.downloads();
      const places = await placesHere(all, wanted);
      const missing = wanted.filter(({ report_id }) => !places.has(report_id));
      if (missing.length === 0) return { places, reason: null };
      const inHand = new Map(missing.map((report) => [report.report_id, report]));
      const ids = [...inHand.keys()];
      const done = await downloadReports(all, ids, mayAsk, inHand);
      if (!done || done.results.some(({ status }) => status === 'cancelled')) return undefined;
      downloads.noteChanged(ids);
      const reason = done.results.find(({ path }) => path === undefined)?.reason ?? null;
      const fetched: FetchedPdfs = { places: new Map([...places, ...(await placesHere(all, missing))]), reason };
      return fetched;
    },
    async placesOf(wanted) {
      const all = await downloads.downloads();
      const places = await placesHere(all, wanted);
      const missing = wanted.filter(({ report_id, has_file }) => !places.has(report_id) && has_file !== false);
      const place = missing.length > 0 ? await all.folder(false) : undefined;
      if (!place) return places;
      const { uri, folder } = place.root;
      const home = vscode.Uri.joinPath(uri, folder);
      for (const [id, path] of await place.folder.paths(missing))
        places.set(id, { uri: vscode.Uri.joinPath(uri, path), home });
      return places;
    },
    async filter() {
      return (await (await reports.loaded())?.narrowed()) ?? { query: {}, words: '' };
    },
  };
}

function tellUnread(count: number, error: unknown): void {
  const what = l10n.t('Reports that could not be read: {0}.', countText(count));
  void vscode.window.showWarningMessage(`${what} ${problemText(error)}`);
}

async function placesHere(
  all: WorkspaceDownloads,
  reports: readonly { readonly report_id: number }[],
): Promise<Map<number, PdfPlace>> {
  const places = new Map<number, PdfPlace>();
  const wanted = new Set(reports.map(({ report_id }) => report_id));
  for (const { row, uri } of await all.localPdfs((named) => wanted.has(named.row.report_id))) {
    const up = row.path.split('/').map(() => '..');
    if (!places.has(row.report_id)) places.set(row.report_id, { uri, home: vscode.Uri.joinPath(uri, ...up) });
  }
  return places;
}
