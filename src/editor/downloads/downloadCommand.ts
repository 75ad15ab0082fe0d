import * as vscode from 'vscode';
import type { Report } from '../../api/schemas/report.ts';
import { systemClock } from '../../base/clock.ts';
import { byteSize } from '../../base/words.ts';
import type { Wanted } from '../../downloads/folder.ts';
import { type Plan, planSentence } from '../../downloads/plan.ts';
import type { DownloadResult, DownloadStatus } from '../../downloads/ports.ts';
import { summarySentence } from '../../downloads/queue.ts';
import type { Services } from '../../services.ts';
import { reportGroups, reportIds, startsWithId } from '../common/arguments.ts';
import { commandIds } from '../common/contributions.ts';
import { labelText, notificationText, withCancellableProgress } from '../common/messages.ts';
import { openPdfFile } from '../common/openPdfFile.ts';
import type { ChosenFolder, DownloadRoot } from './downloadRoot.ts';
import type { LocalPdf, WorkspaceDownloads } from './workspaceDownloads.ts';

/** Reports that a command was given, with what the library on this machine knows of them. */
export interface ChosenReports {
  readonly ids: readonly number[];
  readonly inHand: ReadonlyMap<number, Report>;
}

/** The reports in a command's arguments. Companies and fiscal years stand for all of their reports in the library. */
export async function chosenReports(args: readonly unknown[], services: Services): Promise<ChosenReports> {
  const { library, engine } = await services.library();
  const ids = new Set(reportIds(args));
  const { phase } = await library.syncRecord();
  for (const { companyKey, fiscalYear } of reportGroups(args)) {
    // A first load that is under way may not have come to this company yet.
    if (phase !== 'following') await engine.loadCompany(companyKey);
    const years = fiscalYear === undefined ? {} : { fcyear: [fiscalYear] };
    for (const id of await library.reportIds({ company_key: [companyKey], ...years })) ids.add(id);
  }
  const inHand = new Map<number, Report>();
  const look = async (id: number) => {
    const stored = await library.report(id);
    if (stored?.state === 'listed') inHand.set(id, stored.report);
  };
  await Promise.all([...ids].map(look));
  return { ids: [...ids], inHand };
}

/** What `reportLibrary.downloadReports` gives a program, one entry an id, in the order given. */
export interface DownloadOutcome {
  readonly report_id: number;
  readonly status: DownloadStatus;
  /** Relative to the workspace folder. */
  readonly path?: string;
  readonly sha256?: string;
  readonly reason?: string;
}

/** Results as outcomes; a merged report answers under the id that was asked for (RID-1). */
export function outcomesOf(results: readonly DownloadResult[]): DownloadOutcome[] {
  return results.map(({ report_id, status, path, sha256, reason }) => ({
    report_id,
    status,
    ...(path !== undefined && { path }),
    ...(sha256 !== undefined && { sha256 }),
    ...(reason !== undefined && { reason }),
  }));
}

export interface DownloadRequest {
  readonly ids: readonly number[];
  /** A person may be asked where to, and whether a large download is meant. */
  readonly mayAsk: boolean;
  /** Reports that need not be read again; a hash that changed meanwhile is found out by the download itself. */
  readonly inHand?: ReadonlyMap<number, Report>;
}

/** How a download ended, with where it went. */
export interface Downloaded {
  readonly root: DownloadRoot;
  readonly results: readonly DownloadResult[];
  readonly outcomes: readonly DownloadOutcome[];
}

/**
 * Downloads the PDFs of reports with progress and a cancel. More than one is planned first and told to a person from
 * what is known on this machine; what is not known yet is read on the way. Undefined when the person leaves.
 */
