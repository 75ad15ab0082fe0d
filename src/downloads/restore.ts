import { lstat } from 'node:fs/promises';
import type { Report } from '../api/schemas/report.ts';
import { systemCode } from './disk.ts';
import { type FolderAt, inFolder } from './lockFile.ts';
import type { LockRow } from './manifest.ts';
import {
  BatchEnded,
  type ContentStore,
  callProblemOf,
  endings,
  type Failure,
  type KnownReport,
  publishedHash,
  readFailureOf,
  type Upstream,
} from './ports.ts';
import { pathOf } from './publish.ts';
import type { Batch, QueueJob } from './queue.ts';

/** What a report came to without a download. */
export interface Settled {
  readonly report: KnownReport;
  readonly failure: Failure;
}

/**
 * How the very bytes of a lock's row come back: a file that is there, or whose bytes this machine has, needs no request;
 * else the report is read once, and only one that does not publish other bytes is worth a link.
 */
export async function restoreJob(
  at: FolderAt,
  row: LockRow,
  stores: readonly ContentStore[],
  { read }: Pick<Batch, 'read'>,
  upstream: Upstream | undefined,
): Promise<QueueJob | Settled> {
  const target = { ...inFolder(at, row.path), heldSha256: row.sha256, exactly: row.sha256 };
  if (await isThereOrKept(row, pathOf(target), stores)) return { report: reportOfRow(row, upstream), target };
  const report = await read(row.report_id);
  const hash = publishedHash(report);
  if (hash !== null && hash !== row.sha256) return { report, failure: endings.changedUpstream() };
  return { report, target };
}

/** A file that lies there settles it either way: the right bytes stay, others are not overwritten. */
async function isThereOrKept(row: LockRow, path: string, stores: readonly ContentStore[]): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
  }
  for (const store of stores) if ((await store.find(row.sha256)) !== undefined) return true;
  return false;
}

/**
 * As much of a report as its row knows: enough to put bytes at hand in their place. The hash in the row is no published
 * one: anyone may have written it.
 */
function reportOfRow({ report_id, report_key, company_key }: LockRow, upstream: Upstream | undefined): KnownReport {
  return { report_id, report_key, company_key, has_file: true, content_sha256: upstream?.sha256 };
}

/** A report of the lock whose PDF can't be brought up to date, and why; its file stays. */
export interface NotServed extends Failure {
  readonly row: LockRow;
}

/** What the service publishes now, beside what a lock holds. The four groups make up the lock. */
export interface UpdateLook {
  readonly current: readonly LockRow[];
  /** Reports whose published bytes are others than those of their row; read just now. */
  readonly changed: readonly { readonly row: LockRow; readonly report: Report }[];
  /** Reports that a merge gave another id, with the bytes of their row (RID-1). */
  readonly merged: readonly { readonly row: LockRow; readonly report: Report }[];
  readonly notServed: readonly NotServed[];
}

/** Problems that every further reading would share. */
const endsLook = new Set(['unauthorized', 'network']);

/**
 * Reads the report of each row once; no link is asked for. A report without a published hash counts as current: nothing
 * tells that it changed.
 * @throws the signal's reason when aborted, and an error of the service that all readings would share
 */
export async function lookForUpdates(
  rows: readonly LockRow[],
  { read }: Pick<Batch, 'read'>,
  { onProgress, signal }: { readonly onProgress?: (read: number) => void; readonly signal?: AbortSignal } = {},
): Promise<UpdateLook> {
  const current: LockRow[] = [];
  const changed: UpdateLook['changed'][number][] = [];
  const merged: UpdateLook['merged'][number][] = [];
  const notServed: NotServed[] = [];
  let done = 0;
  const look = async (row: LockRow) => {
    try {
      const report = await read(row.report_id);
      const hash = publishedHash(report);
      if (report.has_file === false) notServed.push({ row, ...endings.noFile() });
      else if (hash !== null && (hash !== row.sha256 || row.verified === false)) changed.push({ row, report });
      else if (report.report_id !== row.report_id) merged.push({ row, report });
      else current.push(row);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof BatchEnded || endsLook.has(callProblemOf(error)?.kind ?? '')) throw error;
      notServed.push({ row, ...readFailureOf(error) });
    }
    onProgress?.(++done);
  };
  await Promise.all(rows.map(look));
  const byId = (a: { row: LockRow }, b: { row: LockRow }) => a.row.report_id - b.row.report_id;
  return {
    current: current.sort((a, b) => a.report_id - b.report_id),
    changed: changed.sort(byId),
    merged: merged.sort(byId),
    notServed: notServed.sort(byId),
  };
}
