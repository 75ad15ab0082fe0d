import * as vscode from 'vscode';
import { type Clock, isAbortError, systemClock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { FolderBatchOptions } from '../../downloads/folder.ts';
import type { PendingBatch, PendingBatches } from '../../downloads/pendingBatches.ts';
import type { Services } from '../../services.ts';
import type { Log } from '../common/log.ts';
import { showProblem, withCancellableProgress } from '../common/messages.ts';
import type { DownloadActivity } from './activity.ts';
import { chosenReports, counter, tellDownloaded } from './downloadCommand.ts';
import type { ChosenFolder } from './downloadRoot.ts';
import type { WorkspaceDownloads } from './workspaceDownloads.ts';

export interface InterruptedOptions {
  readonly services: Services;
  readonly log: Log;
  readonly pending: PendingBatches;
  readonly downloads: WorkspaceDownloads;
  readonly activity: DownloadActivity;
  noteChanged(reportIds: readonly number[]): void;
  readonly clock?: Clock;
}

/** Older batches, in ms, are resumed only by the person: what was wanted may have changed meanwhile. */
const automaticWithin = 24 * 60 * 60 * 1000;

/** How long, and how often, a window that is just ending is waited for; ms. */
const waitForOthers = 30_000;
const othersInterval = 1000;

/**
 * Batches that a reload or a crash cut off. Each is resumed once by itself, with a progress that can be cancelled; what
 * is cut off again, is old, or belongs to another connection waits in the Downloads view.
 */
export class Interrupted implements Disposable {
  readonly #options: InterruptedOptions;
  readonly #clock: Clock;
  readonly #store = new DisposableStore();
  readonly #ended = new AbortController();
  readonly #running = new Set<string>();
  #looked: Promise<void> | undefined;

  constructor(options: InterruptedOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#store.add({ dispose: () => this.#ended.abort() });
  }

  /** Looks for batches that were cut off and resumes what may be; the first call does, the others do nothing. */
  look(): void {
    this.#looked ??= this.#look().catch((error: unknown) => {
      if (!isAbortError(error)) showProblem(error, this.#options.log);
    });
  }

  /** Resumes batches because a person says so; all when none is given. */
  async resume(batches?: readonly PendingBatch[]): Promise<void> {
    const left = batches ?? (await this.#options.pending.left());
    if (left.length === 0) throw new Error(vscode.l10n.t('No download was interrupted.'));
    await this.#resumeEach(left, true);
  }

  /** Forgets a batch. What came of it stays. */
  async discard(batch: PendingBatch): Promise<void> {
    await this.#options.pending.forget(batch.id);
    await this.#show();
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #look(): Promise<void> {
    const { pending, services } = this.#options;
    await this.#show();
    // After a reload the window's former process may take a moment to end.
    for (let waited = 0; waited < waitForOthers && (await pending.othersRun()); waited += othersInterval) {
      await this.#clock.sleep(othersInterval, this.#ended.signal);
    }
    if ((await this.#show()).length === 0) return;
    const session = await services.ready();
    if (session.kind === 'signedIn') return this.#resumeByItself();
    const subscription = services.onDidChangeSession(({ kind }) => {
      if (kind !== 'signedIn') return;
      subscription.dispose();
      this.#resumeByItself().catch((error: unknown) => showProblem(error, this.#options.log));
    });
    this.#store.add(subscription);
  }

  async #resumeByItself(): Promise<void> {
    const isFresh = ({ resumed, begunAt }: PendingBatch) =>
      resumed === 0 && this.#clock.now() - begunAt < automaticWithin;
    const { pending, downloads } = this.#options;
    const mine = (await pending.left()).filter((batch) => isFresh(batch) && this.#isOfSession(batch));
    await this.#resumeEach(
      mine.filter(({ root }) => downloads.folderAt(root) !== undefined),
      false,
    );
  }

  async #resumeEach(batches: readonly PendingBatch[], isAsked: boolean): Promise<void> {
    for (const batch of batches) {
      if (this.#running.has(batch.id)) continue;
      this.#running.add(batch.id);
      try {
        await this.#resumeOne(batch, isAsked);
      } finally {
        this.#running.delete(batch.id);
        await this.#show();
      }
    }
  }

  async #resumeOne(batch: PendingBatch, isAsked: boolean): Promise<void> {
    const { downloads, services, noteChanged } = this.#options;
    if (isAsked && (await services.ready()).kind === 'signedIn' && !this.#isOfSession(batch)) {
      throw new Error(vscode.l10n.t('These downloads belong to another connection. Switch to it, then resume them.'));
    }
    const chosen = downloads.folderAt(batch.root);
    if (!chosen)
      throw new Error(vscode.l10n.t('The folder of these downloads is no longer open. Open it, then resume them.'));
    const { length } = batch.reportIds;
    const title =
      length === 1
        ? vscode.l10n.t('Resuming 1 interrupted download')
        : vscode.l10n.t('Resuming {0} interrupted downloads', length);
    const results = await withCancellableProgress(title, async (signal, progress) => {
      const count = counter(progress, length);
      let done = 0;
      await this.#show(batch.id);
      return this.#carryOut(batch, chosen, { signal, onResult: () => count(++done) });
    });
    noteChanged(batch.reportIds);
    tellDownloaded({ root: chosen.root, results }).catch((error: unknown) => showProblem(error, this.#options.log));
  }

  async #carryOut(batch: PendingBatch, { folder }: ChosenFolder, told: FolderBatchOptions) {
    const options = { ...told, priority: 'interactive', goesOnWith: batch } as const;
    if (batch.exactly) return folder.restore({ ...options, only: batch.reportIds });
    const { inHand } = await chosenReports([batch.reportIds], this.#options.services);
    return folder.download(
      batch.reportIds.map((id) => ({ id, report: inHand.get(id) })),
      options,
    );
  }

  #isOfSession({ connection }: PendingBatch): boolean {
    const { session } = this.#options.services;
    return 'connection' in session && session.connection.id === connection;
  }

  /** Shows what was cut off and does not run. */
  async #show(without?: string): Promise<readonly PendingBatch[]> {
    const left = await this.#options.pending.left();
    const idle = left.filter(({ id }) => id !== without && !this.#running.has(id));
    this.#options.activity.showInterrupted(idle);
    return left;
  }
}
