import * as vscode from 'vscode';
import { publishedHash } from './downloads/result.ts';
import { commandIds } from './editor/common/commandIds.ts';
import type { Log } from './editor/common/log.ts';
import { downloadOne } from './editor/downloads/downloadOne.ts';
import type { Upstream } from './editor/downloads/fileLook.ts';
import type { DownloadsApi } from './editor/downloads/register.ts';
import type { PanelPorts } from './editor/panels/context.ts';
import { resolveTexts } from './editor/resolve/resolveIdentifiers.ts';
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
    openFieldGuide: async () => void (await vscode.commands.executeCommand(commandIds.openFieldGuide)),
    async openCompany(companyKey) {
      await vscode.commands.executeCommand(commandIds.openCompany, companyKey);
    },
    resolve: (queries, signal) => resolveTexts(services, queries, signal),
  };
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
