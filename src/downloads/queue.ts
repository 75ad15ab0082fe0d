import { callProblemOf } from '../api/schemas/problemDetails.ts';
import type { Report } from '../api/schemas/report.ts';
import { linkSignals } from '../base/clock.ts';
import { type Disposable, Emitter, type Event } from '../base/disposable.ts';
import { Semaphore } from '../base/semaphore.ts';
import { foldedName } from './disk.ts';
import { downloadReport } from './download.ts';
import {
  BatchEnded,
  type ContentStore,
  type DownloadOptions,
  type DownloadPorts,
  type DownloadResult,
  type DownloadTarget,
  endings,
  type FailedEnding,
  failureOf,
  type KnownReport,
  type LinkSource,
} from './ports.ts';
import { pathOf } from './publish.ts';

/** One report to download, and where to. */
export interface QueueJob {
  readonly report: KnownReport;
  readonly target: DownloadTarget;
  /** The id that was asked for; a merge may have led from it to the report (RID-1). */
  readonly askedId: number;
  /** Where the report came from; undefined for one that was never begun. */
  readonly source?: LinkSource | undefined;
}

/** Told as a job goes on. The same `job` object runs through all of its events. */
export type QueueEvent =
  | { readonly job: QueueJob; readonly state: 'waiting' }
  | { readonly job: QueueJob; readonly state: 'active'; readonly bytes: number; readonly total: number | null }
  | { readonly job: QueueJob; readonly state: 'done'; readonly result: DownloadResult };

/** `onProgress` is told of each of the batch's jobs. */
export interface BatchOptions extends DownloadOptions {
  /** Where this batch's reports come from; the queue's own source when left out. */
  readonly source?: LinkSource | undefined;
  /** Places that may have bytes already, asked before the queue's own. */
  readonly stores?: readonly ContentStore[] | undefined;
}

/** Jobs that begin together, and that end together where going on would only ask in vain. */
export interface Batch {
  /** Reads a report in its turn. @throws BatchEnded where another ending made it pointless, and as the source does */
  read(reportId: number): Promise<Report>;
  /** Never rejects: a cancelled job gives a result too. */
  download(job: QueueJob): Promise<DownloadResult>;
}

/** Endings that every other job of a batch would share. */
export const endsBatch: ReadonlySet<string> = new Set(['unauthorized', 'other-connection', 'no-space']);

/** Few, so that the first link is not kept waiting behind many readings. */
const readsAtOnce = 4;

/** After this many unfinished readings in a row the service counts as away; a single one may be damaged by itself. */
const maxUnanswered = 4;

/**
 * Downloads batches of reports, so many at a time over all batches. A link is asked for only once its stream can start,
 * and two jobs for one place run one after the other.
 */
export class DownloadQueue implements Disposable {
  readonly #ports: DownloadPorts;
  readonly #jobs: Semaphore;
  readonly #places = new Map<string, { readonly turns: Semaphore; users: number }>();
  readonly #events = new Emitter<QueueEvent>();
  readonly #unfinished = new Map<QueueJob, AbortController>();
  readonly #closed = new AbortController();

  /** @param atOnce jobs at the same time, each with one stream; the service allows 8 connections in all (LIM-1) */
  constructor(ports: DownloadPorts, atOnce = 8) {
    this.#ports = ports;
    this.#jobs = new Semaphore(atOnce);
  }

  /** Every event of every batch. */
  get onDidChange(): Event<QueueEvent> {
    return this.#events.event;
  }

  /** Places that may have bytes already, for every batch. */
  get stores(): readonly ContentStore[] {
    return this.#ports.stores ?? [];
  }

  /** Cancels one job that waits or runs; the others of its batch go on. */
  cancel(job: QueueJob): void {
    this.#unfinished.get(job)?.abort();
  }

  /**
   * Cancels every job and starts none from now on. Otherwise an ending window asks for links whose files it can't keep,
   * and the next window downloads them again.
   */
  dispose(): void {
    this.#closed.abort();
  }

  begin({ onProgress, source = this.#ports.source, stores = [], ...options }: BatchOptions = {}): Batch {
    const tell = (event: QueueEvent) => {
      try {
        if (event.state === 'active') onProgress?.(event.bytes, event.total);
        this.#events.fire(event);
      } catch (error) {
        // An error in a listener must not end a download.
        const name = error instanceof Error ? error.name : 'unknown error';
        this.#ports.logger.error(`A listener of downloads failed: ${name}`);
      }
    };
    let ended: FailedEnding | undefined;
    let unanswered = 0;
    const read = async (id: number): Promise<Report> => {
      this.#closed.signal.throwIfAborted();
      if (ended) throw new BatchEnded(ended);
      try {
        const report = await source.report(id, call);
        unanswered = 0;
        return report;
      } catch (error) {
        const failure = failureOf(error);
        unanswered = callProblemOf(error)?.kind === 'network' ? unanswered + 1 : 0;
        if (unanswered >= maxUnanswered || endsBatch.has(failure.cause)) ended ??= failure;
        throw error;
      }
    };
    const isInteractive = options.priority !== 'background';
    const call = { signal: options.signal, priority: options.priority };
    const reads = new Semaphore(readsAtOnce);
    const ports = { ...this.#ports, source, stores: [...stores, ...this.stores] };
    return {
      read: (id) => reads.run(() => read(id), isInteractive, call.signal),
      download: async (job) => {
        const own = new AbortController();
        this.#unfinished.set(job, own);
        const { signal, unlink } = linkSignals(options.signal, own.signal, this.#closed.signal);
        tell({ job, state: 'waiting' });
        const noteBytes = (bytes: number, total: number | null) => tell({ job, state: 'active', bytes, total });
        const how = { ...options, signal, onProgress: noteBytes };
        const work = async (): Promise<DownloadResult> => {
          const { report, target } = job;
          if (ended) return { ...ended, report_id: report.report_id, report, links: 0 };
          const result = await downloadReport(report, target, ports, how);
          const { cause, reason = '', links } = result;
          // A file for which there was no room from the start says nothing of smaller ones.
          const endsAll = cause !== undefined && endsBatch.has(cause) && (cause !== 'no-space' || links > 0);
          if (endsAll) ended ??= endings.failed(cause, reason);
          return result;
        };
        const result = await this.#inTurn(job, isInteractive, signal, work).finally(unlink);
        this.#unfinished.delete(job);
        tell({ job, state: 'done', result });
        return result;
      },
    };
  }

  async #inTurn(
    { report, target }: QueueJob,
    isInteractive: boolean,
    signal: AbortSignal,
    work: () => Promise<DownloadResult>,
  ): Promise<DownloadResult> {
    const name = foldedName(pathOf(target));
    const place = this.#places.get(name) ?? { turns: new Semaphore(1), users: 0 };
    this.#places.set(name, place);
    place.users++;
    try {
      // The place first: a job that waits for another one keeps nobody else waiting.
      return await place.turns.run(() => this.#jobs.run(work, isInteractive, signal), isInteractive, signal);
    } catch (error) {
      // Cancelled before its turn.
      if (!signal.aborted) throw error;
      return { ...endings.cancelled(), report_id: report.report_id, report, links: 0 };
    } finally {
      if (--place.users === 0) this.#places.delete(name);
    }
  }
}
