import * as vscode from 'vscode';
import type { LocalLibrary, Services } from '../../app/session.ts';
import { isAbortError, unlessAborted } from '../../base/clock.ts';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { l10n } from '../../base/l10n.ts';
import type { Logger } from '../../base/logger.ts';
import { counted, countText, duration } from '../../base/words.ts';
import type { Library } from '../../library/library.ts';
import type { LibraryStatus } from '../../library/store.ts';
import { estimateFirstLoad, type LoadEstimate, nextQuietTime, quietHours } from '../../library/sync/plan.ts';
import type { SyncOutcome } from '../../library/sync/syncEngine.ts';
import type { SweepQuestion } from '../../library/sync/syncRecord.ts';
import type { CommandRun } from '../common/commands.ts';
import type { Log } from '../common/log.ts';
import { problemText, showProblem } from '../common/messages.ts';
import { withCancellableProgress } from '../common/progress.ts';
import { applicationSetting } from '../common/settings.ts';
import type { SyncState } from '../common/syncState.ts';

/** How often (ms) it is looked whether a sync is due. */
const lookInterval = 10_000;

/** Keeps the library of the connection in use true, one run at a time, while the window has the focus. */
export class AutoSync implements Disposable {
  readonly #services: Services;
  readonly #log: Log;
  readonly #tell: (state: SyncState) => void;
  readonly #largeLoad: LargeLoad;
  readonly #store = new DisposableStore();
  #started = false;
  #abort = new AbortController();
  #running: Promise<SyncOutcome> | undefined;
  #ranAt = Number.NEGATIVE_INFINITY;
  #followed: LocalLibrary | undefined;
  #problem: string | null = null;

