import type { ChangesFrom } from '../../api/schemas/report.ts';
import { type Clock, systemClock } from '../../base/clock.ts';
import { Emitter } from '../../base/disposable.ts';
import { l10n } from '../../base/l10n.ts';
import { type Logger, silentLogger } from '../../base/logger.ts';
import { Semaphore } from '../../base/semaphore.ts';
import { LeaseLost, type Leases, machineLeases } from '../../machine/lease.ts';
import type { Library } from '../library.ts';
import { addCounts, type CountSum, noCounts, type WriteCounts } from '../libraryChange.ts';
import { LibraryError } from '../libraryError.ts';
import { nextTask, type Situation, startAfterRefusal } from './decisions.ts';
import { beginLoad, resumeLoad } from './firstLoad.ts';
import { idleProgress, inBackground, type Run, type SyncProgress, type SyncSource } from './run.ts';
import type { SweepQuestion, SyncRecord } from './syncRecord.ts';
import { beginWalk, finishWalk, loadCompany, refreshWatchlist, type WatchlistPosition } from './walks.ts';

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

/** Keeps a library true to the service: first load, change feed, full walk. One run at a time. */
export class SyncEngine {
  readonly #options: SyncOptions;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #progressed = new Emitter<SyncProgress>();
  readonly onDidProgress = this.#progressed.event;
  #progress = idleProgress;
  /** Where the watchlist began that was read ahead of a first load, which then needs no second reading. */
  #watchlist: WatchlistPosition | null = null;
  /** What was set aside needs one new look by this version, not more. */
  #replayed = false;
  readonly #turn = new Semaphore(1);

  constructor(options: SyncOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
    this.#logger = options.logger ?? silentLogger;
  }

  get progress(): SyncProgress {
    return this.#progress;
  }

  /**
   * Does all that is due: loads or goes on loading, reads the feed, walks when a walk is due. A call during a run waits
   * for that run and then has its own. Rejects with the client's or the library's error, or the signal's reason; what
   * was stored by then stays, and the next run goes on from there.
   */
  sync(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<SyncOutcome> {
    return this.#turn.run(() => this.#runUnderLease(options.signal, false), true, options.signal);
  }

  /** The same, with a full walk whether due or not (ST-3). */
  fullWalk(options: { readonly signal?: AbortSignal | undefined } = {}): Promise<SyncOutcome> {
    return this.#turn.run(() => this.#runUnderLease(options.signal, true), true, options.signal);
  }

  /** Fetches one company's reports at once, whatever else is under way; they count towards a first load. */
  loadCompany(companyKey: string, signal?: AbortSignal): Promise<WriteCounts> {
    return loadCompany(this.#options.library.withSignal(signal), this.#options.source, companyKey, signal);
  }

  /** Reads the companies alone: they can be browsed, and opened one by one, before a load has begun. */
  async loadWatchlist(signal?: AbortSignal): Promise<void> {
    const { library, source } = this.#options;
    this.#watchlist = await refreshWatchlist(library.withSignal(signal), source, { signal, priority: 'interactive' });
  }

  /**
   * Answers the question of a full walk. `remove` flags the reports that it did not find as removed, and is refused for
   * a walk that was interrupted, which proves nothing; `keep` changes nothing.
   */
  async answer(answer: 'remove' | 'keep', signal?: AbortSignal): Promise<SyncOutcome> {
    const { library } = this.#options;
    const result = await this.#underLease(signal, async (generation) => {
      const { question } = await library.syncRecord();
      if (!question) return noCounts;
      const settled = { question: null, walkOwed: false, walkedAt: question.askedAt };
      if (answer === 'remove' && question.kind !== 'walk-cut') return (await library.sweep(settled, generation)).counts;
      await library.updateSync(settled, generation);
      return noCounts;
    });
    return { ...(result ?? noCounts), ran: result !== null, question: null };
  }

  dispose(): void {
    this.#progressed.dispose();
  }