export async function downloadReports(
  downloads: WorkspaceDownloads,
  { ids, mayAsk, inHand = new Map() }: DownloadRequest,
): Promise<Downloaded | undefined> {
  let chosen = await downloads.folder(mayAsk);
  if (!chosen) return undefined;
  const wanted = ids.map((id) => ({ id, report: inHand.get(id) }));
  let plan = await chosen.folder.plan(wanted);
  for (let answer: Answer = 'leave'; mayAsk && ids.length > 1 && wantedOf(plan) > 0 && answer !== 'go'; ) {
    answer = await confirm(chosen, plan, wanted);
    if (answer === 'elsewhere') chosen = await downloads.otherFolder();
    if (answer === 'leave' || !chosen) return undefined;
    plan = await chosen.folder.plan(wanted);
  }
  const { folder, root } = chosen;
  const total = wantedOf(plan);
  const title =
    total <= 1 ? vscode.l10n.t('Downloading PDF') : vscode.l10n.t('Downloading {0} PDFs', localCount(total));
  const expected = new Set([...plan.toDownload, ...plan.toCopy]);
  const results = await withCancellableProgress(title, async (signal, progress) => {
    const count = counter(progress, Math.max(total, 1));
    const wordsAt = quarters();
    let done = 0;
    return folder.download(wanted, {
      signal,
      priority: 'interactive',
      onEvent(event) {
        if (event.state !== 'active' || ids.length > 1) return;
        const { bytes, total } = event;
        progress.report({ message: wordsAt(bytes, total ?? 0, () => bytesOf(bytes, total)) });
      },
      onResult({ report_id }) {
        if (ids.length > 1 && expected.has(report_id)) count(++done);
      },
    });
  });
  return { root, results, outcomes: outcomesOf(results) };
}

/** Downloads the PDF of a report that is at hand, for a caller that shows the progress itself. */
export async function downloadOne(
  downloads: WorkspaceDownloads,
  report: Report,
  onProgress: (receivedBytes: number, totalBytes: number | null) => void,
  signal: AbortSignal,
): Promise<DownloadOutcome> {
  const cancelled: DownloadOutcome = { report_id: report.report_id, status: 'cancelled' };
  const chosen = await downloads.folder(true);
  if (!chosen) return cancelled;
  const results = await chosen.folder.download([report], {
    signal,
    priority: 'interactive',
    onEvent(event) {
      if (event.state === 'active') onProgress(event.bytes, event.total);
    },
  });
  return outcomesOf(results)[0] ?? cancelled;
}

/** Counts what is done under a progress notification: the bar moves with each, the words at quarters. */
export function counter(progress: Progress, total: number): (done: number) => void {
  const wordsAt = quarters();
  return (done) => {
    const message = wordsAt(done, total, () => vscode.l10n.t('{0} of {1}', localCount(done), localCount(total)));
    // Told with each step: the editor takes a step without words for the end of them.
    progress.report({ message, increment: 100 / total });
  };
}

/** Words that change as each quarter of a total is reached, because screen readers read out each change. */
function quarters(): (done: number, total: number, words: () => string) => string {
  let told = { quarter: -1, words: '' };
  return (done, total, words) => {
    const quarter = total > 0 ? Math.floor((4 * done) / total) : 0;
    if (quarter !== told.quarter) told = { quarter, words: words() };
    return told.words;
  };
}

type Progress = vscode.Progress<{ message?: string; increment?: number }>;

/** Tells a person once how it ended. Nothing opens by itself. */
export async function tellDownloaded({ root, results }: Omit<Downloaded, 'outcomes'>): Promise<void> {
  if (results.every(({ status }) => status === 'cancelled')) return;
  const [first] = results;
  const files = results.flatMap(({ path, report }) =>
    path === undefined ? [] : [{ name: report.report_key, path, uri: vscode.Uri.joinPath(root.uri, path) }],
  );
  const [file] = files;
  const insert = vscode.l10n.t('Insert into Notebook');
  const reveal = vscode.l10n.t('Reveal');
  const open = files.length === 1 ? vscode.l10n.t('Open') : vscode.l10n.t('Open…');
  const buttons = file === undefined ? [] : [open, reveal, insert];
  const failed = results.some(({ status }) => status === 'failed');
  const text = results.length === 1 && first ? single(first) : manySentence(results);
  const tell = failed ? vscode.window.showWarningMessage : vscode.window.showInformationMessage;
  const choice = await tell(notificationText(text), ...buttons);
  if (choice === undefined || file === undefined) return;
  if (choice === reveal) {
    await vscode.commands.executeCommand('revealInExplorer', file.uri);
    return;
  }
  if (choice === insert) {
    const here = results.filter(({ path }) => path !== undefined);
    // As a menu gives its selection, so that a person is asked where to when no document is open.
    const nodes = here.map(({ report: { report_id } }) => ({ kind: 'report', report: { report_id } }));
    await vscode.commands.executeCommand(commandIds.insertIntoNotebook, nodes[0], nodes);
    return;
  }
  const chosen = await choosePdf(files);
  if (chosen) await openPdfFile(chosen.uri);
}

