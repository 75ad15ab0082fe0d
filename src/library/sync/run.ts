import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { LibraryCalls } from '../library.ts';
import type { WriteCounts } from '../store.ts';
import type { SyncProgress } from './progress.ts';
import type { SourceOptions, SyncSource } from './source.ts';

/** What every step of a run works with. */
export interface Run {
  readonly library: LibraryCalls;
  readonly source: SyncSource;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly generation: number;
  readonly signal: AbortSignal;
  /** Requests per second that the client allows itself. */
  readonly requestsPerSecond: () => number;
  /** Passes when the run is not paused; rejects when it is given up. To be awaited before each request. */
  readonly mayGoOn: () => Promise<void>;
  readonly report: (progress: Partial<SyncProgress>) => void;
  readonly count: (counts: WriteCounts) => void;
}

/** Options of the run's requests: they give way to what a person waits for. */
export function inBackground(run: Run): SourceOptions {
  return { signal: run.signal, priority: 'background' };
}
