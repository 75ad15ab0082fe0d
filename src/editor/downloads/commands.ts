import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { type Disposable, DisposableStore, type Event } from '../../base/disposable.ts';
import { PendingBatches } from '../../downloads/pendingBatches.ts';
import { chosenOf, isListOfIds, isOptions } from '../common/arguments.ts';
import { askForReports, withPdf } from '../common/chooseReports.ts';
import type { CommandRun } from '../common/commands.ts';
import { problemText, showProblem } from '../common/messages.ts';
import type { TreeDragController } from '../common/treeDrag.ts';
import { DownloadActivity, isDownloadEntry, isInterrupted, startOfDay } from './activity.ts';
import { chosenReports, downloadReports, openPdf, tellDownloaded } from './downloadCommand.ts';
import { offerIgnore } from './ignoreOffer.ts';
import { Interrupted } from './interrupted.ts';
import { restoreDownloads, type Told, updateDownloads, verifyDownloads } from './lockCommands.ts';
import { type DownloadNode, DownloadsTree, keepBadge } from './tree.ts';
import { WorkspaceDownloads, type WorkspaceOptions } from './workspaceDownloads.ts';

/** What the downloads need from outside. */
export interface DownloadsOptions extends WorkspaceOptions {
  /** Where this workspace's state is; undefined without a folder. */
  readonly storage: vscode.Uri | undefined;
  readonly treeDrag: TreeDragController;
  readonly onDidChangeUpstream: Event<unknown>;
}

type Run = (context: OpenedDownloads, args: readonly unknown[]) => Promise<unknown>;

/**
 * A button on a row of a tree gives its node, but nothing at all once the tree is being read again: the editor has
 * forgotten by then which row it was.
 */
const rowGone = vscode.l10n.t('The list was refreshed. Choose again.');

/** The commands of this feature, by their short names. */
const downloadsCommands = {
  async downloadReports(context, args) {
    const mayAsk = !isListOfIds(args);
    const given = args.length > 0 ? args : await whatToDownload(context);
    if (!given) return undefined;
    const { ids, inHand } = await chosenReports(given, context.services);
    if (ids.length === 0 && mayAsk) throw new Error(rowGone);
    const downloaded = await downloadReports(context.downloads, { ids, mayAsk, inHand });
    if (!downloaded) return undefined;
    context.noteChanged(ids);
    if (mayAsk) {
      aside(tellDownloaded(downloaded), context);
      const hasFile = downloaded.results.some(({ path }) => path !== undefined);
      if (hasFile) aside(offerIgnore(downloaded.root, context.state), context);
    }
    return downloaded.outcomes;
  },

  async verifyDownloads(context, args) {
    return told(context, args, await verifyDownloads(context.downloads, !isOptions(args)));
  },

  async updateDownloads(context, args) {
    const done = await updateDownloads(context.downloads, !isOptions(args));
    context.noteChanged(idsOf(done?.outcome));
    return told(context, args, done);
  },

  async restoreDownloads(context, args) {
    const done = await restoreDownloads(context.downloads, !isOptions(args));
    context.noteChanged(idsOf(done?.outcome));
    if (done && !isOptions(args)) aside(offerIgnore(done.root, context.state), context);
    return told(context, args, done);
  },

  openPdf,

  async resumeDownloads({ interrupted }, args) {
    const batches = chosenOf(args)
      .filter(isInterrupted)
      .map(({ batch }) => batch);
    await interrupted.resume(batches.length > 0 ? batches : undefined);
  },

  async cancelDownload({ downloads, interrupted }, args) {
    for (const { batch } of chosenOf(args).filter(isInterrupted)) await interrupted.discard(batch);
    for (const { job } of chosenEntries(args)) downloads.cancel(job);
  },

  async retryDownload(context, args) {
    const entries = chosenEntries(args).filter(({ state }) => state === 'failed');
    const ended = await Promise.allSettled(entries.map(({ job, report }) => context.downloads.retry(job, report)));
    context.noteChanged(entries.map(({ report }) => report.report_id));
    const failed = ended.find((one) => one.status === 'rejected');
    if (failed) throw failed.reason;
  },

  async revealDownload(_context, args) {
    const [entry] = chosenEntries(args);
    if (!entry) return;
    const { root, path } = entry.job.target;
    const uri = vscode.Uri.joinPath(vscode.Uri.file(root), path);
    const command = vscode.workspace.getWorkspaceFolder(uri) ? 'revealInExplorer' : 'revealFileInOS';
    await vscode.commands.executeCommand(command, uri);
  },

  async clearDownloads({ activity }) {
    activity.clearFinished();
  },
} satisfies Record<string, Run>;

