import * as vscode from 'vscode';
import { commandIds } from './editor/common/commandIds.ts';
import type { Log } from './editor/common/log.ts';
import { downloadOne } from './editor/downloads/downloadOne.ts';
import type { Upstream } from './editor/downloads/fileLook.ts';
import type { DownloadsApi } from './editor/downloads/register.ts';
import type { PanelPorts } from './editor/panels/context.ts';
import { lookupWithProgress, resolveWithProgress } from './editor/resolve/commands.ts';
import { downloadCompanies, downloadReports } from './editor/resolve/download.ts';
import { refine } from './editor/resolve/refine.ts';
import { writeBackAndTell } from './editor/resolve/writeBack.ts';
import type { Services } from './services.ts';

/** What the panels ask of the other features. */
export function makePanelPorts(
  extensionUri: vscode.Uri,
  services: Services,
  downloads: DownloadsApi,
  log: Log,
): PanelPorts {
  return {
    extensionUri,
    log,
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
      const file = pdf && { path: pdf.path, verified: pdf.row.verified !== false, sha256: pdf.row.sha256 };
      const { library } = await services.library();
      const state = (await library.report(id))?.state ?? 'listed';
      return { withdrawn: state !== 'listed', file: file ?? null };
    },
    onDidChangeReports: downloads.onDidChange,
    async downloadReport(id, onProgress, signal) {
      const outcome = await downloadOne(await downloads.downloads(), id, onProgress, signal);
      downloads.noteChanged([id]);
      return outcome;
    },
    openPdf: async (id) => void (await vscode.commands.executeCommand(commandIds.openPdf, id)),
    async openCompany(companyKey) {
      await vscode.commands.executeCommand(commandIds.openCompany, companyKey);
    },
    openReport: async (id) => void (await vscode.commands.executeCommand(commandIds.openReport, id)),
    resolve: async (queries, how) => resolveWithProgress(services, queries, how),
    lookup: async (queries, how) => lookupWithProgress(services, queries, how),
    refine: (entry) => refine(services, entry),
    writeBack: writeBackAndTell,
    downloadCompanies: (companyKeys) => downloadCompanies(services, companyKeys),
    downloadReports,
  };
}

/** What the library on this machine knows of a report at the service; nothing is opened for it. */
export async function upstream(services: Services, reportId: number): Promise<Upstream | undefined> {
  if (!('connection' in services.session)) return undefined;
  const stored = await (await services.library()).library.report(reportId);
  return stored ? { sha256: stored.report.content_sha256, withdrawn: stored.state !== 'listed' } : undefined;
}
