import * as vscode from 'vscode';
import type { Report } from '../../api/schemas/report.ts';
import type { App, DownloadOutcome, RunOptions } from '../../app/app.ts';
import { systemClock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { once } from '../../base/once.ts';
import { countText } from '../../base/words.ts';
import { type PendingBatch, PendingBatches } from '../../downloads/pendingBatches.ts';
import type { DownloadResult } from '../../downloads/ports.ts';
import { chosenOf, isListOfIds, reportIds } from '../common/arguments.ts';
import { askForReports, withPdf } from '../common/chooseReports.ts';
import { chosenIds, chosenReports } from '../common/chosenReports.ts';
import { reveal, setContextKey } from '../common/commands.ts';
import { problemText } from '../common/messages.ts';
import { withCancellableProgress } from '../common/progress.ts';
import { upstream } from '../common/upstream.ts';
import { aside, runBatch } from './batch.ts';
import { downloadingTitle, downloadOutcome, downloadReports, tellDownloaded } from './downloadCommand.ts';
import { offerIgnore } from './ignoreOffer.ts';
import { restoreDownloads, updateDownloads, verifyDownloads } from './lockCommands.ts';
import { openPdf } from './openPdf.ts';
import { DownloadsTree, startOfDay } from './tree.ts';
import { type DownloadEntry, type DownloadNode, isDownloadEntry, isFailedGroup, isInterrupted } from './treeItems.ts';
import { type DownloadsContext, WorkspaceDownloads, type WorkspaceOptions } from './workspaceDownloads.ts';

export interface OpenedDownloads extends DownloadsContext, Disposable {
  readonly app: App;
  readonly interrupted: Interrupted;
  /** What ends with it. */
  readonly store: DisposableStore;
}

/** Opens them; the view bears how many are running. */
export function openDownloads(app: App, view: vscode.TreeView<DownloadNode>): OpenedDownloads {
  const { services, log, extension } = app;
  const { globalStorageUri: globalFolder, storageUri, workspaceState: state } = extension;
  const options: WorkspaceOptions = {
    ...{ services, log, globalFolder, state },
    upstream: (ids, signal) => upstream(services, ids, signal, log),
  };
  const { noteChanged } = app.downloads;
  const store = new DisposableStore();
  const directory = vscode.Uri.joinPath(storageUri ?? globalFolder, 'pending-downloads').fsPath;
  const pending = new PendingBatches(directory, systemClock, log);
  const downloads = store.add(new WorkspaceDownloads(options, pending));
  const tree = store.add(new DownloadsTree(systemClock, view));
  const context: DownloadsContext = {
    ...options,
    ...{ downloads, pending, tree, noteChanged },
    retry: (entries) => retryAll(context, entries),
  };
  const interrupted = new Interrupted(context, store);
  store.add(
    downloads.onDidChange((event) => {
      tree.note(event);
      const isHere = event.state === 'done' && ['downloaded', 'unchanged'].includes(event.result.status);
      if (isHere) void setContextKey('reportLibrary.didDownload', true);
    }),
  );
  return { ...context, app, interrupted, store, dispose: () => store.dispose() };
}

/** The Downloads view's tree, once it is shown, with interrupted batches and what was downloaded today. */
export async function treeOf(opened: OpenedDownloads): Promise<DownloadsTree> {
  const { tree, interrupted, downloads, log, app, store } = opened;
  interrupted.look();
  let isNamed = false;
  const lookForEarlier = () =>
    downloads.doneSince(startOfDay(Date.now())).then(
      (done) => {
        isNamed = done.newest.length > 0 && done.newest.every(({ job }) => job.report.report_title !== undefined);
        tree.addDone(done);
      },
      (error: unknown) => log.warn(`What was downloaded today is not known: ${problemText(error)}`),
    );
  // Without a connection nothing is known of them, and without a library read to its end no title.
  store.add(app.sync.onDidChangeState(({ running }) => void (running || isNamed || lookForEarlier())));
  await lookForEarlier();
  return tree;
}

export function commandsOf(opened: OpenedDownloads) {
  const { app, downloads, interrupted, tree } = opened;
  const entriesOf = (args: readonly unknown[]) => chosenOf(args).filter(isDownloadEntry);
  const batchesOf = (args: readonly unknown[]) =>
    chosenOf(args)
      .filter(isInterrupted)
      .map(({ batch }) => batch);

  return {
    downloadReports: async (...args: unknown[]) =>
      isListOfIds(args) ? runDownload(opened, reportIds(args)) : offerChosen(opened, args),
    verifyDownloads: (...args: unknown[]) => verifyDownloads(opened, args),
    updateDownloads: (...args: unknown[]) => updateDownloads(opened, args),
    restoreDownloads: (...args: unknown[]) => restoreDownloads(opened, args),
    openPdf: (...args: unknown[]) => openPdf(opened, args, reportIds([undefined, app.treeDrag.selection])),
    resumeDownloads: (...args: unknown[]) => interrupted.resume(batchesOf(args)),
    async cancelDownload(...args: unknown[]) {
      for (const batch of batchesOf(args)) await interrupted.discard(batch);
      for (const { job } of entriesOf(args)) downloads.cancel(job);
    },
    async retryDownload(...args: unknown[]) {
      const isAll = chosenOf(args).some(isFailedGroup);
      const chosen = entriesOf(args);
      const entries = isAll ? tree.entries('failed') : chosen.filter(({ state }) => state === 'failed');
      await retryAll(opened, entries);
    },
    async revealDownload(...args: unknown[]) {
      const [entry] = entriesOf(args);
      if (entry) await reveal(vscode.Uri.joinPath(vscode.Uri.file(entry.job.target.root), entry.job.target.path));
    },
    clearDownloads: async () => tree.clearFinished(),
  };
}

/** Downloads without a question, as a program does. */
export async function runDownload(
  opened: OpenedDownloads,
  ids: readonly number[],
  options: RunOptions = {},
): Promise<readonly DownloadOutcome[] | undefined> {
  const chosen = await readChosenReports(opened, [ids]);
  if (options.connection !== undefined && options.connection !== chosen.connection.id)
    throw new Error(vscode.l10n.t('This download belongs to another connection. Switch to it, then download again.'));
  const done = await downloadReports(opened, chosen.ids, false, chosen.inHand, chosen.connection, options);
  return done?.results.map(downloadOutcome);
}

/** Shows a person the plan, downloads, and says how it ended. Without reports they choose some. */
export async function offerDownload(
  opened: OpenedDownloads,
  reports: readonly (Report | number)[] | undefined,
): Promise<void> {
  if (!reports) return void (await offerChosen(opened, []));
  const ids = reports.map((report) => (typeof report === 'number' ? report : report.report_id));
  const chosen = await readChosenReports(opened, [ids]);
  const whole = reports.flatMap((report) =>
    typeof report === 'number' ? [] : ([[report.report_id, report]] as const),
  );
  await offer(opened, { ...chosen, inHand: new Map([...chosen.inHand, ...whole]) });
}

type Chosen = Awaited<ReturnType<typeof chosenReports>>;

/** The same for what a menu gives; else for what is selected in a tree, or what the person chooses. */
async function offerChosen(opened: OpenedDownloads, args: readonly unknown[]) {
  const given = args.length > 0 ? args : await whatToDownload(opened);
  return given && offer(opened, await readChosenReports(opened, given));
}

function readChosenReports({ services }: OpenedDownloads, args: readonly unknown[]): Promise<Chosen> {
  const reading = vscode.l10n.t('Reading the reports');
  return withCancellableProgress(reading, (signal) => chosenReports(args, services, signal));
}

async function offer(opened: OpenedDownloads, { ids, inHand, connection }: Chosen) {
  const { log, state } = opened;
  const done = await downloadReports(opened, ids, true, inHand, connection);
  if (!done) return undefined;
  const { results, root } = done;
  aside(tellDownloaded(opened, done), log);
  if (results.some(({ path }) => path !== undefined)) aside(offerIgnore(root, state), log);
  return results.map(downloadOutcome);
}

/** Downloads reports that are already read, for a feature that shows the result itself. */
export async function fetchReports(
  opened: OpenedDownloads,
  reports: readonly Report[],
  mayAsk: boolean,
): Promise<readonly DownloadResult[] | undefined> {
  const inHand = new Map(reports.map((report) => [report.report_id, report]));
  return (await downloadReports(opened, [...inHand.keys()], mayAsk, inHand))?.results;
}

/** Run by a key or from the palette: what is selected in a tree, else what a person is asked for. */
async function whatToDownload({ services, app, log }: OpenedDownloads): Promise<readonly unknown[] | undefined> {
  const selected = [undefined, app.treeDrag.selection];
  if ((await chosenIds(selected, services)).length > 0) return selected;
  const ids = await askForReports(services, { title: vscode.l10n.t('Download PDFs'), among: withPdf }, log);
  return ids && [ids];
}

/** Tries failed downloads again, folder by folder, until a person cancels. */
async function retryAll(context: DownloadsContext, entries: readonly DownloadEntry[]): Promise<void> {
  for (const [root, some] of Map.groupBy(entries, ({ job }) => job.target.root))
    if (!(await retryIn(context, root, some))) return;
}

/** Tries failed downloads of one folder again, and tells how they ended. True unless a person cancelled it. */
async function retryIn(opened: DownloadsContext, root: string, entries: readonly DownloadEntry[]): Promise<boolean> {
  const { downloads, tree, noteChanged, log } = opened;
  // Those that have to be read first are shown as waiting meanwhile.
  const failed = entries.map(({ job, report }) => ({ job, report }));
  for (const { job } of failed) tree.note({ job, state: 'waiting' });
  const results = await runBatch(downloadingTitle(failed.length), failed.length, (signal, { count }) =>
    downloads.retry(failed, { signal, onResult: count }),
  );
  for (const [at, result] of results.entries()) {
    const job = failed[at]?.job;
    if (job) tree.note({ job, state: 'done', result });
  }
  noteChanged(failed.map(({ report }) => report.report_id));
  aside(tellDownloaded(opened, { root: { uri: vscode.Uri.file(root) }, results }), log);
  return results.every(({ status }) => status !== 'cancelled');
}

/** Older batches, in ms, are resumed only by the person: what was wanted may have changed meanwhile. */
const automaticWithin = 24 * 60 * 60 * 1000;

/** How long, and how often, a window that is just ending is waited for; ms. */
const waitForOthers = 30_000;
const othersInterval = 1000;

/**
 * Batches that a reload or a crash cut off. Each is resumed once by itself; what is cut off again, is old, or belongs
 * to another connection waits in the Downloads view.
 */
class Interrupted {
  readonly #context: DownloadsContext;
  readonly #store: DisposableStore;
  readonly #ended = new AbortController();
  readonly #running = new Set<string>();
  /** Looks for batches that were cut off and resumes what may be; the first call does, the others do nothing. */
  readonly look: () => void;

  constructor(context: DownloadsContext, store: DisposableStore) {
    this.#context = context;
    this.#store = store;
    this.#store.add({ dispose: () => this.#ended.abort() });
    const looked = once(() => aside(this.#look(), context.log));
    this.look = () => looked.get();
  }

  /** Resumes batches because a person says so; all when none is given. */
  async resume(batches: readonly PendingBatch[]): Promise<void> {
    const left = batches.length > 0 ? batches : await this.#context.pending.left();
    if (left.length === 0) throw new Error(vscode.l10n.t('No download was interrupted.'));
    await this.#resumeEach(left, true);
  }

  /** Forgets a batch. What came of it stays. */
  async discard(batch: PendingBatch): Promise<void> {
    await this.#context.pending.forget(batch.id);
    await this.#show();
  }

  async #look(): Promise<void> {
    const { pending, services } = this.#context;
    await this.#show();
    // After a reload the window's former process may take a moment to end.
    for (let waited = 0; waited < waitForOthers && (await pending.othersRun()); waited += othersInterval)
      await systemClock.sleep(othersInterval, this.#ended.signal);
    if ((await this.#show()).length === 0) return;
    if ((await services.ready()).kind === 'signedIn') return this.#resumeByItself();
    const subscription = services.onDidChangeSession(({ kind }) => {
      if (kind !== 'signedIn') return;
      subscription.dispose();
      aside(this.#resumeByItself(), this.#context.log);
    });
    this.#store.add(subscription);
  }

  async #resumeByItself(): Promise<void> {
    const { pending, downloads } = this.#context;
    const isMine = (batch: PendingBatch) =>
      batch.resumed === 0 &&
      systemClock.now() - batch.begunAt < automaticWithin &&
      this.#isOfSession(batch) &&
      downloads.folderAt(batch.root) !== undefined;
    await this.#resumeEach((await pending.left()).filter(isMine), false);
  }

  async #resumeEach(batches: readonly PendingBatch[], isAsked: boolean): Promise<void> {
    for (const batch of batches) {
      if (this.#running.has(batch.id)) continue;
      this.#running.add(batch.id);
      try {
        await this.#show();
        await this.#resumeOne(batch, isAsked);
      } finally {
        this.#running.delete(batch.id);
        await this.#show();
      }
    }
  }

  async #resumeOne(batch: PendingBatch, isAsked: boolean): Promise<void> {
    const { downloads, services, noteChanged } = this.#context;
    if (isAsked && (await services.ready()).kind === 'signedIn' && !this.#isOfSession(batch))
      throw new Error(vscode.l10n.t('These downloads belong to another connection. Switch to it, then resume them.'));
    const chosen = downloads.folderAt(batch.root);
    if (!chosen)
      throw new Error(vscode.l10n.t('The folder of these downloads is no longer open. Open it, then resume them.'));
    const { root, folder } = chosen;
    const { length } = batch.reportIds;
    const title = vscode.l10n.t('Resuming interrupted downloads: {0}', countText(length));
    const results = await runBatch(title, length, async (signal, { count }) => {
      const options = { signal, onResult: count, priority: 'interactive', goesOnWith: batch } as const;
      if (batch.exactly) return folder.restore({ ...options, only: batch.reportIds });
      const { inHand, connection } = await chosenReports([batch.reportIds], services, signal);
      const known = connection.id === batch.connection ? inHand : undefined;
      const wanted = batch.reportIds.map((id) => ({ id, report: known?.get(id) }));
      return folder.download(wanted, options);
    });
    noteChanged(batch.reportIds);
    aside(tellDownloaded(this.#context, { root, results }), this.#context.log);
  }

  #isOfSession({ connection }: PendingBatch): boolean {
    const { session } = this.#context.services;
    return 'connection' in session && session.connection.id === connection;
  }

  /** Shows what was cut off and does not run. */
  async #show(): Promise<readonly PendingBatch[]> {
    const left = await this.#context.pending.left();
    this.#context.tree.showInterrupted(left.filter(({ id }) => !this.#running.has(id)));
    return left;
  }
}
