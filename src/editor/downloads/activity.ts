import { breather, type Clock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/disposable.ts';
import type { LockRow } from '../../downloads/manifest.ts';
import type { PendingBatch } from '../../downloads/pendingBatches.ts';
import type { DownloadResult, KnownReport } from '../../downloads/ports.ts';
import type { QueueEvent, QueueJob } from '../../downloads/queue.ts';

/** One download as the view shows it. The same object goes through all of its states. */
export interface DownloadEntry {
  readonly kind: 'download';
  /** The job that spoke of its place last. */
  job: QueueJob;
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

/** PDFs that came before this window was opened. */
export interface DoneEarlier {
  /** The newest first. */
  readonly newest: readonly (Pick<DownloadEntry, 'job' | 'bytes'> & { readonly endedAt: number })[];
  /** How many more there are. */
  readonly more: number;
}

/** A batch that was cut off, as the view shows it. */
export interface InterruptedNode {
  readonly kind: 'interrupted';
  readonly batch: PendingBatch;
}

/** Where an entry is shown. */
export type DownloadGroup = 'active' | 'waiting' | 'failed' | 'done';

/** Most entries that are kept after they ended; the oldest go first. */
const maxEnded = 1000;

/** Most PDFs of before that are shown: a lock file, which anyone may have written, names up to 500,000. */
const maxEarlier = 200;

/** Endings that leave nothing to look at or to try again; the summary of the batch tells them. */
const quiet = new Set<DownloadResult['status']>(['unchanged', 'cancelled', 'no-file']);

/** What this window's downloads are doing and how today's ended, from the events of the queue. An entry for each place. */
export class DownloadActivity {
  readonly #clock: Clock;
  readonly #running = new Map<string, DownloadEntry>();
  #ended = new Map<string, DownloadEntry>();
  #more = { count: 0, day: 0 };
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
    const place = placeOf(job);
    const running = this.#running.get(place);
    const entry = running ?? started(job);
    entry.job = job;
    this.#ended.delete(place);
    if (event.state === 'done') {
      this.#running.delete(place);
      this.#keep(place, entry, event.result);
      this.#changed.fire(undefined);
      return;
    }
    const isProgress = running?.state === event.state;
    this.#running.set(place, entry);
    entry.state = event.state;
    if (event.state === 'active') {
      entry.bytes = event.bytes;
      entry.total = event.total;
    }
    this.#changed.fire(isProgress ? entry : undefined);
  }

  /** The entries of a group: running ones in the order they came, ended ones latest first. */
  entries(group: DownloadGroup): DownloadEntry[] {
    const isOfGroup = ({ state }: DownloadEntry) => state === group;
    if (group === 'active' || group === 'waiting') return [...this.#running.values()].filter(isOfGroup);
    const ended = [...this.#ended.values()].filter(isOfGroup).reverse();
    const today = this.#today();
    return group === 'failed' ? ended : ended.filter(({ endedAt = 0 }) => endedAt >= today);
  }

  /** How many PDFs came today beside those that are shown. */
  get more(): number {
    return this.#more.day === this.#today() ? this.#more.count : 0;
  }

  /** Takes in PDFs that came before this window was opened. */
  addDone({ newest, more }: DoneEarlier): void {
    const earlier = newest.toReversed().map(({ job, ...ended }): [string, DownloadEntry] => {
      return [placeOf(job), { ...started(job), ...ended, state: 'done' }];
    });
    // What this window did itself counts, and came last.
    this.#ended = new Map([...earlier, ...this.#ended]);
    this.#more = { count: more, day: this.#today() };
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
    this.#more = { count: 0, day: 0 };
    this.#changed.fire(undefined);
  }

  #today(): number {
    return startOfDay(this.#clock.now());
  }

  #keep(place: string, entry: DownloadEntry, result: DownloadResult): void {
    if (quiet.has(result.status)) return;
    entry.state = result.status === 'downloaded' ? 'done' : 'failed';
    entry.report = result.report;
    entry.result = result;
    entry.endedAt = this.#clock.now();
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

/** The newest of what came between two times by the word of its row, the newest first and each path once. */
export async function newestSince<Named extends { readonly row: Pick<LockRow, 'path' | 'downloaded_at'> }>(
  named: readonly Named[],
  since: number,
  until: number,
): Promise<{ readonly newest: readonly Named[]; readonly more: number }> {
  const pause = breather();
  // As texts: rows have their times in this form, and those that have not are never shown wrong, only left out.
  const [from, to] = [new Date(since).toISOString(), new Date(until).toISOString()];
  const newestFirst = (a: Named, b: Named) => (a.row.downloaded_at < b.row.downloaded_at ? 1 : -1);
  const paths = new Set<string>();
  let newest: Named[] = [];
  for (const one of named) {
    await pause();
    const { path, downloaded_at } = one.row;
    if (downloaded_at < from || downloaded_at > to || paths.has(path)) continue;
    paths.add(path);
    newest.push(one);
    // Now and then, so that a lock of any length takes time in proportion to it.
    if (newest.length === 2 * maxEarlier) newest = newest.sort(newestFirst).slice(0, maxEarlier);
  }
  newest = newest.sort(newestFirst).slice(0, maxEarlier);
  return { newest, more: paths.size - newest.length };
}

/** True for a batch that a menu handed to a command. */
export function isInterrupted(value: unknown): value is InterruptedNode {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'interrupted';
}

/** True for an entry that a menu handed to a command. */
export function isDownloadEntry(value: unknown): value is DownloadEntry {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'download' && 'job' in value;
}
