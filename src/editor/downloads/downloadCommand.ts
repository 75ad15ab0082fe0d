import * as vscode from 'vscode';
import type { Report } from '../../api/schemas/report.ts';
import type { DownloadOutcome, RunOptions } from '../../app/app.ts';
import type { Connection, Services } from '../../app/session.ts';
import { byteSize } from '../../base/words.ts';
import type { Wanted } from '../../downloads/folder.ts';
import { type Plan, planSentence } from '../../downloads/plan.ts';
import type { DownloadResult } from '../../downloads/ports.ts';
import type { QueueJob } from '../../downloads/queue.ts';
import type { ReportSummary } from '../../library/reportQuery.ts';
import { reportPickItems } from '../common/chooseReports.ts';
import { reveal, runOnReports } from '../common/commands.ts';
import { labelText } from '../common/messages.ts';
import { openPdfFile } from '../common/openPdfFile.ts';
import { askModally, countEndings, endingOf, type FileEnding, pdfCount, runBatch, tell } from './batch.ts';
import type { ChosenFolder, DownloadRoot } from './downloadRoot.ts';
import type { DownloadsContext, WorkspaceDownloads } from './workspaceDownloads.ts';

const outcomeFields = ['report_id', 'status', 'path', 'sha256', 'replaced', 'reason'] as const;

/** The part of a result that a program gets. */
export function downloadOutcome(result: DownloadOutcome): DownloadOutcome {
  const members = outcomeFields.map((name) => [name, result[name]] as const);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as unknown as DownloadOutcome;
}

interface Downloaded {
  readonly root: Pick<DownloadRoot, 'uri'>;
  readonly results: readonly DownloadResult[];
}

/**
 * Downloads the PDFs of reports with progress and a cancel. More than one is planned first and told to a person from
 * what is known on this machine; what is not known yet is read on the way. Undefined when the person leaves.
 * @param mayAsk true when a person may be asked where to, and whether a large download is meant
 * @param inHand reports that need not be read again; a hash that changed meanwhile is found out by the download itself
 * @param connection whose reports they are; the one in use when left out
 * @param own ends it too, beside the person's own cancel, and is told before a link is asked for
 */
export async function downloadReports(
  { downloads, noteChanged }: Pick<DownloadsContext, 'downloads' | 'noteChanged'>,
  ids: readonly number[],
  mayAsk: boolean,
  inHand: ReadonlyMap<number, Report> = new Map(),
  connection?: Connection,
  own: RunOptions = {},
): Promise<(Downloaded & { readonly root: DownloadRoot }) | undefined> {
  const wanted = ids.map((id) => ({ id, report: inHand.get(id) }));
  const source = downloads.sourceOf(connection);
  const planned = await planDownload(downloads, await downloads.folder(mayAsk, undefined, source), wanted, mayAsk);
  if (!planned) return undefined;
  const { folder, root, plan } = planned;
  const total = wantedOf(plan);
  const expected = new Set([...plan.toDownload, ...plan.toCopy]);
  own.onStart?.();
  const results = await runBatch(downloadingTitle(total), Math.max(total, 1), (signal, { count, bytes }) =>
    folder.download(wanted, {
      signal: own.signal ? AbortSignal.any([signal, own.signal]) : signal,
      priority: 'interactive',
      onProgress: ids.length === 1 ? bytes : undefined,
      onResult({ report_id }) {
        if (ids.length > 1 && expected.has(report_id)) count();
      },
    }),
  );
  own.onEnd?.(results.filter(({ links }) => links > 0).length);
  noteChanged(ids);
  return { root, results };
}

/** The title of the progress of so many downloads. */
export function downloadingTitle(count: number): string {
  return vscode.l10n.t('Downloading {0}', pdfCount(count));
}

/** Downloads the PDF of a report that is at hand, for a caller that shows the progress itself. */
export async function downloadOne(
  downloads: WorkspaceDownloads,
  report: Report,
  onProgress: (receivedBytes: number, totalBytes: number | null) => void,
  signal: AbortSignal,
): Promise<DownloadOutcome> {
  const chosen = await downloads.folder(true);
  const results = await chosen?.folder.download([report], { signal, priority: 'interactive', onProgress });
  return downloadOutcome(results?.[0] ?? { report_id: report.report_id, status: 'cancelled' });
}

/** Tells a person once how it ended; what failed can be tried again. Nothing opens by itself. */
export async function tellDownloaded(
  { services, tree, retry }: Pick<DownloadsContext, 'services' | 'tree' | 'retry'>,
  { root, results }: Downloaded,
): Promise<void> {
  if (results.every(({ status }) => status === 'cancelled')) return;
  const [first] = results;
  const files = results.flatMap(({ path, report: { report_id: reportId, report_key: reportKey } }) =>
    path === undefined ? [] : [{ reportId, reportKey, path, uri: vscode.Uri.joinPath(root.uri, path) }],
  );
  const [file] = files;
  const insert = vscode.l10n.t('Insert into Notebook');
  const show = vscode.l10n.t('Reveal');
  const open = files.length === 1 ? vscode.l10n.t('Open') : vscode.l10n.t('Open…');
  const again = vscode.l10n.t('Try Again');
  const failed = results.filter(({ status }) => status === 'failed');
  const text =
    results.length === 1 && first
      ? single(first)
      : [countEndings(results.map(fateOf), pdfCount), failed[0]?.reason].join(' ');
  const ids = new Set(failed.map(({ report_id }) => report_id));
  const isMeant = ({ target, askedId }: QueueJob) => target.root === root.uri.fsPath && ids.has(askedId);
  // Only those with a row in the Downloads view: it knows whether the newest bytes were meant or those of the lock.
  const entries = tree.entries('failed').filter(({ job }) => isMeant(job));
  const buttons = [...(entries.length > 0 ? [again] : []), ...(file ? [open, show, insert] : [])];
  const choice = await tell(text, failed.length > 0, buttons);
  if (choice === again) return retry(entries);
  if (choice === undefined || file === undefined) return;
  if (choice === show) return reveal(file.uri);
  if (choice === insert) {
    const here = results.filter(({ path }) => path !== undefined);
    return runOnReports(
      'insertIntoNotebook',
      here.map(({ report }) => report.report_id),
    );
  }
  const chosen = await choosePdf(services, files);
  if (chosen) await openPdfFile(chosen.uri);
}

