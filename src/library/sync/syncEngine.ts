import { type Clock, systemClock } from '../../base/clock.ts';
import { Emitter } from '../../base/disposable.ts';
import { l10n } from '../../base/l10n.ts';
import { type Logger, silentLogger } from '../../base/logger.ts';
import { Semaphore } from '../../base/semaphore.ts';
import { LeaseLost, type Leases, machineLeases } from '../../machine/lease.ts';
import type { Library } from '../library.ts';
import { addCounts, type CountSum, noCounts, type WriteCounts } from '../libraryChange.ts';
import { LibraryError } from '../libraryError.ts';
import { nextTask, startAfterRefusal } from './decisions.ts';
import { idleProgress, inBackground, type Run, type SyncProgress, type SyncSource } from './run.ts';
import type { SweepQuestion } from './syncRecord.ts';
import {
  beginLoad,
  beginWalk,
  finishWalk,
  loadCompany,
  refreshWatchlist,
  resumeLoad,
  type WatchlistPosition,
} from './walks.ts';

interface SyncOptions {
  readonly library: Library;
  readonly source: SyncSource;
  /** The library's file: one process at a time syncs it. */
  readonly path: string;
  readonly requestsPerSecond: () => number;
  /** Days between full walks; 0 for none. */
  readonly fullWalkDays: () => number;
  readonly clock?: Clock | undefined;
  readonly logger?: Logger | undefined;
  /** Those that all windows and command lines share by default. */
  readonly leases?: Leases | undefined;
}

export interface SyncOutcome extends WriteCounts {
  /** False when another window is the one that syncs, or took over; its changes arrive by themselves. */
  readonly ran: boolean;
  /** Waits for an answer: see {@link SyncEngine.answer}. */
  readonly question: SweepQuestion | null;
}

/** How long a process that can't renew its lease keeps others from syncing, in ms. */
const leaseTime = 60_000;

/** Keeps a library up to date with the service: first load, change feed, full walk. One run at a time. */
export class SyncEngine {
  readonly #options: SyncOptions;
  readonly #clock: Clock;
  readonly #progressed = new Emitter<SyncProgress>();
  readonly onDidProgress = this.#progressed.event;
  #progress = idleProgress;
  /** The beginning of the watchlist that was read before a first load, which then needs no second reading. */
  #watchlist: WatchlistPosition | null = null;
  /** Records that were set aside are read again once by this version. */
  #hasReplayed = false;
  readonly #turn = new Semaphore(1);

  constructor(options: SyncOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  get progress(): SyncProgress {
    return this.#progress;
  }

  /** Does all that is due. A call during a run waits, then has its own. Stored pages stay if it fails. */
  sync({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<SyncOutcome> {
    return this.#turn.run(() => this.#syncUnderLease(signal, false), true, signal);
  }

  /** The same, with a full walk whether due or not (ST-3). */
  fullWalk({ signal }: { readonly signal?: AbortSignal | undefined } = {}): Promise<SyncOutcome> {
    return this.#turn.run(() => this.#syncUnderLease(signal, true), true, signal);
  }

  /** Fetches one company's reports at once, during any run; they count toward a first load. */
  loadCompany(companyKey: string, signal?: AbortSignal): Promise<WriteCounts> {
    return loadCompany(this.#options.library.withSignal(signal), this.#options.source, companyKey, signal);
  }

  /** Reads the companies only: they can be browsed, and opened one by one, before a load has begun. */
  async loadWatchlist(signal?: AbortSignal): Promise<void> {
    const { library, source } = this.#options;
    this.#watchlist = await refreshWatchlist(library.withSignal(signal), source, { signal, priority: 'interactive' });
  }

  /** Answers the question of a full walk. An interrupted walk proves nothing, so it never removes. */
  async answer(answer: 'remove' | 'keep', signal?: AbortSignal): Promise<SyncOutcome> {
    const { library } = this.#options;
    const counts = await this.#underLease(signal, async (generation) => {
      const { question } = await library.syncRecord();
      if (!question) return noCounts;
      const settled = { question: null, walkOwed: false, walkedAt: question.askedAt };
      if (answer === 'remove' && question.kind !== 'walk-cut') return (await library.sweep(settled, generation)).counts;
      return (await library.updateSync(settled, generation)).counts;
    });
    return { ...(counts ?? noCounts), ran: counts !== null, question: null };
  }

  dispose(): void {
    this.#progressed.dispose();
  }

  async #syncUnderLease(signal: AbortSignal | undefined, walkAsked: boolean): Promise<SyncOutcome> {
    const { library, source, requestsPerSecond, logger = silentLogger } = this.#options;
    const counts: CountSum = { ...noCounts };
    try {
      const ran = await this.#underLease(signal, async (generation, signal) => {
        const run: Run = {
          ...{ library: library.withSignal(signal), source, clock: this.#clock, logger, generation, signal },
          requestsPerSecond,
          report: (progress) => this.#report(progress),
          count: (more) => addCounts(counts, more),
        };
        await this.#work(run, walkAsked, counts);
        return true;
      });
      const { question } = await library.syncRecord();
      // A load and the walk after it may both meet the same record.
      if (counts.quarantined > 0)
        counts.quarantined = Math.min(counts.quarantined, (await library.totals()).quarantined);
      return { ...counts, ran: ran !== null, question };
    } finally {
      this.#report(idleProgress);
    }
  }

