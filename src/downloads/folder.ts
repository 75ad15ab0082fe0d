import { join } from 'node:path';
import type { Report } from '../api/schemas/report.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { sweepParts } from '../files/atomic.ts';
import { changeFile } from '../files/changeFile.ts';
import { type FileAt, findFile, pathOf, statOf } from '../files/guard.ts';
import { fileThere } from '../files/hash.ts';
import { mayBeRewritten } from '../machine/gitRewrites.ts';
import { findIn } from './cache.ts';
import { type FolderAt, inFolder, knownRows, lockRecorder, pdfsIn, readLock, updateCsv } from './lockFile.ts';
import {
  formatLock,
  isOfOtherService,
  type Lock,
  type LockRow,
  lockName,
  requireService,
  resolveConflict,
} from './manifest.ts';
import { foldMerged } from './merges.ts';
import { defaultTemplate, pathLength, ReportPaths } from './path.ts';
import type { BegunBatch, PendingBatch } from './pendingBatches.ts';
import { type Plan, type PlanInput, plan } from './plan.ts';
import {
  type ContentStore,
  type DownloadResult,
  type KnownReport,
  type LinkSource,
  publishedHash,
  readFailureOf,
  type Upstream,
  type UpstreamPort,
} from './ports.ts';
import type { Batch, BatchOptions, DownloadQueue, QueueJob } from './queue.ts';
import { lookForUpdates, restoreJob, type Settled, type UpdateLook } from './restore.ts';
import { type FileCheck, type LookAtFilesOptions, lookAtFiles, stateOf } from './verify.ts';

export interface DownloadFolderOptions extends FolderAt {
  /** Path template of new files; the setting `downloads.path`. */
  readonly template?: string | undefined;
  readonly queue: DownloadQueue;
  /** Where the reports of this folder's batches come from; the queue's own source when left out. */
  readonly source?: LinkSource | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Published hashes that the library on this computer knows. */
  readonly upstream?: UpstreamPort | undefined;
  /** Remembers each batch until the returned function is called, so that it can be resumed. */
  readonly remember?: ((batch: BegunBatch, id?: string) => Promise<() => Promise<void>>) | undefined;
}

/** A report to download. One that is given by its id alone is read in its turn. */
export type Wanted = Report | { readonly id: number; readonly report?: Report | undefined };

/** Options of a folder's batch. */
export interface FolderBatchOptions extends BatchOptions {
  /** The unfinished batch that this one resumes. */
  readonly goesOnWith?: PendingBatch | undefined;
  /** Called with each result as it comes, also for reports that could not be read. */
  readonly onResult?: ((result: DownloadResult) => void) | undefined;
  /** Leaves lock and table as they are. */
  readonly frozen?: boolean | undefined;
}

/** Makes the job for a report, or its ending without one. */
type Prepare = (id: number, batch: Batch) => Promise<QueueJob | Settled>;

/** Shortest room for names, in UTF-16 units, however deep the folder lies. */
const minRoom = 60;

/**
 * The PDFs of one downloads folder, with its lock and table. Keeps nothing in memory: other windows change the files,
 * too. Methods throw a LockProblem or a DiskProblem.
 */
export class DownloadFolder {
  readonly #options: DownloadFolderOptions;

  constructor(options: DownloadFolderOptions) {
    this.#options = options;
  }

