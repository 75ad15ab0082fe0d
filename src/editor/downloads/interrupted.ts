import * as vscode from 'vscode';
import { systemClock } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { once } from '../../base/once.ts';
import { countText } from '../../base/words.ts';
import type { PendingBatch } from '../../downloads/pendingBatches.ts';
import { aside, runBatch } from './batch.ts';
import { chosenReports, tellDownloaded } from './downloadCommand.ts';
import type { DownloadsContext } from './workspaceDownloads.ts';

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
  readonly #context: DownloadsContext;
  readonly #store = new DisposableStore();
  readonly #ended = new AbortController();
  readonly #running = new Set<string>();
  /** Looks for batches that were cut off and resumes what may be; the first call does, the others do nothing. */
  readonly look: () => void;

  constructor(context: DownloadsContext) {
    this.#context = context;
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

  dispose(): void {
    this.#store.dispose();
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
