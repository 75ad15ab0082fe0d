import { callProblemOf } from '../api/schemas/problemDetails.ts';
import type { Report } from '../api/schemas/report.ts';
import { Semaphore } from '../base/semaphore.ts';
import { onDisk, pathOf, statOf } from '../files/guard.ts';
import { mayBePointer } from '../machine/gitRewrites.ts';
import { findIn } from './cache.ts';
import { type FolderAt, inFolder } from './lockFile.ts';
import type { LockRow } from './manifest.ts';
import {
  BatchEnded,
  type ContentStore,
  endings,
  type FailedEnding,
  type KnownReport,
  publishedHash,
  readFailureOf,
  type Upstream,
} from './ports.ts';
import type { Batch, QueueJob } from './queue.ts';
import { hasOtherKey, lookAtFile } from './verify.ts';

/** A report that ended without a download. */
export interface Settled {
  readonly report: KnownReport;
  readonly failure: FailedEnding;
}

/**
 * Prepares to restore the very bytes of a lock's row. Without a local copy the report is read, and downloaded unless it
 * publishes other bytes. Beside the row of an id that a merge retired, the surviving report's row counts (RID-1).
 */
export async function restoreJob(
  at: FolderAt,
  id: number,
  rows: ReadonlyMap<number, LockRow>,
  stores: readonly ContentStore[],
  { read }: Pick<Batch, 'read'>,
  upstream: Upstream | undefined,
): Promise<QueueJob | Settled> {
  const held = rows.get(id);
  if (!held) throw new Error(`The lock has no report ${id}.`);
  if (hasOtherKey(held, upstream)) return { report: reportOfRow(held, upstream), failure: endings.otherKey() };
  const targetOf = ({ path, sha256, bytes }: LockRow) => {
    return { ...inFolder(at, path), heldSha256: sha256, heldBytes: bytes, exactly: sha256 };
  };
  const target = targetOf(held);
  const there = await onDisk(() => statOf(pathOf(target)));
  // A file settles it: the right bytes stay, others are not overwritten. Only a pointer to these bytes is none.
  if ((there && !(await isPointer(at, held, there.size))) || (await findIn(stores, held.sha256)))
    return { report: reportOfRow(held, upstream), target, askedId: id };
  const report = await read(id);
  const row = rows.get(report.report_id) ?? held;
  const hash = publishedHash(report);
  if (hash !== null && hash !== row.sha256) return { report, failure: endings.changedUpstream() };
  return { report, target: targetOf(row), askedId: id };
}

const pointersAtOnce = new Semaphore(8);

/** Whether a file of this size is a Git LFS pointer to the row's bytes. Reads small files only. */
async function isPointer(at: FolderAt, row: LockRow, size: number): Promise<boolean> {
  if (!mayBePointer(size) || size === row.bytes) return false;
  const { state, isRestorable } = await pointersAtOnce.run(() => lookAtFile(at, row, 'read'));
  return state === 'lfs-pointer' && isRestorable === true;
}

/** The report of a row, as far as the row knows it. The row's hash is no published one: anyone may have written it. */
export function reportOfRow({ report_id, report_key, company_key }: LockRow, upstream?: Upstream): KnownReport {
  return { report_id, report_key, company_key, has_file: true, content_sha256: upstream?.sha256 };
}

/** A report of the lock whose PDF can't be brought up to date, and why; its file stays. */
export interface NotServed extends FailedEnding {
  readonly row: LockRow;
}

/** A row with its report as just read. */
interface Served {
  readonly row: LockRow;
  readonly report: Report;
}

/** The rows of a lock in four groups, by what the service publishes now. */
export interface UpdateLook {
  readonly current: readonly LockRow[];
  /** Reports whose published bytes are others than those of their row. */
  readonly changed: readonly Served[];
  /** Reports that a merge gave another id, with the bytes of their row, or with a row of that id beside it (RID-1). */
  readonly merged: readonly Served[];
  readonly notServed: readonly NotServed[];
}

interface LookForUpdatesOptions {
  readonly onProgress?: (read: number) => void;
  readonly signal?: AbortSignal;
  /** What the library knows of the reports: a row whose key it doesn't know is kept as it is. */
  readonly upstream?: ReadonlyMap<number, Upstream>;
}

/**
 * Reads the report of each row once; no link is asked for. A report without a published hash counts as current.
 * @throws the signal's reason when aborted, and an error of the service that all readings share
 */
export async function lookForUpdates(
  rows: readonly LockRow[],
  { read }: Pick<Batch, 'read'>,
  { onProgress, signal, upstream }: LookForUpdatesOptions = {},
): Promise<UpdateLook> {
  let done = 0;
  const unanswered: unknown[] = [];
  const look = async (row: LockRow): Promise<Served | NotServed> => {
    try {
      if (hasOtherKey(row, upstream?.get(row.report_id))) return { row, ...endings.otherKey() };
      const report = await read(row.report_id);
      return report.has_file === false ? { row, ...endings.noFile() } : { row, report };
    } catch (error) {
      signal?.throwIfAborted();
      const kind = callProblemOf(error)?.kind;
      if (error instanceof BatchEnded || kind === 'unauthorized') throw error;
      if (kind === 'network') unanswered.push(error);
      return { row, ...readFailureOf(error) };
    } finally {
      onProgress?.(++done);
    }
  };
  const looks = await Promise.all(rows.map(look));
  if (unanswered.length > 0 && unanswered.length === rows.length) throw unanswered[0];
  const ids = new Set(rows.map(({ report_id }) => report_id));
  const groupOf = (one: Served | NotServed) => {
    if ('cause' in one) return 'notServed';
    const { row, report } = one;
    const isMerged = report.report_id !== row.report_id;
    // Where a merge left both rows, the surviving report's row says whether there is news.
    if (isMerged && ids.has(report.report_id)) return 'merged';
    const hash = publishedHash(report);
    if (hash !== null && (hash !== row.sha256 || row.verified === false)) return 'changed';
    return isMerged ? 'merged' : 'current';
  };
  const served = (group: string) => looks.filter((one): one is Served => groupOf(one) === group);
  return {
    current: served('current').map(({ row }) => row),
    changed: served('changed'),
    merged: served('merged'),
    notServed: looks.filter((one) => 'cause' in one),
  };
}