  constructor(services: Services, log: Log, tell: (state: SyncState) => void, largeLoad: LargeLoad) {
    this.#services = services;
    this.#log = log;
    this.#tell = tell;
    this.#largeLoad = largeLoad;
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

  /** Runs when a run is due and the window has the focus, or a large first load when its time has come. */
  wake(): void {
    const { session } = this.#services;
    if (!this.#started || this.#running || session.kind !== 'signedIn') return;
    const { id } = session.connection;
    const isDue = this.#largeLoad.isDue(id);
    const isJustDue = isDue && this.#largeLoad.noteDue(id);
    const interval = applicationSetting('reportLibrary.sync.intervalMinutes') * 60_000;
    if (!isJustDue && performance.now() - this.#ranAt < interval) return;
    const isFirst = this.#ranAt === Number.NEGATIVE_INFINITY;
    // The first run shows in the views what is waited for.
    if (!isFirst && this.#largeLoad.waitsFor(id) !== null) return;
    const isSeen = applicationSetting('reportLibrary.sync.automatic') && vscode.window.state.focused;
    if (isFirst || isSeen || isDue) void this.again();
  }

  /** Runs in the background. A failure is told in the views and the status bar: nobody is interrupted by it. */
  async again(): Promise<void> {
    try {
      await this.run(false, this.#abort.signal);
    } catch (error) {
      if (!isAbortError(error)) this.#log.warn(`Sync failed: ${problemText(error)}`);
    }
  }

  /** Runs now, as a person asked for it: a large first load waits for nothing any more. */
  async runNow(isFull: boolean, signal: AbortSignal): Promise<SyncOutcome> {
    const { session } = this.#services;
    if (session.kind === 'signedIn') this.#largeLoad.beginNow(session.connection.id);
    return this.run(isFull, signal);
  }

  /** Runs now; a run under way is waited for first when a full walk is asked for, else shared. */
  run(isFull: boolean, signal: AbortSignal): Promise<SyncOutcome> {
    if (this.#running && !isFull) return this.#running;
    const work = this.#run(isFull, signal).finally(() => {
      if (this.#running === work) this.#running = undefined;
    });
    this.#running = work;
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
      this.#problem = await unreadableProblem(local.library);
      if (outcome.ran) this.#largeLoad.end(local.connection.id);
      // Another window syncs. Should it end before it is done, this one takes over at its next look.
      if (!outcome.ran) this.#ranAt = Number.NEGATIVE_INFINITY;
      if (outcome.quarantined > 0)
        this.#log.warn(
          counted(
            outcome.quarantined,
            '1 record could not be read and was set aside.',
            '{0} records could not be read and were set aside.',
          ),
        );
      if (outcome.question) askAboutSweep(local, outcome.question, this.#log);
      return outcome;
    } catch (error) {
      if (!isAbortError(error)) this.#problem = problemText(error);
      throw error;
    } finally {
      await this.#report(local);
    }
  }

  /** A large license is not loaded before its size and time were shown (LIM-4). */
  async #askBeforeLargeLoad(local: LocalLibrary, isAsked: boolean, signal: AbortSignal): Promise<void> {
    const { phase } = await local.library.syncRecord();
    if (phase !== 'empty' || isAsked) return;
    const { id } = local.connection;
    if (this.#largeLoad.waitsFor(id) !== null) throw postponed();
    const asked = AbortSignal.any([signal, local.signal]);
    const entitlements = await unlessAborted(this.#services.entitlements(), asked);
    const requestsPerSecond = applicationSetting('reportLibrary.requestsPerSecond');
    const estimate = estimateFirstLoad({ entitlements, requestsPerSecond, year: new Date().getUTCFullYear() });
    if (!estimate.large) return;
    await local.engine.loadWatchlist(signal);
    const mayBegin = await this.#largeLoad.mayBegin(id, estimate, () => void this.#report(local));
    if (!mayBegin) throw postponed();
  }

  #follow(local: LocalLibrary): void {
    if (this.#followed === local) return;
    this.#followed = local;
    // These end with the library.
    local.engine.onDidProgress(() => void this.#report(local));
    local.library.onDidChange(({ sync }) => {
      if (sync) void this.#report(local);
    });
    local.library.onDidOpen((status) => tellLibraryNotice(status, this.#log));
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
    this.#tell({
      connectionId: id,
      running,
      progress: running ? progress : null,
      syncedAt,
      problem: this.#problem,
      waitsFor: this.#largeLoad.waitsFor(id),
    });
  }

  #onSession(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#ranAt = Number.NEGATIVE_INFINITY;
    this.#problem = null;
    this.#followed = undefined;
    // The old run ends with its connection; the new one must not share it.
    this.#running = undefined;
    this.wake();
  }
}

/** A library that is empty, or nearly so, because this version can't read the records must not pass for the license. */
export async function unreadableProblem(library: Pick<Library, 'totals'>): Promise<string | null> {
  const { listed, quarantined } = await library.totals();
  if (quarantined <= listed) return null;
  return l10n.t(
    'Records from the service that couldn’t be read: {0}. Check for an update of Report Library.',
    countText(quarantined),
  );
}

/** Not a failure: only what it waits for is shown. */
function postponed(): DOMException {
  return new DOMException('The first load was postponed.', 'AbortError');
}

/** What Sync Now and Check for Removed Reports give a program. */
export interface SyncCounts {
  readonly added: number;
  readonly changed: number;
  readonly withdrawn: number;
  readonly removed: number;
}

/** Sync Now and Check for Removed Reports; run with `true`, as by a program, they say nothing. */
export function syncCommands(sync: AutoSync): Readonly<Record<'sync' | 'fullWalk', CommandRun>> {
  return {
    sync: (silent) => syncWithProgress(sync, false, silent !== true),
    fullWalk: (silent) => syncWithProgress(sync, true, silent !== true),
  };
}

/** Runs a sync with progress and a cancel, and tells a person what it did. */
async function syncWithProgress(sync: AutoSync, isFull: boolean, tell: boolean): Promise<SyncCounts> {
  const title = isFull ? vscode.l10n.t('Checking for removed reports') : vscode.l10n.t('Syncing the report library');
  const outcome = await withCancellableProgress(title, (signal) => sync.runNow(isFull, signal));
  const { added, changed, withdrawn, removed } = outcome;
  if (tell) void vscode.window.showInformationMessage(sentence(outcome));
  return { added, changed, withdrawn, removed };
}

function sentence({ added, changed, withdrawn, removed, quarantined, ran }: SyncOutcome): string {
  if (!ran) return vscode.l10n.t('Another window is already syncing; its changes appear here automatically.');
  const parts = [
    [added, vscode.l10n.t('new')],
    [changed, vscode.l10n.t('changed')],
    [withdrawn, vscode.l10n.t('withdrawn')],
    [removed, vscode.l10n.t('removed')],
    [quarantined, vscode.l10n.t('unreadable')],
  ] as const;
  const said = parts.filter(([count]) => count > 0).map(([count, word]) => `${countText(count)} ${word}`);
  return said.length === 0
    ? vscode.l10n.t('The library is up to date; nothing has changed.')
    : vscode.l10n.t('Library synced: {0}.', said.join(', '));
}

/** A full walk would remove so much that a fault is likelier: nothing is removed before somebody says so (ST-3). */
function askAboutSweep({ engine }: LocalLibrary, { kind, missing, held }: SweepQuestion, log: Logger): void {
  const remove = vscode.l10n.t('Mark as Removed');
  const keep = vscode.l10n.t('Keep');
  const counts = vscode.l10n.t('{0} of {1} reports were not found', countText(missing), countText(held));
  const text =
    kind === 'walk-cut'
      ? vscode.l10n.t(
          'The check for removed reports was interrupted, so its result is inconclusive: {0}. Nothing was removed.',
          counts,
        )
      : vscode.l10n.t(
          'The service no longer lists many reports: {0}. Your license may have changed, or the service may have a problem. Nothing has been removed yet.',
          counts,
        );
  const buttons = kind === 'walk-cut' ? [keep] : [remove, keep];
  void vscode.window.showWarningMessage(text, ...buttons).then(async (choice) => {
    if (choice === undefined) return;
    try {
      await engine.answer(choice === remove ? 'remove' : 'keep');
    } catch (error) {
      showProblem(error, log);
    }
  });
}

/** Says once why a library keeps nothing, or was begun anew. */
function tellLibraryNotice({ notice, setAside }: LibraryStatus, log: Logger): void {
  if (notice === null) return;
  log.warn(setAside === null ? notice : `${notice} The damaged file is kept beside it.`);
  void vscode.window.showWarningMessage(notice);
}

/** What a large first load waits for: an answer, Sync Now, or a time in ms since the epoch. */
type LoadWait = 'answer' | 'sync' | number;

/** When large first loads run (LIM-4). What a person chose holds while the window stays open. */
export class LargeLoad {
  readonly #now: () => number;
  readonly #wanted = new Set<string>();
  #wait: { readonly connectionId: string; readonly until: LoadWait } | undefined;
  /** Answers the open question. */
  #loadNow = (): void => {};

  constructor(now: () => number) {
    this.#now = now;
  }

  /** What the load of a connection waits for; null when for nothing. */
  waitsFor(connectionId: string): LoadWait | null {
    const until = this.#wait?.connectionId === connectionId ? this.#wait.until : null;
    return typeof until === 'number' && until <= this.#now() ? null : until;
  }

  /** Whether the chosen time for the load of a connection has come, and it is not loaded yet. */
  isDue(connectionId: string): boolean {
    return this.#wait?.connectionId === connectionId && this.waitsFor(connectionId) === null;
  }

  /** Returns true the first time. The load of this connection needs no further confirmation. */
  noteDue(connectionId: string): boolean {
    const isNew = !this.#wanted.has(connectionId);
    this.#wanted.add(connectionId);
    return isNew;
  }

  /** Whether a load may begin. Shows the size and time of a large one and asks, except where Sync Now was run. */
  async mayBegin(connectionId: string, estimate: LoadEstimate, onWait: () => void): Promise<boolean> {
    const quiet = nextQuietTime(this.#now());
    if (!estimate.large || this.#wanted.has(connectionId)) return true;
    try {
      const until = await new Promise<LoadWait | null>((resolve, reject) => {
        this.#wait = { connectionId, until: 'answer' };
        this.#loadNow = () => resolve(null);
        onWait();
        askAboutLargeLoad(estimate, quiet, quiet <= this.#now()).then(resolve, reject);
      });
      this.#wait = until === null ? undefined : { connectionId, until };
      return until === null;
    } catch (error) {
      this.#wait = undefined;
      throw error;
    }
  }

  /** A person who saw size and time wants the load now. */
  beginNow(connectionId: string): void {
    if (this.waitsFor(connectionId) === null) return;
    this.#wanted.add(connectionId);
    this.#wait = undefined;
    this.#loadNow();
  }

  /** The library was loaded. */
  end(connectionId: string): void {
    if (this.#wait?.connectionId === connectionId) this.#wait = undefined;
  }
}

/**
 * Shows size and time of a large first load, and asks when it should run (LIM-4). Null for now.
 * @param quiet when the service's quiet hours begin, ms since the epoch
 * @param isQuiet whether they have started
 */
async function askAboutLargeLoad(
  { reports, seconds }: LoadEstimate,
  quiet: number,
  isQuiet: boolean,
): Promise<LoadWait | null> {
  const time = (at: number) =>
    new Date(at).toLocaleTimeString(vscode.env.language, { hour: '2-digit', minute: '2-digit' });
  const now = vscode.l10n.t('Load Now');
  const later = vscode.l10n.t('Load at {0}', time(quiet));
  const choice = await vscode.window.showInformationMessage(
    vscode.l10n.t(
      'Your license includes about {0} reports. Loading their metadata takes about {1}. The service asks to run large loads between {2} and {3}. To load then, keep this window open. Companies that you open load immediately either way.',
      countText(reports),
      duration(seconds * 1000),
      time(quiet),
      time(quiet + quietHours),
    ),
    now,
    ...(isQuiet ? [] : [later]),
    vscode.l10n.t('Cancel'),
  );
  if (choice === now) return null;
  return choice === later ? quiet : 'sync';
}
