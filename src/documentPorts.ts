import * as vscode from 'vscode';
import { l10n } from './base/l10n.ts';
import { counted } from './base/words.ts';
import type { FavouriteMarks } from './editor/common/favouriteMarks.ts';
import type { Log } from './editor/common/log.ts';
import { problemText } from './editor/common/messages.ts';
import { rememberedFilter } from './editor/common/savedFilters.ts';
import type { TreeDragController } from './editor/common/treeDrag.ts';
import type { DocumentPorts, FetchedPdfs, PdfPlace } from './editor/documents/ports.ts';
import { chosenIds, chosenReports, downloadReports } from './editor/downloads/downloadCommand.ts';
import type { DownloadsApi } from './editor/downloads/register.ts';
import type { WorkspaceDownloads } from './editor/downloads/workspaceDownloads.ts';
import type { TreesApi } from './editor/trees/register.ts';
import type { Services } from './services.ts';

/** What {@link makeDocumentPorts} joins. */
export interface DocumentParts {
  readonly services: Services;
  readonly log: Log;
  readonly extension: vscode.ExtensionContext;
  readonly treeDrag: TreeDragController;
  readonly favourites: FavouriteMarks;
  readonly downloads: DownloadsApi;
  readonly reports: TreesApi['reports'];
}

/** What documents ask of the other features. */
export function makeDocumentPorts({ downloads, reports, extension, ...shared }: DocumentParts): DocumentPorts {
  const { services } = shared;
  return {
    ...shared,
    memory: extension.globalState,
    textFile: vscode.Uri.joinPath(extension.globalStorageUri, 'text', 'pages.sqlite').fsPath,
    tableFilter: () => rememberedFilter(extension.workspaceState, 'table'),
    async localPdfs() {
      const here = await (await downloads.downloads()).localPdfs();
      return here.map(({ row, path }) => ({ ...row, path }));
    },
    chosenIds: (args) => chosenIds(args, services),
    chosenReports: (args) => chosenReports(args, services),
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
  const one = l10n.later('1 report could not be read.');
  const what = counted(count, one, l10n.later('{0} reports could not be read.'));
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
