import { unlink } from 'node:fs/promises';
import type { Clock } from '../base/clock.ts';
import { retryWhileHeld } from '../files/atomic.ts';
import { changeFile } from '../files/changeFile.ts';
import { findFile, foldedName, onDisk } from '../files/guard.ts';
import { fileThere } from '../files/hash.ts';
import { type FolderAt, inFolder, readLock } from './lockFile.ts';
import { formatLock, type Lock, type LockRow, lockName, parseLock, withRows } from './manifest.ts';
import type { DownloadResult, KnownReport, UpstreamPort } from './ports.ts';

/** Withdrawn reports of a lock that the service is asked about in one batch. */
const maxAsked = 50;

interface MergeSources {
  /** What the library on this computer knows, if there is one. */
  readonly upstream?: UpstreamPort | undefined;
  /** Reads a report from the service by the id that a lock names. */
  read(id: number): Promise<Pick<KnownReport, 'report_id'>>;
  readonly clock: Clock;
}

/**
 * Leaves one row and one PDF for each report of a batch (RID-1). Files that somebody changed stay.
 * @param before the lock when the batch began
 * @throws LockProblem or DiskProblem
 */
export async function foldMerged(
  at: FolderAt,
  before: Lock,
  results: readonly DownloadResult[],
  sources: MergeSources,
): Promise<void> {
  const brought = results.filter(({ path }) => path !== undefined);
  if (brought.length === 0) return;
  const { reports: rows } = await readLock(at);
  const retired = new Set(await retiredRows(rows, brought, sources));
  if (retired.size > 0) await dropRows(at, [...retired]);
  const left = rows.filter((row) => !retired.has(row));
  const ids = new Set(left.map(({ report_id }) => report_id));
  const paths = new Set(left.map(({ path }) => foldedName(path)));
  const replaced = before.reports.filter(({ report_id: id }) => !ids.has(id) && brought.some(isFormer(id)));
  for (const row of [...replaced, ...retired])
    if (!paths.has(foldedName(row.path))) await removeFile(at, row, sources.clock);
}

const isFormer =
  (id: number) =>
  ({ report, report_id }: DownloadResult): boolean =>
    report.report_id !== id && (report_id === id || report.requested_legacy_report_id === id);

/** The rows whose id leads to one of the reports that were brought. */
async function retiredRows(
  rows: readonly LockRow[],
  brought: readonly DownloadResult[],
  { upstream, read }: MergeSources,
): Promise<readonly LockRow[]> {
  const ids = new Set(brought.map(({ report }) => report.report_id));
  const companies = new Set(brought.map(({ report }) => report.company_key));
  const others = rows.filter((row) => !ids.has(row.report_id) && companies.has(row.company_key));
  const known = await upstream?.(others.map(({ report_id }) => report_id));
  let asked = 0;
  const leadsTo = async (id: number): Promise<number | undefined> => {
    const { report_id = id, withdrawn = false } = known?.get(id) ?? {};
    if (report_id !== id || !withdrawn || ++asked > maxAsked) return report_id;
    // Withdrawn and not merged, or the service is away: the row stays as it is.
    return read(id).then(
      (report) => report.report_id,
      () => undefined,
    );
  };
  const survivors = await Promise.all(others.map(({ report_id }) => leadsTo(report_id)));
  return others.filter((_, index) => ids.has(survivors[index] ?? 0));
}

function dropRows(at: FolderAt, retired: readonly LockRow[]): Promise<void> {
  const ids = retired.map(({ report_id }) => report_id);
  return changeFile(inFolder(at, lockName), async (text) =>
    text === undefined ? undefined : formatLock(withRows(await parseLock(text), [], ids)),
  );
}

/** Removes the file of a row that is gone. A file with other bytes than the row's is the user's, and stays. */
async function removeFile(at: FolderAt, row: LockRow, clock: Clock): Promise<void> {
  const file = inFolder(at, row.path);
  const path = await findFile(file);
  if (path === undefined || (await fileThere(file))?.sha256 !== row.sha256) return;
  await onDisk(() => retryWhileHeld(() => unlink(path), clock));
}
