import * as vscode from 'vscode';
import { isAbortError } from '../../base/abort.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { estimateFirstLoad, nextQuietTime } from '../../library/sync/plan.ts';
import type { SyncOutcome } from '../../library/sync/syncEngine.ts';
import type { LocalLibrary, Services } from '../../services.ts';
import { applicationSetting } from '../common/configValue.ts';
import type { Log } from '../common/log.ts';
import { problemText } from '../common/showProblem.ts';
import type { SyncState } from '../common/syncState.ts';
import { boundCalls } from './boundCalls.ts';
import { askAboutLargeLoad, askAboutSweep, tellLibraryNotice } from './questions.ts';

/** How often (ms) it is looked whether a sync is due. */
const lookInterval = 10_000;

/** Keeps the library of the connection in use true, one run at a time, while the window has the focus. */
export class AutoSync implements Disposable {
  readonly #services: Services;
  readonly #log: Log;
  readonly #tell: (state: SyncState) => void;
  readonly #now: () => number;
  readonly #store = new DisposableStore();
  #started = false;
  #abort = new AbortController();
  #running: Promise<SyncOutcome> | undefined;
  #ranAt = Number.NEGATIVE_INFINITY;
  /** A large first load waits for the night until then, ms since the epoch. */
  #waitUntil = 0;
  #followed: LocalLibrary | undefined;
  #following = this.#store.add(new DisposableStore());
  #problem: string | null = null;

  constructor(services: Services, log: Log, tell: (state: SyncState) => void, now: () => number) {
    this.#services = services;
    this.#log = log;
    this.#tell = tell;
    this.#now = now;
    const timer = setInterval(() => this.wake(), lookInterval);
    this.#store.add({ dispose: () => clearInterval(timer) });
    this.#store.add({ dispose: () => this.#abort.abort() });
    this.#store.add(services.onDidChangeSession(() => this.#onSession()));
  }

  /** From now on runs by itself. */
  start(): void {
    if (this.#started) return;
    this.#started = true;
    this.wake();
  }

  /** Runs when a run is due and somebody is there to see it. */
  wake(): void {
    const interval = applicationSetting('reportLibrary.sync.intervalMinutes') * 60_000;
    const isDue = performance.now() - this.#ranAt >= interval && this.#now() >= this.#waitUntil;
    const isFirst = this.#ranAt === Number.NEGATIVE_INFINITY;
    if (!this.#started || !isDue || this.#running || this.#services.session.kind !== 'signedIn') return;
    if (!isFirst && (!applicationSetting('reportLibrary.sync.automatic') || !vscode.window.state.focused)) return;
    void this.again();
  }

  /** Runs in the background. A failure is told in the views and the status bar: nobody is interrupted by it. */
  async again(): Promise<void> {
    try {
      await this.run(false, this.#abort.signal);
    } catch (error) {
      if (!isAbortError(error)) this.#log.warn(`Sync failed: ${problemText(error)}`);
    }
  }

  /** Runs now; a run under way is waited for first when a full walk is asked for, else shared. */
  run(isFull: boolean, signal: AbortSignal): Promise<SyncOutcome> {
    if (this.#running && !isFull) return this.#running;
    const work = this.#run(isFull, signal);
    this.#running = work;
    const done = () => {
      if (this.#running === work) this.#running = undefined;
    };
    work.then(done, done);
    return work;
  }

  dispose(): void {
    this.#store.dispose();
  }

  async #run(isFull: boolean, signal: AbortSignal): Promise<SyncOutcome> {
    const local = await this.#services.library();
    this.#follow(local);
    this.#ranAt = performance.now();
    try {
      await this.#askBeforeLargeLoad(local, isFull, signal);
      const outcome = await (isFull ? local.engine.fullWalk({ signal }) : local.engine.sync({ signal }));
      this.#problem = null;
      // Another window syncs. Should it end before it is done, this one takes over at its next look.
      if (!outcome.ran) this.#ranAt = Number.NEGATIVE_INFINITY;
      if (outcome.question) askAboutSweep(local, outcome.question, this.#log);
      return outcome;
    } catch (error) {
      if (!isAbortError(error)) this.#problem = error instanceof Error ? problemText(error) : String(error);
      throw error;
    } finally {
      await this.#report(local);
    }
  }

  /** A large licence is not loaded before its size and time were told (LIM-4). */
  async #askBeforeLargeLoad(local: LocalLibrary, isAsked: boolean, signal: AbortSignal): Promise<void> {
    const { phase } = await local.library.syncRecord();
    if (phase !== 'empty' || isAsked) return;
    const entitlements = await boundCalls(this.#services, local.connection).call((client) =>
      client.entitlements({ signal }),
    );
    const requestsPerSecond = applicationSetting('reportLibrary.requestsPerSecond');
    const estimate = estimateFirstLoad({ entitlements, requestsPerSecond, year: new Date().getUTCFullYear() });
    const now = this.#now();
    const quiet = nextQuietTime(now);
    if (!estimate.large || quiet <= now) return;
    await local.engine.loadWatchlist(signal);
    if ((await askAboutLargeLoad(estimate)) === 'now') return;
    this.#waitUntil = quiet;
    throw new DOMException('The first load waits for the night.', 'AbortError');
  }

  #follow(local: LocalLibrary): void {
    if (this.#followed === local) return;
    this.#followed = local;
    this.#following.dispose();
    this.#following = this.#store.add(new DisposableStore());
    this.#following.add(local.engine.onDidProgress(() => void this.#report(local)));
    this.#following.add(
      local.library.onDidChange(({ sync }) => {
        if (sync) void this.#report(local);
      }),
    );
    this.#following.add(local.library.onDidOpen((status) => tellLibraryNotice(status, this.#log)));
  }

  async #report(local: LocalLibrary): Promise<void> {
    if (this.#followed !== local || this.#store.isDisposed) return;
    const { progress } = local.engine;
    const syncedAt = await local.library.syncRecord().then(
      (record) => record.syncedAt,
      () => null,
    );
    if (this.#followed !== local || this.#store.isDisposed) return;
    const running = progress.activity !== 'idle';
    const { id } = local.connection;
    this.#tell({ connectionId: id, running, progress: running ? progress : null, syncedAt, problem: this.#problem });
  }

  #onSession(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#ranAt = Number.NEGATIVE_INFINITY;
    this.#waitUntil = 0;
    this.#problem = null;
    this.#followed = undefined;
    // The old run ends with its connection; the new one must not share it.
    this.#running = undefined;
    this.wake();
  }
}