export function fateOf(result: DownloadResult): FileEnding {
  return endingOf(result, result.verified ? 'downloaded' : 'not-compared');
}

function single({ status, path = '', bytes, verified, reason = noPdf() }: DownloadResult): string {
  if (status === 'unchanged') return vscode.l10n.t('Already downloaded: {0}', path);
  if (status !== 'downloaded') return reason;
  const size = bytes === undefined ? '' : ` (${byteSize(bytes, vscode.env.language)})`;
  return verified
    ? vscode.l10n.t('Downloaded and verified: {0}{1}', path, size)
    : vscode.l10n.t('Downloaded, not verified: {0}{1}. {2}', path, size, reason);
}

/** Said of a download without a file that gives no reason. */
export function noPdf(): string {
  return vscode.l10n.t('The PDF could not be downloaded.');
}

/** How many PDFs a download would bring here: what is asked about, and counted. */
function wantedOf({ toDownload, toCopy }: Plan): number {
  return toDownload.length + toCopy.length;
}

/** Asks a person whether these PDFs are meant to go there; with several folders open they may choose another one. */
async function planDownload(
  downloads: WorkspaceDownloads,
  chosen: ChosenFolder | undefined,
  wanted: readonly Wanted[],
  mayAsk: boolean,
): Promise<(ChosenFolder & { readonly plan: Plan }) | undefined> {
  if (!chosen) return undefined;
  const { root, source, folder } = chosen;
  const plan = await folder.plan(wanted);
  const planned = { ...chosen, plan };
  if (!mayAsk || wanted.length <= 1 || wantedOf(plan) === 0) return planned;
  const [go, elsewhere] = [vscode.l10n.t('Download'), vscode.l10n.t('Choose Folder…')];
  const isOneOfSeveral = (vscode.workspace.workspaceFolders?.length ?? 0) > 1;
  const name = isOneOfSeveral ? vscode.workspace.getWorkspaceFolder(root.uri)?.name : undefined;
  const where = name === undefined ? root.folder : `${name}/${root.folder}`;
  const [pdfs, company] = [pdfCount(wantedOf(plan)), companyOf(wanted)];
  const question =
    company === undefined
      ? vscode.l10n.t('Download {0} into the folder {1}?', pdfs, where)
      : vscode.l10n.t('Download {0} of {1} into the folder {2}?', pdfs, company, where);
  const choice = await askModally(question, planSentence(plan), isOneOfSeveral ? [go, elsewhere] : [go]);
  if (choice === go) return planned;
  return choice === elsewhere
    ? planDownload(downloads, await downloads.otherFolder(source), wanted, mayAsk)
    : undefined;
}

/** The company that all of these reports are of, as far as they are at hand. */
function companyOf(wanted: readonly Wanted[]): string | undefined {
  const reports = wanted.map((one) => ('id' in one ? one.report : one));
  const keys = new Set(reports.map((report) => report?.company_key));
  const [first] = reports;
  return keys.size === 1 && first ? (first.company_name ?? first.company_key) : undefined;
}

interface PdfChoice {
  readonly reportId: number;
  readonly reportKey: string;
  /** Relative to the workspace folder. */
  readonly path: string;
  readonly uri: vscode.Uri;
}

/**
 * Lets a person choose among PDFs that are here; one alone needs no question. Undefined when they leave.
 * @param first reports whose PDFs stand above the others
 */
export async function choosePdf<Choice extends PdfChoice>(
  services: Services,
  choices: readonly Choice[],
  first: readonly number[] = [],
): Promise<Choice | undefined> {
  const [only] = choices;
  if (choices.length === 1) return only;
  const known = await knownReports(
    services,
    choices.map(({ reportId }) => reportId),
  );
  const named = new Map(reportPickItems(known).map((item) => [item.report.report_key, item]));
  const items = choices.map((choice) => {
    const { reportKey, path } = choice;
    const { label = labelText(reportKey), description = '' } = named.get(reportKey) ?? {};
    const detail = path.includes(reportKey) ? path : `${reportKey} · ${path}`;
    return { label, description, detail: labelText(detail), choice };
  });
  const isFirst = ({ choice }: { readonly choice: Choice }) => first.includes(choice.reportId);
  const sorted = [...items.filter(isFirst), ...items.filter((item) => !isFirst(item))];
  const options = { title: vscode.l10n.t('Open PDF'), placeHolder: vscode.l10n.t('Which PDF?') };
  const picked = await vscode.window.showQuickPick(sorted, {
    ...options,
    matchOnDescription: true,
    matchOnDetail: true,
  });
  return picked?.choice;
}

/** What the library on this machine knows of reports; nothing when nobody is signed in, or it can't be read now. */
async function knownReports(services: Services, ids: readonly number[]): Promise<readonly ReportSummary[]> {
  if (!('connection' in (await services.ready()))) return [];
  // The files are here all the same, and their keys name them.
  return services.library().then(
    ({ library }) => library.summaries(ids),
    () => [],
  );
}
