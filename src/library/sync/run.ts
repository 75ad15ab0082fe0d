import type { Company } from '../../api/schemas/company.ts';
import type { Entitlements } from '../../api/schemas/meta.ts';
import type { ListOptions, Page, RawPage } from '../../api/schemas/page.ts';
import type { ChangesFrom } from '../../api/schemas/report.ts';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { LibraryCalls } from '../library.ts';
import type { WriteCounts } from '../libraryChange.ts';
import type { WalkFilter } from './syncRecord.ts';

/** What the sync needs of the service: a part of the client. Pages are read where they are stored. */
export interface SyncSource {
  entitlements(options?: ListOptions): Promise<Entitlements>;
  watchlist(options?: ListOptions): AsyncIterable<Page<Company>>;
  reportsPage(filter: WalkFilter, options: ListOptions): Promise<RawPage>;
  changesPage(from: ChangesFrom, options: ListOptions): Promise<RawPage>;
  /** True for an error that says the service refused what it was sent, a cursor for one: asking again is of no use. */
  isRefusal(error: unknown): boolean;
}

export const reportsPageSize = 200;

export interface SyncProgress {
  readonly activity: 'idle' | 'preparing' | 'loading' | 'following' | 'walking';
  /** Reports brought by the present load or walk, those of earlier runs that it resumes included. */
  readonly reports: number;
  /** Reports the load will bring, when the service says; null when unknown. */
  readonly total: number | null;
  /** Fiscal years that are wholly here, and those of the load; both 0 for one that is not walked year by year. */
  readonly yearsDone: number;
  readonly years: number;
  /** About how long it still takes, by the pace so far; null while that can't be told. */
  readonly secondsLeft: number | null;
}

export const idleProgress: SyncProgress = {
  ...{ activity: 'idle', reports: 0, total: null, yearsDone: 0, years: 0, secondsLeft: null },
};

export interface Run {
  readonly library: LibraryCalls;
  readonly source: SyncSource;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly generation: number;
  readonly signal: AbortSignal;
  /** Requests per second that the client allows itself. */
  readonly requestsPerSecond: () => number;
  readonly report: (progress: Partial<SyncProgress>) => void;
  readonly count: (counts: WriteCounts) => void;
}

/** Options of the run's requests: they give way to what a person waits for. */
export function inBackground(run: Run): ListOptions {
  return { signal: run.signal, priority: 'background' };
}

/** Does several things at once. The first that fails has the others given up; its error is thrown once all ended. */
export async function together(
  signal: AbortSignal,
  works: readonly ((signal: AbortSignal) => Promise<unknown>)[],
): Promise<void> {
  const failed = new AbortController();
  const given = AbortSignal.any([signal, failed.signal]);
  await Promise.all(works.map((work) => work(given).catch((error: unknown) => failed.abort(error))));
  if (failed.signal.aborted) throw failed.signal.reason;
}
