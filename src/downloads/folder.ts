import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Report } from '../api/schemas/report.ts';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { hashFile } from './fileHash.ts';
import { type FolderAt, inFolder, readLock, updateCsv } from './lockFile.ts';
import { LockRecorder } from './lockRecorder.ts';
import { formatLock, type Lock, type LockRow, lockName, resolveConflict } from './manifest.ts';
import { sweepParts } from './partFile.ts';
import { defaultTemplate, pathLength, reportPaths } from './path.ts';
import type { PendingBatch, RememberedBatch } from './pendingBatches.ts';
import { type Plan, type PlanInput, plan } from './plan.ts';
import type { ContentStore, LinkSource } from './ports.ts';
import type { BatchOptions, DownloadQueue, QueueJob } from './queue.ts';
import { restoreJobs } from './restore.ts';
import { type DownloadResult, type KnownReport, publishedHash } from './result.ts';
import { updateText } from './textFile.ts';
import { type LookOptions, lookForUpdates, type UpdateLook } from './update.ts';
import { type FileCheck, verifyFiles } from './verify.ts';

export interface DownloadFolderOptions extends FolderAt {
  /** Path template of new files; the setting `downloads.path`. */
  readonly template?: string | undefined;
  readonly queue: DownloadQueue;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Places outside this folder that may have bytes; the same that the queue was given. */
  readonly stores?: readonly ContentStore[] | undefined;
  /** Remembers each batch until it has ended, so that it can be taken up again. */
  readonly remember?: ((batch: BegunBatch, id?: string) => Promise<RememberedBatch>) | undefined;
}

/** What there is to remember of a batch. */
export type BegunBatch = Pick<PendingBatch, 'root' | 'exactly' | 'reportIds' | 'resumed'>;

/** How a batch of a folder is carried out. */
export interface FolderBatchOptions extends BatchOptions {
  /** The batch that this one goes on with. */
  readonly goesOnWith?: PendingBatch | undefined;
}

/** Shortest room for names, in UTF-16 units, however deep the folder lies. */
const leastRoom = 60;

/**
 * The PDFs of one downloads folder, with its lock and its table of metadata. Holds nothing in memory: the files are the
 * truth, and other windows may change them. Its methods throw a LockProblem when the lock can't be read, and a
 * DiskProblem when lock or table can't be written.
 */
export class DownloadFolder {
  readonly #options: DownloadFolderOptions;

  constructor(options: DownloadFolderOptions) {
    this.#options = options;
  }