  async #runUnderLease(signal: AbortSignal | undefined, walkAsked: boolean): Promise<SyncOutcome> {
    const { library } = this.#options;
    const counts: CountSum = { ...noCounts };
    try {
      const ran = await this.#underLease(signal, async (generation, held) => {
        await this.#work(this.#run(generation, held, counts), walkAsked, counts);
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
    if (!this.#replayed) {
      const replayed = await run.library.replayQuarantine(run.generation);
      if (replayed) run.count(replayed.counts);
      this.#replayed = true;
    }
    let situation: Situation = {
      now: this.#clock.now(),
      fullWalkDays: this.#options.fullWalkDays(),
      followed: false,
      walked: false,
      walkAsked,
    };
    for (;;) {
      const task = nextTask(await run.library.syncRecord(), situation);
      if (task === 'done') return;
      if (task === 'begin-load') {
        await beginLoad(run, this.#watchlist);
        this.#watchlist = null;
      } else if (task === 'resume-load') await resumeLoad(run);
      else if (task === 'follow') {
        await this.#follow(run, counts);
        situation = { ...situation, followed: true };
      } else {
        if (task === 'begin-walk') await beginWalk(run);
        else await finishWalk(run);
        // A walk may have found a new place in the feed, from which what happened meanwhile is read.
        const { cursor } = await run.library.syncRecord();
        situation = { ...situation, walked: true, followed: cursor !== null };
      }
    }
  }

  /** Reports of companies that were not known tell that the licence has grown. */
  async #follow(run: Run, counts: WriteCounts): Promise<void> {
    const before = (await run.library.totals()).companies;
    const added = counts.added;
    await followChanges(run);
    if (counts.added > added && (await run.library.totals()).companies > before)
      await refreshWatchlist(run.library, run.source, inBackground(run));
  }

  #run(generation: number, signal: AbortSignal, counts: CountSum): Run {
    return {
      library: this.#options.library.withSignal(signal),
      source: this.#options.source,
      clock: this.#clock,
      logger: this.#logger,
      generation,
      signal,
      requestsPerSecond: this.#options.requestsPerSecond,
      report: (progress) => this.#report(progress),
      count: (more) => addCounts(counts, more),
    };
  }

  /**
   * Runs `work` while this process is the one that syncs; null when another is, or took over meanwhile. Losing the
   * lease, as after a long suspension, aborts the work's signal. Every write also checks the generation.
   */
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
          // Another process goes on with what this one began, so nothing is lost.
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

/**
 * Reads the change feed to its end, each page stored with its cursor (CHG-2). With nothing new that is one request. A
 * refused cursor leads back to an hour before the last known change, and to a full walk for what may have been missed;
 * when that is refused too, to no place at all, and the walk finds a new one. Throws `unreadable-page` for a feed that
 * leads back into itself, and the refusal of one that refuses its own new cursors: either would be asked for ever.
 */
async function followChanges(run: Run): Promise<void> {
  run.report({ activity: 'following' });
  let record = await run.library.syncRecord();
  let seen = new Set<string>();
  let refused = false;
  for (;;) {
    const from = startOf(record);
    if (!from) return;
    run.signal.throwIfAborted();
    const cursor = 'cursor' in from ? from.cursor : null;
    try {
      const incoming = await run.source.changesPage(from, inBackground(run));
      const taken = await run.library.takeChanges({ incoming, cursor, generation: run.generation });
      run.count(taken.counts);
      if (!taken.has_more || taken.next_cursor === null) return;
      if (seen.has(taken.next_cursor))
        throw new LibraryError('unreadable-page', l10n.t('The change feed repeats an earlier page. Sync again later.'));
      seen.add(taken.next_cursor);
    } catch (error) {
      if (!run.source.isRefusal(error) || (refused && cursor !== null)) throw error;
      refused = true;
      seen = new Set();
      run.logger.warn(`The change feed refused its ${cursor === null ? 'starting time' : 'cursor'}.`);
      const since = cursor === null ? null : startAfterRefusal(record);
      await run.library.updateSync({ cursor: null, since, walkOwed: true }, run.generation);
    }
    record = await run.library.syncRecord();
  }
}

function startOf(record: SyncRecord): ChangesFrom | null {
  if (record.cursor !== null) return { cursor: record.cursor };
  return record.since === null ? null : { since: record.since };
}
