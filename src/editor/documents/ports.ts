import * as vscode from 'vscode';
import type { Report } from '../../api/schemas/report.ts';
import { l10n } from '../../base/l10n.ts';
import { countText } from '../../base/words.ts';
import type { ReportQuery } from '../../library/reportQuery.ts';
import type { Services } from '../../services.ts';
import { askForReports } from '../common/chooseReports.ts';
import type { FavoriteMarks } from '../common/favoriteMarks.ts';
import type { Log } from '../common/log.ts';
import { problemText } from '../common/messages.ts';
import { withCancellableProgress } from '../common/progress.ts';
import { rememberedFilter } from '../common/savedFilters.ts';
import type { TreeDragController } from '../common/treeDrag.ts';
import { chosenIds, chosenReports, downloadReports } from '../downloads/downloadCommand.ts';
import type { DownloadsApi } from '../downloads/register.ts';
import type { WorkspaceDownloads } from '../downloads/workspaceDownloads.ts';
import type { TreesApi } from '../trees/register.ts';

/** Reports that a command was given, as far as they were handed over or the library on this machine knows them. */
export interface ChosenReports {
  readonly ids: readonly number[];
  readonly inHand: ReadonlyMap<number, Report>;
}

/** A report's PDF, here or where it would go. */
export interface PdfPlace {
  readonly uri: vscode.Uri;
  /** The downloads folder, which holds the lock file. */
  readonly home: vscode.Uri;
}

export interface FetchedPdfs {
  readonly places: ReadonlyMap<number, PdfPlace>;
  /** Why the first of the others has none, in words for a person. */
  readonly reason: string | null;
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
export function makeDocumentPorts({ downloads, reports, extension, ...shared }: DocumentParts) {
  const { services } = shared;
  return {
    ...shared,
    /** Remembers the forms that were chosen last. */
    memory: extension.globalState,
    /** What the table of all reports is narrowed to. */
    tableFilter: () => rememberedFilter(extension.workspaceState, 'table'),
    /** The ids of the reports among a command's arguments; companies and fiscal years stand for all of theirs. */
    chosenIds: (args: readonly unknown[]) => chosenIds(args, services),
    /** The same with the reports; `ids` if they are known already. An Error when they are too many to read. */
    chosenReports: (args: readonly unknown[], ids?: readonly number[]): Promise<ChosenReports> =>
      chosenReports(args, services, undefined, ids),
    /** The reports, in the order of the ids, without those that can't be read. An `ApiError` when none can. */
    async readReports({ ids, inHand }: ChosenReports, signal: AbortSignal): Promise<readonly Report[]> {
      const read = await (await downloads.downloads()).reports(ids, signal, inHand);
      signal.throwIfAborted();
      const [failed] = read.filter((one) => one.status === 'rejected');
      const reports = read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      // One that can't be read keeps none of the others back.
      if (failed && reports.length === 0) throw failed.reason;
      if (failed) tellUnread(read.length - reports.length, failed.reason);
      return reports;
    },
    /**
     * Fetches the PDFs that are not here yet: plan, progress and cancel for a person, progress alone for a program.
     * Undefined when the person leaves.
     */
    async fetchPdfs(wanted: readonly Report[], mayAsk: boolean): Promise<FetchedPdfs | undefined> {
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
      return { places: new Map([...places, ...(await placesHere(all, missing))]), reason };
    },
    /** Where the PDFs are or would be; nothing is fetched. */
    async placesOf(wanted: readonly Report[]): Promise<ReadonlyMap<number, PdfPlace>> {
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
    /** What the Reports view is narrowed to, and in words; empty words for everything. */
    async filter() {
      return (await (await reports.loaded())?.narrowed()) ?? { query: {}, words: '' };
    },
  };
}

export type DocumentPorts = ReturnType<typeof makeDocumentPorts>;

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

/** Most reports that go into one document: what is longer is a table, and Export Reports… makes tables. */
const maxInserted = 500;

/**
 * The reports that a command is about: its arguments', else those selected in a tree, else those that the person ticks.
 * Undefined when they leave.
 * @throws Error when there are none in what a program, or a row, handed over
 */
export async function chosenOrAsked(
  ports: DocumentPorts,
  args: readonly unknown[],
  question: { readonly title: string; readonly among: ReportQuery },
): Promise<ChosenReports | undefined> {
  const isGiven = args.length > 0 && args[0] !== undefined;
  const given = isGiven ? args : [ports.treeDrag.selection];
  const chosen = await ports.chosenIds(given);
  if (chosen.length > 0) {
    mustFit({ ids: chosen });
    return ports.chosenReports(given, chosen);
  }
  if (isGiven) throw new Error(vscode.l10n.t('This row has no reports. Choose a report, a fiscal year or a company.'));
  const ids = await askForReports(ports.services, question, ports.log);
  return ids && ports.chosenReports([ids]);
}

/** The chosen reports, read under a progress with a cancel when that takes a while. */
export function readChosen(ports: DocumentPorts, chosen: ChosenReports): Promise<readonly Report[]> {
  return withCancellableProgress(vscode.l10n.t('Reading the reports'), (signal) => ports.readReports(chosen, signal));
}

/** @throws Error when there are more than a document should hold */
export function mustFit({ ids }: Pick<ChosenReports, 'ids'>): void {
  if (ids.length <= maxInserted) return;
  const [given, max] = [countText(ids.length), countText(maxInserted)];
  throw new Error(
    vscode.l10n.t('{0} reports are too many for a document. Choose at most {1}, or use Export Reports….', given, max),
  );
}