export type DownloadsCommand = keyof typeof downloadsCommands;

/** The downloads of this window, once somebody needs them. */
export interface OpenedDownloads extends DownloadsOptions, Disposable {
  readonly downloads: WorkspaceDownloads;
  /** What they are doing; empty at first. */
  readonly activity: DownloadActivity;
  readonly interrupted: Interrupted;
  noteChanged(reportIds: readonly number[]): void;
}

/** Opens them, and shows on the view how many are running. */
export function openDownloads(
  options: DownloadsOptions,
  view: vscode.TreeView<DownloadNode>,
  noteChanged: (reportIds: readonly number[]) => void,
): OpenedDownloads {
  const { services, log, globalFolder, storage } = options;
  const store = new DisposableStore();
  const activity = new DownloadActivity(systemClock);
  const directory = vscode.Uri.joinPath(storage ?? globalFolder, 'pending-downloads').fsPath;
  const pending = store.add(new PendingBatches(directory, systemClock, log));
  const downloads = new WorkspaceDownloads(options, pending);
  const interrupted = store.add(new Interrupted({ services, log, pending, downloads, activity, noteChanged }));
  store.add(downloads.onDidChange((event) => activity.note(event)));
  store.add(keepBadge(view, activity));
  return { ...options, downloads, activity, interrupted, noteChanged, dispose: () => store.dispose() };
}

/** The commands as they are registered. */
export function commandsOf(opened: OpenedDownloads): Readonly<Record<DownloadsCommand, CommandRun>> {
  const bound = Object.entries(downloadsCommands).map(([name, run]) => [
    name,
    (...args: unknown[]) => run(opened, args),
  ]);
  return Object.fromEntries(bound) as Readonly<Record<DownloadsCommand, CommandRun>>;
}

/** The Downloads view's tree; looks for what a reload or a crash cut off. */
export function treeOf({ activity, interrupted, downloads, log }: OpenedDownloads): DownloadsTree {
  interrupted.look();
  downloads.doneSince(startOfDay(Date.now())).then(
    (done) => activity.addDone(done),
    (error: unknown) => log.warn(`What was downloaded today is not known: ${problemText(error)}`),
  );
  return new DownloadsTree(activity, systemClock);
}

/** Run by a key or from the palette: what is selected in a tree, else what a person is asked for. */
async function whatToDownload({ services, treeDrag, log }: OpenedDownloads): Promise<readonly unknown[] | undefined> {
  const selected = [undefined, treeDrag.selection];
  if ((await chosenReports(selected, services)).ids.length > 0) return selected;
  const ids = await askForReports(services, { title: vscode.l10n.t('Download PDFs'), among: withPdf }, log);
  return ids && [ids];
}

function told<T>(context: OpenedDownloads, args: readonly unknown[], done: Told<T> | undefined): T | undefined {
  if (done && !isOptions(args)) aside(done.tell(), context);
  return done?.outcome;
}

function idsOf(outcomes: readonly { readonly report_id: number }[] = []): number[] {
  return outcomes.map(({ report_id }) => report_id);
}

function chosenEntries(args: readonly unknown[]) {
  return chosenOf(args).filter(isDownloadEntry);
}

/** Lets a message wait for its reader while the command is done. */
function aside(message: Promise<void>, { log }: OpenedDownloads): void {
  message.catch((error: unknown) => showProblem(error, log));
}
