import { stat } from 'node:fs/promises';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from './base/disposable.ts';
import { hashFile } from './downloads/disk.ts';
import { publishedHash } from './downloads/ports.ts';
import { type CommandId, commandIds } from './editor/common/contributions.ts';
import type { Log } from './editor/common/log.ts';
import type { Upstream } from './editor/downloads/decorations.ts';
import { downloadOne } from './editor/downloads/downloadCommand.ts';
import type { DownloadsApi } from './editor/downloads/register.ts';
import type { DataChange, PanelPorts } from './editor/panels/context.ts';
import type { CoveragePorts } from './editor/panels/coveragePorts.ts';
import type { ReportsApi } from './editor/reports/register.ts';
import { lookupWithProgress, resolveWithProgress } from './editor/resolve/commands.ts';
import { downloadCompanies, downloadReports } from './editor/resolve/download.ts';
import { refine } from './editor/resolve/refine.ts';
import { writeBackAndTell } from './editor/resolve/writeBack.ts';
import type { LocalLibrary, Services } from './services.ts';

/** What the panels look at in the sidebar. */
interface Views {
  readonly reports: ReportsApi;
  startSync(): void;
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
    library: async () => (await services.library()).library,
    async readReport(id, signal) {
      const { library } = await services.library();
      const stored = await library.withSignal(signal).report(id);
      if (stored) return stored.report;
      const report = await services.call((client) => client.report(id, { signal, priority: 'interactive' }));
      await library.applyReport(report, null);
      return report;
    },
    readSchema: (signal) => services.call((client) => client.schema({ signal, priority: 'interactive' })),
    async localReport(id) {
      const pdf = await (await downloads.downloads()).find(id);
      // A file that went away since it was found is no file.
      const there = pdf && (await stat(pdf.uri.fsPath).catch(() => undefined));
      const file = pdf &&
        there && {
          path: pdf.path,
          verified: pdf.row.verified !== false,
          sha256: pdf.row.sha256,
          edited: there.size !== pdf.row.bytes,
        };
      const { library } = await services.library();
      const state = (await library.report(id))?.state ?? 'listed';
      return { withdrawn: state !== 'listed', file: file ?? null };
    },
    async isEdited(id, signal) {
      const pdf = await (await downloads.downloads()).find(id);
      return pdf !== undefined && (await hashFile(pdf.uri.fsPath, signal)).sha256 !== pdf.row.sha256;
    },
    onDidChange: (listener) => follow(services, downloads, views.reports, listener),
    async downloadReport(report, onProgress, signal) {
      const outcome = await downloadOne(await downloads.downloads(), report, onProgress, signal);
      downloads.noteChanged([report.report_id]);
      return outcome;
    },
    openPdf: async (id) => void (await vscode.commands.executeCommand(commandIds.openPdf, id)),
    openFieldGuide: async () => void (await vscode.commands.executeCommand(commandIds.openFieldGuide)),
    async openCompany(companyKey) {
      await vscode.commands.executeCommand(commandIds.showCompany, companyKey);
    },
    copyLink: (reportId) => onReport(commandIds.copyLink, reportId),
    copyCitation: (reportId) => onReport(commandIds.copyCitation, reportId),
    coverage: coveragePorts(services, downloads, views),
    readUsage: (signal) => services.call((client) => client.usage({ signal, priority: 'interactive' })),
    spent: () =>
      services.call(async (client) => {
        const { session } = services;
        const connection = 'connection' in session ? session.connection.name : '';
        return { connection, rate: client.rate, ledger: client.ledger.read() };
      }),
    openReport: async (id) => void (await vscode.commands.executeCommand(commandIds.openReport, id)),
    resolve: async (queries, how) => resolveWithProgress(services, queries, how),
    lookup: async (queries, how) => lookupWithProgress(services, queries, how),
    refine: (entry) => refine(services, entry),
    writeBack: writeBackAndTell,
    downloadCompanies: (companyKeys) => downloadCompanies(services, companyKeys),
    downloadReports,
  };
}

/** Runs a command as the menu of a report does, so that a person is asked and told. */
async function onReport(command: CommandId, report_id: number): Promise<void> {
  await vscode.commands.executeCommand(command, { kind: 'report', report: { report_id } });
}

function coveragePorts(services: Services, downloads: DownloadsApi, { reports, startSync }: Views): CoveragePorts {
  const run = async (command: CommandId, ...args: unknown[]) =>
    void (await vscode.commands.executeCommand(command, ...args));
  return {
    async library(signal) {
      const { library } = await services.library();
      startSync();
      return library.withSignal(signal);
    },
    async loadCompany(companyKey) {
      const { library, engine } = await services.library();
      const { phase } = await library.syncRecord();
      if (phase !== 'following') await engine.loadCompany(companyKey);
    },
    async reportsFilter() {
      const narrowed = await (await reports.tree.loaded())?.narrowed();
      return narrowed && narrowed.words !== '' ? narrowed : null;
    },
    async localFiles() {
      const rows = await (await downloads.downloads()).localRows();
      return new Map(rows.map(({ report_id, sha256 }) => [report_id, sha256]));
    },
    openReport: (id) => run(commandIds.openReport, id),
    showCompany: (key) => run(commandIds.showCompany, key),
    revealCompany: (key) => run(commandIds.openCompany, key),
    download(ids) {
      // As a menu gives its selection, so that a person is asked.
      const nodes = ids.map((report_id) => ({ kind: 'report', report: { report_id } }));
      return run(commandIds.downloadReports, nodes[0], nodes);
    },
  };
}

/** Tells of every change until the end; goes over to the library of who is signed in next. */
function follow(
  services: Services,
  downloads: DownloadsApi,
  reports: ReportsApi,
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
  // Who is not signed in is told when the panel reads.
  const startQuietly = () => void start().catch(() => undefined);
  startQuietly();
  store.add(
    services.onDidChangeSession(() => {
      listener({ kind: 'session' });
      startQuietly();
    }),
  );
  store.add(downloads.onDidChange((reportIds) => listener({ kind: 'files', reportIds })));
  store.add(reports.tree.onDidChangeTreeData(() => listener({ kind: 'filter' })));
  return store;
}

/** What the library on this machine knows of reports at the service, in one question; nothing is opened for it. */
export async function upstream(
  services: Services,
  reportIds: readonly number[],
): Promise<ReadonlyMap<number, Upstream>> {
  const known = new Map<number, Upstream>();
  if (!('connection' in services.session)) return known;
  const { library } = await services.library();
  const query = { downloaded: { ids: reportIds, is: true }, state: 'all' } as const;
  const { items } = await library.reports(query, { limit: reportIds.length });
  for (const { report_id, sha256, state } of items) {
    known.set(report_id, { sha256: publishedHash({ content_sha256: sha256 }), withdrawn: state !== 'listed' });
  }
  for (const id of reportIds) {
    // A lock may still name a report by an id that a merge retired (RID-1).
    const stored = known.has(id) ? undefined : await library.report(id);
    if (stored) known.set(id, { sha256: publishedHash(stored.report), withdrawn: stored.state !== 'listed' });
  }
  return known;
}