  /** The lock's rows, sorted by report id. */
  async rows(): Promise<readonly LockRow[]> {
    return (await readLock(this.#options)).reports;
  }

  /** Joins the two sides of a merge conflict in the lock. @throws LockProblem when a side by itself is no lock file */
  async mergeConflict(): Promise<void> {
    const merged = (text: string | undefined) => (text === undefined ? undefined : formatLock(resolveConflict(text)));
    await updateText(inFolder(this.#options, lockName), merged, this.#options.clock);
  }

  /** Where each report's PDF is or would be, below the root, by report id. */
  async paths(reports: readonly Report[]): Promise<ReadonlyMap<number, string>> {
    const jobs = this.#jobs(reports, await readLock(this.#options));
    return new Map(jobs.map(({ report, target }) => [report.report_id, target.path]));
  }

  /** What a download of these reports would come to; no network. */
  async plan(reports: readonly Report[]): Promise<Plan> {
    const lock = await readLock(this.#options);
    const held = heldRows(lock);
    const inputs: PlanInput[] = [];
    for (const { report, target } of this.#jobs(unique(reports), lock)) {
      const row = held(report);
      const there = await glance(join(target.root, target.path), row === undefined);
      inputs.push({ report, held: row, there, isKept: there === undefined && (await this.#isKept(report, lock)) });
    }
    return plan(inputs);
  }

  /**
   * Downloads reports and keeps lock and table in step. Results in the order given, one for each report; a report given
   * twice is downloaded once. Unfinished files that a crash left are removed first.
   */
  async download(reports: readonly Report[], options: FolderBatchOptions = {}): Promise<readonly DownloadResult[]> {
    const lock = await readLock(this.#options);
    const results = await this.#run(this.#jobs(unique(reports), lock), lock, options);
    const byId = new Map(results.map((result) => [result.report_id, result]));
    return reports.flatMap((report) => byId.get(report.report_id) ?? []);
  }

  /** Reads every file of the lock and compares its hash; no network. */
  async verify(options: { readonly signal?: AbortSignal; readonly onProgress?: (checked: number) => void } = {}) {
    const { root, folder } = this.#options;
    const checks: readonly FileCheck[] = await verifyFiles(root, folder, await this.rows(), options);
    return checks;
  }

  /**
   * Brings back the very bytes that the lock names: from this machine, else from the service if it still publishes them.
   * What is not the same any more gets a result that says which and why.
   * @param only the reports to restore; all when left out
   */
  async restore(
    source: LinkSource,
    { only, ...options }: FolderBatchOptions & { readonly only?: readonly number[] } = {},
  ): Promise<readonly DownloadResult[]> {
    const lock = await readLock(this.#options);
    const rows = only ? lock.reports.filter((row) => only.includes(row.report_id)) : lock.reports;
    const { jobs, settled } = await restoreJobs(this.#options, rows, source, this.#stores(lock), options);
    const results = [...settled, ...(await this.#run(jobs, lock, options))];
    return results.toSorted((a, b) => a.report_id - b.report_id);
  }

  /** Reads every report of the lock again, and tells which PDFs the service publishes in another version now. */
  async lookForUpdates(source: LinkSource, options: LookOptions = {}): Promise<UpdateLook> {
    return lookForUpdates(await this.rows(), source, options);
  }

  /** Removes unfinished files that a crash left in the folder. Gives how many. */
  sweep(): Promise<number> {
    const { root, folder, clock, logger } = this.#options;
    return sweepParts(join(root, folder), clock, logger);
  }

  async #run(
    jobs: readonly QueueJob[],
    lock: Lock,
    { goesOnWith, ...options }: FolderBatchOptions,
  ): Promise<readonly DownloadResult[]> {
    const { queue, clock } = this.#options;
    const begun = await this.#takeUp(jobs);
    const remembered = await this.#remember(begun, goesOnWith);
    const recorder = new LockRecorder(this.#options, clock);
    const results = await queue.run(begun, {
      ...options,
      stores: [...(options.stores ?? []), sameFolder(this.#options, lock)],
      onEvent(event) {
        if (event.state === 'done') {
          recorder.add(event.result);
          remembered?.done(event.job.report.report_id);
        }
        options.onEvent?.(event);
      },
    });
    await recorder.end();
    if (begun !== jobs) await this.sweep();
    if (results.some(({ path }) => path !== undefined)) {
      const reports = results.filter(({ path }) => path !== undefined).map(({ report }) => report);
      await updateCsv(this.#options, await readLock(this.#options), reports, clock);
    }
    await remembered?.end();
    return results;
  }

  async #remember(jobs: readonly QueueJob[], before: PendingBatch | undefined): Promise<RememberedBatch | undefined> {
    const [first] = jobs;
    if (!first) return undefined;
    const exactly = first.target.exactly !== undefined;
    const reportIds = jobs.map(({ report }) => report.report_id);
    const resumed = before ? before.resumed + 1 : 0;
    return this.#options.remember?.({ root: this.#options.root, exactly, reportIds, resumed }, before?.id);
  }

  /** Removes what a crash left, except for what these jobs can go on with; they are told where it is. */
  async #takeUp(jobs: readonly QueueJob[]): Promise<readonly QueueJob[]> {
    const { root, folder, clock, logger } = this.#options;
    const byPlace = new Map(jobs.map((job) => [join(job.target.root, job.target.path), job]));
    const left = new Map<QueueJob, string>();
    await sweepParts(join(root, folder), clock, logger, ({ path, place, isOf }) => {
      const job = byPlace.get(place);
      const wanted = job && (job.target.exactly ?? publishedHash(job.report));
      if (!job || !wanted || !isOf(wanted) || left.has(job)) return false;
      left.set(job, path);
      return true;
    });
    if (left.size === 0) return jobs;
    return jobs.map((job) => ({ ...job, target: { ...job.target, left: left.get(job) } }));
  }

  #jobs(reports: readonly Report[], lock: Lock): QueueJob[] {
    const { root, folder, template = defaultTemplate } = this.#options;
    const held = heldRows(lock);
    const places = new Map(lock.reports.map((row) => [row.report_id, row.path]));
    for (const report of reports) {
      const row = held(report);
      if (!row) continue;
      if (row.report_id !== report.report_id) places.delete(row.report_id);
      places.set(report.report_id, row.path);
    }
    const room = Math.max(leastRoom, pathLength - root.length - folder.length - 2);
    const paths = reportPaths(reports, places, template, room);
    return reports.map((report) => {
      const place = inFolder(this.#options, paths.get(report.report_id) ?? `${report.report_id}.pdf`);
      return { report, target: { ...place, heldSha256: held(report)?.sha256 ?? null } };
    });
  }

  #stores(lock: Lock): readonly ContentStore[] {
    return [sameFolder(this.#options, lock), ...(this.#options.stores ?? [])];
  }

  async #isKept(report: KnownReport, lock: Lock): Promise<boolean> {
    const hash = publishedHash(report);
    if (hash === null) return false;
    for (const store of this.#stores(lock)) if ((await store.find(hash)) !== undefined) return true;
    return false;
  }
}

/** A report's row: its own, or the one of the id that a merge retired (RID-1). */
function heldRows({ reports }: Lock): (report: KnownReport) => LockRow | undefined {
  const rows = new Map(reports.map((row) => [row.report_id, row]));
  return ({ report_id, requested_legacy_report_id: legacy = null }) =>
    rows.get(report_id) ?? (legacy === null ? undefined : rows.get(legacy));
}

function unique(reports: readonly Report[]): Report[] {
  return [...new Map(reports.map((report) => [report.report_id, report])).values()];
}

/** What lies there, as far as a plan needs it: the size, and the hash of a file that no row speaks of. */
async function glance(path: string, read: boolean): Promise<PlanInput['there']> {
  try {
    const { size } = await stat(path);
    return read ? await hashFile(path) : { bytes: size };
  } catch {
    // Whatever keeps it from being read, the download itself will meet and say.
    return undefined;
  }
}

/** Files of the same folder that hold the bytes under another report's name. */
function sameFolder(at: FolderAt, { reports }: Lock): ContentStore {
  const paths = new Map(reports.map((row) => [row.sha256, row.path]));
  return {
    async find(sha256) {
      const path = paths.get(sha256);
      const place = path === undefined ? undefined : join(at.root, at.folder, path);
      return place !== undefined && (await glance(place, false)) ? place : undefined;
    },
  };
}
