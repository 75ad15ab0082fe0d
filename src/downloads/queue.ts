import { linkSignals } from '../base/clock.ts';
import { Emitter, type Event } from '../base/disposable.ts';
import { l10n } from '../base/l10n.ts';
import { downloadReport } from './download.ts';
import type { DownloadOptions, DownloadPorts, DownloadTarget, Turn } from './job.ts';
import type { ContentStore } from './ports.ts';
import { type Refusal, Refused, refusalOf } from './refusal.ts';
import type { DownloadResult, KnownReport } from './result.ts';
import { foldedName } from './segment.ts';
import { Slots } from './slots.ts';

/** One report to download, and where to. */
export interface QueueJob {
  readonly report: KnownReport;
  readonly target: DownloadTarget;
}

/** Told as a job goes on. The same `job` object runs through all of its events. */
export type QueueEvent =
  | { readonly job: QueueJob; readonly state: 'waiting' }
  | { readonly job: QueueJob; readonly state: 'active'; readonly bytes: number; readonly total: number | null }
  | { readonly job: QueueJob; readonly state: 'done'; readonly result: DownloadResult };

export interface BatchOptions extends Omit<DownloadOptions, 'onProgress'> {
  /** Told as this batch's jobs go on. */
  readonly onEvent?: ((event: QueueEvent) => void) | undefined;
  /** Places that may have bytes already, asked before the queue's own. */
  readonly stores?: readonly ContentStore[] | undefined;
}

/** Endings that every other job of a batch would share: going on would only ask for links in vain. */
const endsBatch = new Set(['unauthorized', 'no-space']);

/**
 * Downloads batches of reports, so many at a time over all batches. A link is asked for only once its stream can start,
 * two jobs for one place run one after the other, and each batch gets its results in the order of its jobs.
 */
export class DownloadQueue {
  readonly #ports: DownloadPorts;
  readonly #jobs: Slots;
  readonly #connections: Slots;
  readonly #places = new Map<string, { readonly turns: Slots; users: number }>();
  readonly #events = new Emitter<QueueEvent>();
  readonly #unfinished = new Map<QueueJob, AbortController>();

  /** @param atOnce streams open at the same time; the service allows 8 connections in all (LIM-1) */
  constructor(ports: DownloadPorts, atOnce = 8) {
    this.#ports = ports;
    this.#connections = new Slots(atOnce);
    // While the disk settles one file, the connection serves the next.
    this.#jobs = new Slots(2 * atOnce);
  }

  /** Every event of every batch. */
  get onDidChange(): Event<QueueEvent> {
    return this.#events.event;
  }

  /** Cancels one job that waits or runs; the others of its batch go on. */
  cancel(job: QueueJob): void {
    this.#unfinished.get(job)?.abort();
  }

  /** Never rejects: a cancelled batch gives results too. */
  async run(
    jobs: readonly QueueJob[],
    { onEvent, stores = [], ...options }: BatchOptions = {},
  ): Promise<readonly DownloadResult[]> {
    const tell = (event: QueueEvent) => {
      try {
        onEvent?.(event);
        this.#events.fire(event);
      } catch (error) {
        // What a listener makes of it must not end a download.
        this.#ports.logger.error(
          `A listener of downloads failed: ${error instanceof Error ? error.name : 'unknown error'}`,
        );
      }
    };
    const batch = this.#batch(stores, options.priority);
    for (const job of jobs) this.#unfinished.set(job, new AbortController());
    for (const job of jobs) tell({ job, state: 'waiting' });
    return Promise.all(
      jobs.map(async (job) => {
        const { signal, unlink } = linkSignals(options.signal, this.#unfinished.get(job)?.signal);
        const result = await this.#inTurn(job, { ...options, signal }, () =>
          downloadReport(job.report, job.target, batch(signal), {
            ...options,
            signal,
            onProgress: (bytes, total) => tell({ job, state: 'active', bytes, total }),
          }),
        ).finally(unlink);
        this.#unfinished.delete(job);
        tell({ job, state: 'done', result });
        return result;
      }),
    );
  }

  /** The ports of one batch: its work takes turns with all others', and stops where going on would be in vain. */
  #batch(
    stores: readonly ContentStore[],
    priority: DownloadOptions['priority'],
  ): (signal: AbortSignal) => DownloadPorts {
    let ended: Refusal | undefined;
    const connected =
      (signal: AbortSignal): Turn =>
      (work) =>
        this.#connections.run(
          async () => {
            if (ended) throw new Refused(ended);
            try {
              return await work();
            } catch (error) {
              const refusal = refusalOf(error);
              if (endsBatch.has(refusal.cause)) ended ??= refusal;
              throw error;
            }
          },
          priority !== 'background',
          signal,
        );
    const ports = { ...this.#ports, stores: [...stores, ...(this.#ports.stores ?? [])] };
    return (signal) => ({ ...ports, connected: connected(signal) });
  }

  async #inTurn(job: QueueJob, options: DownloadOptions, work: () => Promise<DownloadResult>): Promise<DownloadResult> {
    const name = foldedName(`${job.target.root}/${job.target.path}`);
    const place = this.#places.get(name) ?? { turns: new Slots(1), users: 0 };
    this.#places.set(name, place);
    place.users++;
    const isInteractive = options.priority !== 'background';
    try {
      // The place first: a job that waits for another one keeps nobody else waiting.
      return await place.turns.run(
        () => this.#jobs.run(work, isInteractive, options.signal),
        isInteractive,
        options.signal,
      );
    } catch (error) {
      if (!options.signal?.aborted) throw error;
      const { report } = job;
      const common = { report_id: report.report_id, report, verified: false, links: 0 };
      return { ...common, status: 'cancelled', cause: 'cancelled', reason: l10n.t('Cancelled.') };
    } finally {
      if (--place.users === 0) this.#places.delete(name);
    }
  }
}

/** A batch's results in a sentence, such as "2 downloaded, 38 already here, 1 without a file." */
export function summarySentence(results: readonly DownloadResult[]): string {
  const count = (status: DownloadResult['status']) => results.filter((result) => result.status === status).length;
  const [downloaded, unchanged, noFile] = [count('downloaded'), count('unchanged'), count('no-file')];
  const [notEntitled, failed, cancelled] = [count('not-entitled'), count('failed'), count('cancelled')];
  const unverified = results.filter(({ status, verified }) => status === 'downloaded' && !verified).length;
  const parts = [
    downloaded > 0 && unverified > 0 && l10n.t('{0} downloaded ({1} not verified)', downloaded, unverified),
    downloaded > 0 && unverified === 0 && l10n.t('{0} downloaded', downloaded),
    unchanged > 0 && l10n.t('{0} already here', unchanged),
    noFile > 0 && l10n.t('{0} without a file', noFile),
    notEntitled > 0 && l10n.t('{0} not in your licence', notEntitled),
    failed > 0 && l10n.t('{0} failed', failed),
    cancelled > 0 && l10n.t('{0} cancelled', cancelled),
  ].filter((part) => part !== false);
  return parts.length > 0 ? `${parts.join(', ')}.` : l10n.t('Nothing to download.');
}
