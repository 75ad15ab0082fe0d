import * as vscode from 'vscode';
import { isAbortError } from './base/clock.ts';
import { type Disposable, DisposableStore } from './base/disposable.ts';
import { type Logger, silentLogger } from './base/logger.ts';
import type { Upstream } from './downloads/ports.ts';
import { upstreamIn } from './downloads/verify.ts';
import { setContextKey } from './editor/common/commands.ts';
import { type CommandId, commandIds, viewIds } from './editor/common/contributions.ts';
import type { FavouriteMarks } from './editor/common/favouriteMarks.ts';
import type { Log } from './editor/common/log.ts';
import { reportName } from './editor/common/panelUri.ts';
import { downloadOne } from './editor/downloads/downloadCommand.ts';
import type { DownloadsApi } from './editor/downloads/register.ts';
import type { PanelPorts } from './editor/panels/openPanels.ts';
import type { DataChange } from './editor/panels/panel.ts';
import type { ReportsApi } from './editor/reports/register.ts';
import { lookupWithProgress, resolveWithProgress } from './editor/resolve/commands.ts';
import { downloadCompanies, downloadReports, refine } from './editor/resolve/resultActions.ts';
import { writeBackAndTell } from './editor/resolve/writeBack.ts';
import { LibraryError } from './library/libraryError.ts';
import type { TableAction } from './protocol/reportTable.ts';
import type { LocalLibrary, Services } from './services.ts';

/** Bytes of a PDF that are read before its panel is shown. */
const smallFile = 16_000_000;

/** What the panels look at in the sidebar. */
interface Views {
  readonly reports: ReportsApi;
  startSync(): void;
  readonly favourites: FavouriteMarks;
  selection(): readonly unknown[];
  readonly memory: PanelPorts['memory'];
  /** A company, by its key, or a report, by its id, was opened. */
  noteOpened(opened: string | number): Promise<void>;
}