  /** The lock's rows, sorted by report id. @throws the signal's reason when aborted */
  async rows(signal?: AbortSignal): Promise<readonly LockRow[]> {
    return (await readLock(this.#options, signal)).reports;
  }

  /** Whether the lock is of another service than the one that is asked: its ids mean other reports. */
  async isForeign(): Promise<boolean> {
    return isOfOtherService(await readLock(this.#options), this.#options.source?.origin);
  }

  /** @throws LockProblem when the lock is of another service than the one that is asked */
  async requireService(): Promise<void> {
    requireService(await readLock(this.#options), this.#options.source?.origin);
  }

  /** Joins the two sides of a merge conflict in the lock. @throws LockProblem when a side by itself is no lock file */
  async mergeConflict(): Promise<void> {
    const merged = async (text: string | undefined) => text && formatLock(await resolveConflict(text));
    await changeFile(inFolder(this.#options, lockName), merged);
  }

  /** Paths of the PDFs in the folder that no row of the lock names. */
  async unlisted(): Promise<readonly string[]> {
    const listed = new Set((await this.rows()).map(({ path }) => path));
    return (await pdfsIn(this.#options)).filter((path) => !listed.has(path));
  }

  /** Where each report's PDF is or would be, below the root, by report id. */
  async paths(reports: readonly Report[]): Promise<ReadonlyMap<number, string>> {
    const jobOf = this.#jobs(await readLock(this.#options));
    const paths = new Map(reports.map(({ report_id }) => [report_id, '']));
    for (const report of reports.toSorted((a, b) => a.report_id - b.report_id))
      paths.set(report.report_id, jobOf(report).target.path);
    return paths;
  }

  /** What a download of these reports would do, as far as this computer knows; no network. */
  async plan(wanted: readonly Wanted[]): Promise<Plan> {
    const lock = await readLock(this.#options);
    const jobOf = this.#jobs(lock);
    const held = new Map(lock.reports.map((row) => [row.report_id, row]));
    const stores = this.#stores(lock);
    const inputs: PlanInput[] = [];
    for (const [id, known] of reportsById(wanted)) {
      const [row] = knownRows(held, known, id);
      const place = known ? jobOf(known, id).target : row && inFolder(this.#options, row.path);
      const there = place && (await glance(place, row));
      const report = known ?? unread(id, row);
      const kept = there ? undefined : await findIn(stores, publishedHash(report));
      inputs.push({ report, held: row, there, isKept: kept !== undefined });
    }
    return plan(inputs);
  }

  /**
   * Downloads reports and records them. Those given by id are read first. Gives a result for each, in the order given;
   * a report given twice is downloaded once.
   */
  async download(wanted: readonly Wanted[], options: FolderBatchOptions = {}): Promise<readonly DownloadResult[]> {
    const lock = await readLock(this.#options);
    const jobOf = this.#jobs(lock);
    const reports = reportsById(wanted);
    const jobs = new Map<number, QueueJob>();
    // Always in the same order, so that reports of one name get the same paths.
    for (const [id, report] of [...reports].sort(([one], [other]) => one - other)) {
      if (report) jobs.set(id, jobOf(report, id));
    }
    const results = await this.#run([...reports.keys()], false, lock, options, async (id, { read }) => {
      return jobs.get(id) ?? jobOf(await read(id), id);
    });
    const resultOf = new Map(results.map((result) => [result.report_id, result]));
    return wanted.flatMap((one) => resultOf.get(idOf(one)) ?? []);
  }

  /** Reads every file of the lock and compares its hash; no network. @throws the signal's reason when aborted */
  async verify(options: LookAtFilesOptions = {}): Promise<readonly FileCheck[]> {
    const lock = await readLock(this.#options, options.signal);
    const upstream = await this.#upstream(lock, options.signal);
    const held = await lookAtFiles(this.#options, lock.reports, options);
    return held.map((one) => ({ ...one, state: stateOf(one, upstream.get(one.row.report_id)) }));
  }

  /** Restores the very bytes of the lock, of all reports or `only` some: from this computer, else from the service. */
  async restore({ only, ...options }: FolderBatchOptions & { readonly only?: readonly number[] } = {}) {
    const lock = await readLock(this.#options);
    const rows = new Map(lock.reports.map((row) => [row.report_id, row]));
    const ids = [...rows.keys()].filter((id) => only?.includes(id) ?? true);
    const stores = this.#stores(lock);
    const upstream = await this.#upstream(lock);
    return this.#run(ids, true, lock, options, async (id, batch) => {
      return restoreJob(this.#options, id, rows, stores, batch, upstream.get(id));
    });
  }

  /** Reads every report of the lock, to find the PDFs that the service publishes in another version now. */
  async lookForUpdates(
    options: Pick<BatchOptions, 'signal' | 'priority'> & { readonly onProgress?: (read: number) => void } = {},
  ): Promise<UpdateLook> {
    const { signal, priority, ...told } = options;
    const { queue, source } = this.#options;
    const lock = await readLock(this.#options, signal);
    requireService(lock, source?.origin);
    const upstream = await this.#upstream(lock, signal);
    const batch = queue.begin({ signal, priority, source });
    return lookForUpdates(lock.reports, batch, { ...told, upstream, ...(signal && { signal }) });
  }

  async #run(
    ids: readonly number[],
    exactly: boolean,
    lock: Lock,
    { goesOnWith, onResult, frozen = false, ...options }: FolderBatchOptions,
    prepare: Prepare,
  ): Promise<readonly DownloadResult[]> {
    const { queue, source, clock, logger, root, folder } = this.#options;
    requireService(lock, source?.origin);
    await sweepParts(join(root, folder), clock, logger);
    const forget = await this.#remember(ids, exactly, goesOnWith);
    const recorder = lockRecorder(this.#options, clock, source?.origin ?? undefined);
    const batch = queue.begin({ ...options, source, stores: [sameFolder(this.#options, lock)] });
    const rows = new Map(lock.reports.map((row) => [row.report_id, row]));
    // Two ids that a merge made one report share its download.
    const running = new Map<number, Promise<DownloadResult>>();
    const carryOut = async (id: number): Promise<DownloadResult> => {
      try {
        const prepared = await prepare(id, batch);
        const { report } = prepared;
        if ('failure' in prepared) return { ...prepared.failure, report_id: id, report, links: 0 };
        const download = running.get(report.report_id) ?? batch.download({ ...prepared, source });
        running.set(report.report_id, download);
        return { ...(await download), report_id: id };
      } catch (error) {
        const report = unread(id, rows.get(id));
        return { ...readFailureOf(error, options.signal), report_id: id, report, links: 0 };
      }
    };
    const results = await Promise.all(
      ids.map(async (id) => {
        const result = await carryOut(id);
        if (!frozen) recorder.add(result);
        onResult?.(result);
        return result;
      }),
    );
    try {
      if (!frozen) {
        await recorder.end();
        const { upstream } = this.#options;
        const read = (id: number) => batch.read(id);
        await foldMerged(this.#options, lock, results, { upstream, read, clock });
      }
      const stored = frozen ? [] : results.filter(({ path }) => path !== undefined).map(({ report }) => report);
      if (stored.length > 0) await updateCsv(this.#options, stored);
    } finally {
      await forget?.();
    }
    return results;
  }

  async #upstream(lock: Lock, signal?: AbortSignal): Promise<ReadonlyMap<number, Upstream>> {
    const { upstream, source } = this.#options;
    if (!upstream || isOfOtherService(lock, source?.origin)) return new Map();
    const ids = lock.reports.map(({ report_id }) => report_id);
    return upstream(ids, signal);
  }

  async #remember(reportIds: readonly number[], exactly: boolean, before: PendingBatch | undefined) {
    if (reportIds.length === 0) return undefined;
    const resumed = before ? before.resumed + 1 : 0;
    const { root, source, remember } = this.#options;
    return remember?.({ root, exactly, reportIds, resumed, connection: source?.connection ?? '' }, before?.id);
  }

  /** Makes jobs for the reports of one batch. A report keeps the path of its row, also of one with a retired id. */
  #jobs(lock: Lock): (report: Report, askedId?: number) => QueueJob {
    const { root, folder, template = defaultTemplate } = this.#options;
    const held = new Map(lock.reports.map((row) => [row.report_id, row]));
    const room = Math.max(minRoom, pathLength - root.length - folder.length - 2);
    const paths = new ReportPaths(new Map(lock.reports.map((row) => [row.report_id, row.path])), template, room);
    return (report, askedId = report.report_id) => {
      const [row] = knownRows(held, report, askedId);
      const place = inFolder(this.#options, paths.of(report, row?.report_id));
      return { report, target: { ...place, heldSha256: row?.sha256 ?? null, heldBytes: row?.bytes }, askedId };
    };
  }

  #stores(lock: Lock): readonly ContentStore[] {
    return [sameFolder(this.#options, lock), ...this.#options.queue.stores];
  }
}

/** The known facts of a report that was not read. */
function unread(id: number, row: LockRow | undefined): KnownReport {
  const { report_key = '', company_key = '' } = row ?? {};
  return { report_id: id, report_key, company_key, has_file: null, content_sha256: undefined };
}

function idOf(wanted: Wanted): number {
  return 'id' in wanted ? wanted.id : wanted.report_id;
}

/** The wanted reports by id, each once. */
function reportsById(wanted: readonly Wanted[]): Map<number, Report | undefined> {
  return new Map(wanted.map((one) => [idOf(one), 'id' in one ? one.report : one]));
}

/** The size of a file, and its hash when it has no row or Git may have rewritten it. */
async function glance(place: FileAt, row: LockRow | undefined): Promise<PlanInput['there']> {
  try {
    const there = row && (await statOf(pathOf(place)));
    if (row && (!there || !mayBeRewritten(there.size, row.bytes))) return there && { bytes: there.size };
    return await fileThere(place, { bytes: row?.bytes });
  } catch {
    // The download will meet the same problem and report it.
    return undefined;
  }
}

/** Files of the same folder with the wanted bytes, under another report's name. */
function sameFolder(at: FolderAt, { reports }: Lock): ContentStore {
  const rows = Map.groupBy(reports, ({ sha256 }) => sha256);
  return {
    async find(sha256) {
      for (const { path, bytes } of rows.get(sha256) ?? []) {
        // A link on the way, or an unreadable folder, leaves other ways to the bytes.
        const file = await findFile(inFolder(at, path)).catch(() => undefined);
        const stats = file === undefined ? undefined : await statOf(file).catch(() => undefined);
        if (stats?.isFile() && stats.size === bytes) return file;
      }
      return undefined;
    },
  };
}
