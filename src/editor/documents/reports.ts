import * as vscode from 'vscode';
import type { Report } from '../../api/schemas/report.ts';
import type { App } from '../../app/app.ts';
import { l10n } from '../../base/l10n.ts';
import { countText } from '../../base/words.ts';
import type { ReportQuery } from '../../library/reportQuery.ts';
import { askForReports } from '../common/chooseReports.ts';
import { chosenIds, chosenReports } from '../common/chosenReports.ts';
import { problemText } from '../common/messages.ts';
import { withCancellableProgress } from '../common/progress.ts';

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

/** The reports, in the order of the ids, without those that can't be read. An `ApiError` when none can. */
export async function readReports(
  app: App,
  { ids, inHand }: ChosenReports,
  signal: AbortSignal,
): Promise<readonly Report[]> {
  const read = await (await app.downloads.open()).reports(ids, signal, inHand);
  signal.throwIfAborted();
  const [failed] = read.filter((one) => one.status === 'rejected');
  const reports = read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  // One that can't be read keeps none of the others back.
  if (failed && reports.length === 0) throw failed.reason;
  if (failed) tellUnread(read.length - reports.length, failed.reason);
  return reports;
}

/**
 * Fetches the PDFs that are not here yet: plan, progress and cancel for a person, progress alone for a program.
 * Undefined when the person leaves.
 */
export async function fetchPdfs(
  app: App,
  wanted: readonly Report[],
  mayAsk: boolean,
): Promise<FetchedPdfs | undefined> {
  const places = await placesHere(app, wanted);
  const missing = wanted.filter(({ report_id }) => !places.has(report_id));
  if (missing.length === 0) return { places, reason: null };
  const results = await app.downloads.fetch(missing, mayAsk);
  if (!results || results.some(({ status }) => status === 'cancelled')) return undefined;
  const reason = results.find(({ path }) => path === undefined)?.reason ?? null;
  return { places: new Map([...places, ...(await placesHere(app, missing))]), reason };
}

/** Where the PDFs are or would be; nothing is fetched. */
export async function placesOf(app: App, wanted: readonly Report[]): Promise<ReadonlyMap<number, PdfPlace>> {
  const places = await placesHere(app, wanted);
  const missing = wanted.filter(({ report_id, has_file }) => !places.has(report_id) && has_file !== false);
  const place = missing.length > 0 ? await (await app.downloads.open()).folder(false) : undefined;
  if (!place) return places;
  const { uri, folder } = place.root;
  const home = vscode.Uri.joinPath(uri, folder);
  for (const [id, path] of await place.folder.paths(missing))
    places.set(id, { uri: vscode.Uri.joinPath(uri, path), home });
  return places;
}

function tellUnread(count: number, error: unknown): void {
  const what = l10n.t('Reports that could not be read: {0}.', countText(count));
  void vscode.window.showWarningMessage(`${what} ${problemText(error)}`);
}

async function placesHere(
  app: App,
  reports: readonly { readonly report_id: number }[],
): Promise<Map<number, PdfPlace>> {
  const places = new Map<number, PdfPlace>();
  const wanted = new Set(reports.map(({ report_id }) => report_id));
  for (const { row, uri } of await (await app.downloads.open()).ownPdfs((named) => wanted.has(named.row.report_id))) {
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
  app: App,
  args: readonly unknown[],
  question: { readonly title: string; readonly among: ReportQuery },
): Promise<ChosenReports | undefined> {
  const isGiven = args.length > 0 && args[0] !== undefined;
  const given = isGiven ? args : [app.treeDrag.selection];
  const chosen = await chosenIds(given, app.services);
  if (chosen.length > 0) {
    mustFit({ ids: chosen });
    return chosenReports(given, app.services, undefined, chosen);
  }
  if (isGiven) throw new Error(vscode.l10n.t('This row has no reports. Choose a report, a fiscal year or a company.'));
  const ids = await askForReports(app.services, question, app.log);
  return ids && chosenReports([ids], app.services);
}

/** The chosen reports, read under a progress with a cancel when that takes a while. */
export function readChosen(app: App, chosen: ChosenReports): Promise<readonly Report[]> {
  return withCancellableProgress(vscode.l10n.t('Reading the reports'), (signal) => readReports(app, chosen, signal));
}

/** @throws Error when there are more than a document should hold */
export function mustFit({ ids }: Pick<ChosenReports, 'ids'>): void {
  if (ids.length <= maxInserted) return;
  const [given, max] = [countText(ids.length), countText(maxInserted)];
  throw new Error(
    vscode.l10n.t('Too many reports for a document ({0}). Select up to {1}, or use Export Reports….', given, max),
  );
}