/** What the panels ask of the other features. */
export function makePanelPorts(
  extensionUri: vscode.Uri,
  services: Services,
  downloads: DownloadsApi,
  log: Log,
  views: Views,
): PanelPorts {
  return {
    extensionUri,
    log,
    selection: views.selection,
    memory: views.memory,
    favourites: views.favourites,
    async noteOpened(key) {
      await setContextKey(key.kind === 'report' ? 'reportLibrary.didRead' : 'reportLibrary.didFind', true);
      await views.noteOpened(key.kind === 'report' ? key.reportId : key.companyKey);
    },
    library: async () => (await services.library()).library,
    async readReport(id, signal, tellNotKept) {
      const { library } = await services.library();
      // Without SQLite, or on a full disk, a report can be shown all the same.
      const notKept = (error: unknown) => {
        if (!(error instanceof LibraryError)) throw error;
        log.warn(`A report could not be kept: ${error.message}`);
        tellNotKept?.(error.message);
        return null;
      };
      const stored = await library.withSignal(signal).report(id).catch(notKept);
      if (stored) return stored.report;
      const report = await services.call((client) => client.report(id, { signal, priority: 'interactive' }));
      await library.applyReport(report, null).catch(notKept);
      return report;
    },
    async knownName(key) {
      try {
        const { library } = await services.library();
        if (key.kind === 'company') return (await library.company(key.companyKey))?.company_name ?? undefined;
        const [report] = await library.summaries([key.reportId]);
        return report && reportName(report);
      } catch (error) {
        // A panel opens without a library too, and says itself what is wrong.
        log.debug(`The name of what a panel shows is not known: ${String(error)}`);
        return undefined;
      }
    },
    readSchema: (signal) => services.call((client) => client.schema({ signal, priority: 'interactive' })),
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
    onDidChange: (listener) => follow(services, downloads, views, listener),
    async favouriteOf(name) {
      const found = (await views.favourites.look()).of(name);
      return found ? { note: found.note, tags: [...found.tags] } : null;
    },
    actOnFavourite: (act, { report_id, company_key }) => run(favouriteActs[act], report_id ?? company_key),
    async downloadReport(report, onProgress, signal) {
      const outcome = await downloadOne(await downloads.downloads(), report, onProgress, signal);
      downloads.noteChanged([report.report_id]);
      return outcome;
    },
    openFieldGuide: () => run(commandIds.openFieldGuide),
    async runOnReport(action, report_id) {
      // Unlike a row, a panel that the notebook covers can't keep the keyboard: the command tells them apart by the id.
      if (action === 'openPdf' || action === 'insertIntoNotebook') return run(commandIds[action], report_id);
      if (action !== 'revealDownload') return run(commandIds[action], reportNode(report_id));
      const pdf = await (await downloads.downloads()).find(report_id);
      if (!pdf) throw new Error(vscode.l10n.t('The PDF is no longer here. Download it again.'));
      const command = vscode.workspace.getWorkspaceFolder(pdf.uri) ? 'revealInExplorer' : 'revealFileInOS';
      await vscode.commands.executeCommand(command, pdf.uri);
    },
    async syncedLibrary(signal) {
      const { library } = await services.library();
      views.startSync();
      return library.withSignal(signal);
    },
    async loadCompany(companyKey) {
      const { library, engine } = await services.library();
      const { phase } = await library.syncRecord();
      if (phase === 'following') return;
      try {
        await engine.loadCompany(companyKey);
      } catch (error) {
        // Offline, or with a refused key, what is held of the company is shown all the same.
        if (isAbortError(error) || !(await library.company(companyKey))) throw error;
        log.warn(`A company's reports could not be loaded: ${String(error)}`);
      }
    },
    async reportsFilter() {
      const narrowed = await (await views.reports.tree.loaded())?.narrowed();
      return narrowed && narrowed.words !== '' ? narrowed : null;
    },
    async localFiles(among?: ReadonlySet<number>) {
      const pdfs = await (await downloads.downloads()).localPdfs(({ row }) => among?.has(row.report_id) ?? true);
      return new Map(pdfs.map(({ row }) => [row.report_id, row.sha256]));
    },
    revealCompany: (key) => run(commandIds.openCompany, key),
    downloadReports: (ids) => runOnReports('downloadReports', ids),
    runOnReports,
    async showInReports(filter) {
      await (await views.reports.tree.tree()).show(filter);
      await vscode.commands.executeCommand(`${viewIds.reports}.focus`);
    },
    copyTableLink: (filter) => run(commandIds.copyLink, { kind: 'table', filter }),
    readUsage: (signal) => services.call((client) => client.usage({ signal, priority: 'interactive' })),
    spent: () =>
      services.call(async (client) => {
        const { session } = services;
        const connection = 'connection' in session ? session.connection.name : '';
        const { assistantDownloads } = await import('./editor/common/assistantDownloads.ts');
        const assistants = await assistantDownloads(log).spending();
        return { connection, assistants, rate: client.rate, ledger: client.ledger.read() };
      }),
    resolve: async (queries, how) => resolveWithProgress(services, queries, how),
    lookup: async (queries, how) => lookupWithProgress(services, queries, how),
    refine: (entry, candidate) => refine(services, entry, candidate, log),
    writeBack: writeBackAndTell,
    downloadCompanies: (companyKeys) => downloadCompanies(services, companyKeys),
    downloadFound: downloadReports,
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

const favouriteActs = {
  toggle: commandIds.toggleFavourite,
  note: commandIds.editFavouriteNote,
  tags: commandIds.editFavouriteTags,
} as const;

async function run(command: CommandId, ...args: unknown[]): Promise<void> {
  await vscode.commands.executeCommand(command, ...args);
}

function runOnReports(action: TableAction | 'toggleFavourite', ids: readonly number[]): Promise<void> {
  const nodes = ids.map(reportNode);
  return run(commandIds[action], nodes[0], nodes);
}

/** A report as the menu of a tree gives it to a command, so that a person is asked and told. */
function reportNode(report_id: number): { readonly kind: 'report'; readonly report: { readonly report_id: number } } {
  return { kind: 'report', report: { report_id } };
}

/** Tells of every change until the end; goes over to the library of who is signed in next. */
function follow(
  services: Services,
  downloads: DownloadsApi,
  { reports, favourites }: Views,
  listener: (change: DataChange) => void,
): Disposable {
  const store = new DisposableStore();
  let followed: LocalLibrary | undefined;
  const start = async () => {
    const local = await services.library();
    if (local === followed) return;
    followed = local;
    store.add(local.library.onDidChange((change) => listener({ kind: 'library', change })));
  };
  // Shown when the panel reads: nobody may be signed in.
  const startQuietly = () => void start().catch(() => undefined);
  startQuietly();
  store.add(
    services.onDidChangeSession(() => {
      listener({ kind: 'session' });
      startQuietly();
    }),
  );
  store.add(downloads.onDidChange((reportIds) => listener({ kind: 'files', reportIds })));
  store.add(favourites.onDidChange(() => listener({ kind: 'favourites' })));
  store.add(reports.tree.onDidChangeTreeData(() => listener({ kind: 'filter' })));
  return store;
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