  async #work(run: Run, walkAsked: boolean, counts: WriteCounts): Promise<void> {
    if (!this.#hasReplayed) {
      const replayed = await run.library.replayQuarantine(run.generation);
      if (replayed) run.count(replayed.counts);
      this.#hasReplayed = true;
    }
    const situation = { now: this.#clock.now(), fullWalkDays: this.#options.fullWalkDays(), walkAsked };
    for (let followed = false, walked = false; ; ) {
      const task = nextTask(await run.library.syncRecord(), { ...situation, followed, walked });
      if (task === 'done') return;
      if (task === 'begin-load') {
        await beginLoad(run, this.#watchlist);
        this.#watchlist = null;
      } else if (task === 'resume-load') await resumeLoad(run);
      else if (task === 'follow') {
        await follow(run, counts);
        followed = true;
      } else {
        await (task === 'begin-walk' ? beginWalk : finishWalk)(run);
        walked = true;
        // A walk may have found a new position in the feed, from which the changes since are read.
        followed = (await run.library.syncRecord()).cursor !== null;
      }
    }
  }

  /** Runs `work` if this process may sync, else null. Losing the lease aborts it; writes check the generation. */
  async #underLease<T>(
    signal: AbortSignal | undefined,
    work: (generation: number, signal: AbortSignal) => Promise<T>,
  ): Promise<T | null> {
    const { library, path, leases = machineLeases() } = this.#options;
    const held = await leases.leaseIfFree(
      `sync ${path}`,
      async (signal) => {
        try {
          return await work(await library.withSignal(signal).beginRun(), signal);
        } catch (error) {
          // Another process continues what this one began, so nothing is lost.
          if (isTakenOver(error) || isTakenOver(signal.reason)) return null;
          throw error;
        }
      },
      { ttl: leaseTime, signal },
    );
    return held?.result ?? null;
  }

  #report(progress: Partial<SyncProgress>): void {
    this.#progress = { ...this.#progress, ...progress };
    this.#progressed.fire(this.#progress);
  }
}

function isTakenOver(error: unknown): boolean {
  return error instanceof LeaseLost || (error instanceof LibraryError && error.problem === 'lease-lost');
}

/** Reads the change feed. Reports of unknown companies mean that the license has grown. */
async function follow(run: Run, counts: WriteCounts): Promise<void> {
  const { companies } = await run.library.totals();
  const { added } = counts;
  await followChanges(run);
  if (counts.added > added && (await run.library.totals()).companies > companies)
    await refreshWatchlist(run.library, run.source, inBackground(run));
}

/**
 * Reads the feed to its end (CHG-2). A refused cursor resumes an hour earlier and makes a full walk due. A feed that
 * repeats, or refuses its own new cursor, throws: it would never end.
 */
async function followChanges(run: Run): Promise<void> {
  run.report({ activity: 'following' });
  const seen = new Set<string>();
  for (let refused = false; ; ) {
    const record = await run.library.syncRecord();
    const { cursor, since } = record;
    if (cursor === null && since === null) return;
    run.signal.throwIfAborted();
    try {
      const from = cursor === null ? { since: since ?? '' } : { cursor };
      const incoming = await run.source.changesPage(from, inBackground(run));
      const taken = await run.library.takeChanges({ incoming, cursor, generation: run.generation });
      run.count(taken.counts);
      if (!taken.has_more || taken.next_cursor === null) return;
      if (seen.has(taken.next_cursor))
        throw new LibraryError(
          'unreadable-page',
          l10n.t('The change feed repeated an earlier page. Sync again later.'),
        );
      seen.add(taken.next_cursor);
    } catch (error) {
      if (!run.source.isRefusal(error) || (refused && cursor !== null)) throw error;
      refused = true;
      seen.clear();
      run.logger.warn(`The change feed refused its ${cursor === null ? 'starting time' : 'cursor'}.`);
      const before = cursor === null ? null : startAfterRefusal(record);
      await run.library.updateSync({ cursor: null, since: before, walkOwed: true }, run.generation);
    }
  }
}