function manySentence(results: readonly DownloadResult[]): string {
  const reason = results.find(({ status, reason }) => status === 'failed' && reason !== undefined)?.reason;
  return reason === undefined ? summarySentence(results) : `${summarySentence(results)} ${reason}`;
}

function single({ status, path, bytes, verified, reason }: DownloadResult): string {
  switch (status) {
    case 'downloaded': {
      const size = bytes === undefined ? '' : ` (${byteSize(bytes, vscode.env.language)})`;
      return verified
        ? vscode.l10n.t('Downloaded and verified: {0}{1}', path ?? '', size)
        : vscode.l10n.t('Downloaded, not verified: {0}{1}. {2}', path ?? '', size, reason ?? '');
    }
    case 'unchanged':
      return vscode.l10n.t('Already here: {0}. Nothing was downloaded.', path ?? '');
    case 'no-file':
    case 'not-entitled':
    case 'failed':
    case 'cancelled':
      return reason ?? vscode.l10n.t('The PDF could not be downloaded.');
    default:
      return status satisfies never;
  }
}

/** How many PDFs a download would bring here: what is asked about, and counted. */
function wantedOf({ toDownload, toCopy }: Plan): number {
  return toDownload.length + toCopy.length;
}

/** Asks whether these PDFs are meant to go there. With several folders open a person may choose another one. */
async function confirm({ root }: ChosenFolder, plan: Plan, wanted: readonly Wanted[]): Promise<Answer> {
  const [go, elsewhere] = [vscode.l10n.t('Download'), vscode.l10n.t('Choose Folder…')];
  const isOneOfSeveral = (vscode.workspace.workspaceFolders?.length ?? 0) > 1;
  const name = isOneOfSeveral ? vscode.workspace.getWorkspaceFolder(root.uri)?.name : undefined;
  const options = { modal: true, detail: planSentence(plan) };
  const buttons = isOneOfSeveral ? [go, elsewhere] : [go];
  const question = questionOf(
    wantedOf(plan),
    `${name === undefined ? '' : `${name}/`}${root.folder}/`,
    companyOf(wanted),
  );
  const choice = await vscode.window.showInformationMessage(notificationText(question), options, ...buttons);
  if (choice === undefined) return 'leave';
  return choice === go ? 'go' : 'elsewhere';
}

type Answer = 'go' | 'elsewhere' | 'leave';

function questionOf(count: number, where: string, company: string | undefined): string {
  const pdfs = count === 1 ? vscode.l10n.t('1 PDF') : vscode.l10n.t('{0} PDFs', localCount(count));
  return company === undefined
    ? vscode.l10n.t('Download {0} into {1}?', pdfs, where)
    : vscode.l10n.t('Download {0} of {1} into {2}?', pdfs, company, where);
}

/** The company that all of these reports are of, as far as they are at hand. */
function companyOf(wanted: readonly Wanted[]): string | undefined {
  const reports = wanted.map((one) => ('id' in one ? one.report : one));
  const keys = new Set(reports.map((report) => report?.company_key));
  const [first] = reports;
  return keys.size === 1 && first ? (first.company_name ?? first.company_key) : undefined;
}

/** A count in the reader's language. */
export function localCount(count: number): string {
  return count.toLocaleString(vscode.env.language);
}

function bytesOf(bytes: number, total: number | null): string {
  return total === null
    ? byteSize(bytes, vscode.env.language)
    : vscode.l10n.t('{0} of {1}', byteSize(bytes, vscode.env.language), byteSize(total, vscode.env.language));
}

/** A PDF that can be chosen. */
export interface PdfChoice {
  readonly name: string;
  /** Relative to the workspace folder. */
  readonly path: string;
  readonly uri: vscode.Uri;
}

/** Lets a person choose among PDFs that are here; one alone needs no question. Undefined when they leave. */
async function choosePdf<Choice extends PdfChoice>(choices: readonly Choice[]): Promise<Choice | undefined> {
  const [only] = choices;
  if (choices.length === 1) return only;
  const items = choices.map((choice) => ({
    label: labelText(choice.name),
    description: labelText(choice.path),
    choice,
  }));
  const options = {
    title: vscode.l10n.t('Open PDF'),
    placeHolder: vscode.l10n.t('Which PDF?'),
    matchOnDescription: true,
  };
  return (await vscode.window.showQuickPick(items, options))?.choice;
}

