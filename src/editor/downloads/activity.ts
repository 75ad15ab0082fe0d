import type { Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/disposable.ts';
import type { PendingBatch } from '../../downloads/pendingBatches.ts';
import type { DownloadResult, KnownReport } from '../../downloads/ports.ts';
import type { QueueEvent, QueueJob } from '../../downloads/queue.ts';

/** One download as the view shows it. The same object goes through all of its states. */
export interface DownloadEntry {
  readonly kind: 'download';
  readonly job: QueueJob;
  /** As last read; what commands take the report id from. */
  report: KnownReport;
  state: DownloadGroup;
  /** Bytes of the present attempt. */
  bytes: number;
  total: number | null;
  result: DownloadResult | undefined;
  /** When it ended, ms since the epoch. */
  endedAt: number | undefined;
}

/** A PDF that came before this window was opened. */
export interface EndedEarlier {
  readonly job: QueueJob;
  /** ms since the epoch. */
  readonly endedAt: number;
  readonly bytes: number;
}

/** A batch that was cut off, as the view shows it. */
export interface InterruptedNode {
  readonly kind: 'interrupted';
  readonly batch: PendingBatch;
}

/** Where an entry is shown. */
export type DownloadGroup = 'active' | 'waiting' | 'failed' | 'done';

/** Most entries of one group that are kept after they ended; the oldest go first. */
const maxEnded = 1000;

/** Endings that leave nothing to look at or to try again; the summary of the batch tells them. */
const quiet = new Set<DownloadResult['status']>(['unchanged', 'cancelled', 'no-file']);

/**
 * What this window's downloads are doing and how today's ended, from the events of the queue.
 */
export class DownloadActivity {
  readonly #clock: Clock;
  readonly #entries = new Map<QueueJob, DownloadEntry>();
  #ended = new Map<string, DownloadEntry>();
  #interrupted: readonly InterruptedNode[] = [];
  readonly #changed = new Emitter<DownloadEntry | undefined>();

  /** Fires with the entry whose progress changed, or without one when entries came, went or moved. */
  readonly onDidChange: Event<DownloadEntry | undefined> = this.#changed.event;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes in an event of the queue. */
  note(event: QueueEvent): void {
    const { job } = event;
    const entry = this.#entries.get(job) ?? started(job);
    if (event.state === 'done') {
      this.#entries.delete(job);
      this.#keep(entry, event.result);
      this.#changed.fire(undefined);
      return;
    }
    const isProgress = entry.state === event.state && this.#entries.has(job);
    this.#entries.set(job, entry);
    this.#ended.delete(placeOf(job));
    entry.state = event.state;
    if (event.state === 'active') {
      entry.bytes = event.bytes;
      entry.total = event.total;
    }
    this.#changed.fire(isProgress ? entry : undefined);
  }

  /** The entries of a group: running ones in the order they came, ended ones latest first. */
  entries(group: DownloadGroup): DownloadEntry[] {
    if (group === 'active' || group === 'waiting') {
      return [...this.#entries.values()].filter(({ state }) => state === group);
    }
    const since = group === 'done' ? startOfDay(this.#clock.now()) : Number.NEGATIVE_INFINITY;
    const isShown = ({ state, endedAt = 0 }: DownloadEntry) => state === group && endedAt >= since;
    return [...this.#ended.values()].filter(isShown).reverse();
  }

  /** Takes in PDFs that came before this window was opened. */
  addDone(done: readonly EndedEarlier[]): void {
    const earlier = done.map(({ job, ...ended }): [string, DownloadEntry] => {
      return [placeOf(job), { ...started(job), ...ended, state: 'done' }];
    });
    // What this window did itself counts, and came last.
    this.#ended = new Map([...earlier, ...this.#ended]);
    this.#changed.fire(undefined);
  }

  /** Batches that were cut off and wait for somebody, the oldest first. */
  get interrupted(): readonly InterruptedNode[] {
    return this.#interrupted;
  }

  showInterrupted(batches: readonly PendingBatch[]): void {
    if (batches.length === 0 && this.#interrupted.length === 0) return;
    this.#interrupted = batches.map((batch) => ({ kind: 'interrupted', batch }));
    this.#changed.fire(undefined);
  }

  /** Forgets what has ended. The files stay. */
  clearFinished(): void {
    this.#ended.clear();
    this.#changed.fire(undefined);
  }

  #keep(entry: DownloadEntry, result: DownloadResult): void {
    if (quiet.has(result.status)) return;
    entry.state = result.status === 'downloaded' ? 'done' : 'failed';
    entry.report = result.report;
    entry.result = result;
    entry.endedAt = this.#clock.now();
    const place = placeOf(entry.job);
    this.#ended.delete(place);
    this.#ended.set(place, entry);
    const [oldest] = this.#ended.keys();
    if (this.#ended.size > maxEnded && oldest !== undefined) this.#ended.delete(oldest);
  }
}

function started(job: QueueJob): DownloadEntry {
  const fresh = { bytes: 0, total: null, result: undefined, endedAt: undefined };
  return { kind: 'download', job, report: job.report, state: 'waiting', ...fresh };
}

function placeOf({ target }: QueueJob): string {
  return `${target.root}\n${target.path}`;
}

/** Midnight before a time, as the clock on the wall has it. */
export function startOfDay(time: number): number {
  return new Date(time).setHours(0, 0, 0, 0);
}

/** True for a batch that a menu handed to a command. */
export function isInterrupted(value: unknown): value is InterruptedNode {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'interrupted';
}

/** True for an entry that a menu handed to a command. */
export function isDownloadEntry(value: unknown): value is DownloadEntry {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'download' && 'job' in value;
}
