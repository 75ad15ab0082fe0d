import { callProblemOf } from '../api/schemas/problemDetails.ts';
import type { Report } from '../api/schemas/report.ts';
import { linkSignals } from '../base/clock.ts';
import { type Disposable, Emitter, type Event } from '../base/disposable.ts';
import { Semaphore } from '../base/semaphore.ts';
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

/** One report to download, and where to. */
export interface QueueJob {
  readonly report: KnownReport;
  readonly target: DownloadTarget;
  /** The id that was asked for; a merge may have led from it to the report (RID-1). */
  readonly askedId: number;
  /** Where the report came from; undefined for a job that was never begun. */
  readonly source?: LinkSource | undefined;
}

/** What happens to a job. All events of a job have the same `job` object. */
export type QueueEvent =
  | { readonly job: QueueJob; readonly state: 'waiting' }
  | { readonly job: QueueJob; readonly state: 'active'; readonly bytes: number; readonly total: number | null }
  | { readonly job: QueueJob; readonly state: 'done'; readonly result: DownloadResult };

/** `onProgress` gets the bytes of each of the batch's jobs. */
export interface BatchOptions extends DownloadOptions {
  /** Where this batch's reports come from; the queue's own source when left out. */
  readonly source?: LinkSource | undefined;
  /** Stores that are asked before the queue's own. */
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

/** Few, so that the first link need not wait for many readings. */
const readsAtOnce = 4;

/** After this many unanswered readings in a row the service counts as away. */
const maxUnanswered = 4;

/** Downloads batches of reports, so many at a time over all batches. Asks for a link only once its file can come. */
export class DownloadQueue implements Disposable {
  readonly #ports: DownloadPorts;
  readonly #jobs: Semaphore;
  readonly #events = new Emitter<QueueEvent>();
  readonly #aborts = new WeakMap<QueueJob, AbortController>();
  readonly #closed = new AbortController();

  /** @param atOnce files written at the same time; the service allows 8 connections in all (LIM-1) */
  constructor(ports: DownloadPorts, atOnce = 8) {
    this.#ports = ports;
    this.#jobs = new Semaphore(atOnce);
  }

  /** Every event of every batch. */
  get onDidChange(): Event<QueueEvent> {
    return this.#events.event;
  }

  /** Stores that every batch may copy from. */
  get stores(): readonly ContentStore[] {
    return this.#ports.stores ?? [];
  }

  /** Cancels one job that waits or runs; the others of its batch go on. */
  cancel(job: QueueJob): void {
    this.#aborts.get(job)?.abort();
  }

  /** Cancels all jobs for good. A window that ends would ask for links whose files it can't keep. */
  dispose(): void {
    this.#closed.abort();
  }

  begin({ onProgress, source = this.#ports.source, stores = [], ...options }: BatchOptions = {}): Batch {
    const fire = (event: QueueEvent) => {
      try {
        if (event.state === 'active') onProgress?.(event.bytes, event.total);
        this.#events.fire(event);
      } catch (error) {
        // An error in a listener must not end a download.
        const name = error instanceof Error ? error.name : 'unknown error';
        this.#ports.logger.error(`A listener of downloads failed: ${name}`);
      }
    };
    const isInteractive = options.priority !== 'background';
    const call = { signal: options.signal, priority: options.priority };
    const reads = new Semaphore(readsAtOnce);
    const ports = { ...this.#ports, source, stores: [...stores, ...this.stores] };
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
    const download = async (job: QueueJob, signal: AbortSignal): Promise<DownloadResult> => {
      const { report, target } = job;
      if (ended) return { ...ended, report_id: report.report_id, report, links: 0 };
      const noteBytes = (bytes: number, total: number | null) => fire({ job, state: 'active', bytes, total });
      const result = await downloadReport(report, target, ports, { ...options, signal, onProgress: noteBytes });
      const { cause, reason = '', links } = result;
      // A file too large from the start says nothing of smaller ones.
      const endsAll = cause !== undefined && endsBatch.has(cause) && (cause !== 'no-space' || links > 0);
      if (endsAll) ended ??= endings.failed(cause, reason);
      return result;
    };
    return {
      read: (id) => reads.run(() => read(id), isInteractive, call.signal),
      download: async (job) => {
        const own = new AbortController();
        this.#aborts.set(job, own);
        const { signal, unlink } = linkSignals(options.signal, own.signal, this.#closed.signal);
        fire({ job, state: 'waiting' });
        const cancelled = (error: unknown): DownloadResult => {
          if (!signal.aborted) throw error;
          const { report } = job;
          return { ...endings.cancelled(), report_id: report.report_id, report, links: 0 };
        };
        const result = await this.#jobs
          .run(() => download(job, signal), isInteractive, signal)
          .catch(cancelled)
          .finally(unlink);
        fire({ job, state: 'done', result });
        return result;
      },
    };
  }
}