interface OpenPdfContext {
  readonly services: Services;
  readonly downloads: WorkspaceDownloads;
  noteChanged(reportIds: readonly number[]): void;
}

const downloadAndOpen = vscode.l10n.t('Download and Open');

/**
 * Opens a report's PDF: the workspace's file, else the copy that this machine keeps. When there is neither, a person is
 * offered the download; a program gets an error.
 */
export async function openPdf(context: OpenPdfContext, args: readonly unknown[]): Promise<void> {
  const { downloads } = context;
  const [id] = reportIds(args);
  if (id === undefined) {
    const pdfs = await downloads.localPdfs();
    if (pdfs.length === 0) {
      throw new Error(
        vscode.l10n.t('This workspace has no PDFs yet. Run Download PDFs… on a report in the Watchlist.'),
      );
    }
    const chosen = await choosePdf(pdfs.map((pdf) => ({ ...pdf, name: pdf.row.report_key })));
    if (chosen) await openChecked(downloads, chosen);
    return;
  }
  const found = await downloads.find(id);
  if (found) return openChecked(downloads, found);
  const kept = await keptCopy(context, id);
  if (kept) return openPdfFile(kept);
  const missing = vscode.l10n.t('The PDF of this report is not on this computer yet.');
  if (startsWithId(args)) throw new Error(vscode.l10n.t('{0} Download it first, then open it.', missing));
  const answer = await vscode.window.showInformationMessage(missing, downloadAndOpen);
  if (answer !== downloadAndOpen) return;
  const downloaded = await downloadReports(downloads, { ids: [id], mayAsk: true });
  if (!downloaded) return;
  context.noteChanged([id]);
  const [result] = downloaded.results;
  if (result?.path === undefined) {
    if (result?.status === 'cancelled') return;
    throw new Error(result?.reason ?? vscode.l10n.t('The PDF could not be downloaded.'));
  }
  await openPdfFile(vscode.Uri.joinPath(downloaded.root.uri, result.path));
}

/** Reading a file for longer than this, in ms, shows a progress that can be cancelled. */
const quick = 1000;
const toldFor = 8000;

/** Opens a PDF after its bytes were read and compared, and says what that found. */
async function openChecked(downloads: WorkspaceDownloads, pdf: LocalPdf): Promise<void> {
  const abort = new AbortController();
  const checking = downloads.check(pdf, true, abort.signal);
  const isQuick = await Promise.race([checking.then(() => true), systemClock.sleep(quick).then(() => false)]);
  if (!isQuick) {
    await withCancellableProgress(vscode.l10n.t('Checking {0}', pdf.path), (signal) => {
      signal.addEventListener('abort', () => abort.abort(signal.reason), { once: true });
      return checking;
    });
  }
  const { state, reason } = await checking;
  if (state === 'missing' || state === 'unreadable')
    throw new Error(reason ?? vscode.l10n.t('{0} no longer exists.', pdf.path));
  await openPdfFile(pdf.uri);
  const name = notificationText(pdf.path.split('/').at(-1) ?? pdf.path);
  if (state === 'edited') {
    void vscode.window.showWarningMessage(vscode.l10n.t('{0} was edited since it was downloaded.', name));
    return;
  }
  const found = {
    verified: vscode.l10n.t('$(verified-filled) {0}: verified', name),
    'matches-lock': vscode.l10n.t('$(unverified) {0}: matches the lock file, not compared with the service', name),
    unverified: vscode.l10n.t('$(unverified) {0}: not verified, the service published no hash', name),
    newer: vscode.l10n.t('$(arrow-circle-up) {0}: the service has a newer version', name),
    unread: '',
  }[state];
  vscode.window.setStatusBarMessage(found, toldFor);
}

/** A copy with a readable name of what this machine keeps of a report; asks the service nothing. */
async function keptCopy({ services, downloads }: OpenPdfContext, id: number): Promise<vscode.Uri | undefined> {
  if (!('connection' in (await services.ready()))) return undefined;
  const stored = await (await services.library()).library.report(id);
  return stored ? downloads.keptCopy(stored.report) : undefined;
}
