import { lstat } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { ColumnName } from '../api/schemas/fields.ts';
import { type Clock, unlessAborted } from '../base/clock.ts';
import { l10n } from '../base/l10n.ts';
import { changeFile, readText } from '../files/changeFile.ts';
import { DiskProblem, type FileAt, filesBelow, findFile, onDisk, pathOf } from '../files/guard.ts';
import { fileStamp, found, hashFile } from '../files/hash.ts';
import {
  csvName,
  emptyLock,
  formatLock,
  type Lock,
  LockProblem,
  type LockRow,
  lockName,
  parseLock,
  schemaVersion,
  withRows,
} from './manifest.ts';
import { isSafePath } from './path.ts';
import { type DownloadResult, demoOrigin, type KnownReport, publishedHash } from './ports.ts';
import { formatCsv, parseCsv } from './reportsCsv.ts';

/** A downloads folder: `folder` below `root`, parts separated by `/`. */
export interface FolderAt {
  /** Absolute path of the workspace folder, or of the folder used in its place. */
  readonly root: string;
  readonly folder: string;
  /** True in the extension's own storage: new files are for this user alone. */
  readonly isPrivate?: boolean | undefined;
}

/** A file of the downloads folder. */
export function inFolder({ root, folder, isPrivate }: FolderAt, path: string): FileAt {
  return { root, path: `${folder}/${path}`, ...(isPrivate && { isPrivate }) };
}

/** The locks read last, with the stamps of their files. */
const knownLocks = new Map<string, { readonly stamp: string; readonly lock: Promise<Lock> }>();

/** A file written more recently than this, in ms, may be written again within the same tick of the disk's clock. */
const settled = 100;

/**
 * The folder's lock; an empty one when there is no file.
 * @throws LockProblem, DiskProblem, or the signal's reason
 */
export async function readLock(at: FolderAt, signal?: AbortSignal): Promise<Lock> {
  signal?.throwIfAborted();
  return signal ? unlessAborted(sharedLock(at), signal) : sharedLock(at);
}

async function sharedLock(at: FolderAt): Promise<Lock> {
  const file = inFolder(at, lockName);
  const path = pathOf(file);
  const stats = await found(() => lstat(path));
  const isSettled = stats && 'ino' in stats && Date.now() - stats.ctimeMs >= settled;
  const stamp = isSettled ? fileStamp(stats) : undefined;
  const known = knownLocks.get(path);
  if (stamp !== undefined && known?.stamp === stamp) return known.lock;
  const lock = readText(file).then((text) => (text === undefined ? emptyLock : parseLock(text)));
  if (stamp === undefined) knownLocks.delete(path);
  else knownLocks.set(path, { stamp, lock });
  // A disk that failed once is asked again; a bad file stays bad until it changes.
  lock.catch((error: unknown) => error instanceof LockProblem || knownLocks.delete(path));
  return lock;
}

/**
 * Writes results into the folder's lock, beside the rows of other windows. The row of an id that a merge retired goes
 * (RID-1). A lock without an origin gets this one, but the demo's only while it is empty.
 * @throws LockProblem or DiskProblem; the file is unchanged then
 */
export function recordResults(
  at: FolderAt,
  results: readonly DownloadResult[],
  clock: Clock,
  origin?: string,
): Promise<void> {
  return changeFile(inFolder(at, lockName), async (text) => {
    const lock = text === undefined ? emptyLock : await parseLock(text);
    const held = new Map(lock.reports.map((row) => [row.report_id, row]));
    const rows: LockRow[] = [];
    const gone: number[] = [];
    for (const result of results) {
      const { report_id: id } = result.report;
      const known = knownRows(held, result.report, result.report_id);
      const row = rowOf(at, result, known[0], clock);
      if (!row) continue;
      gone.push(...known.map(({ report_id }) => report_id).filter((former) => former !== id));
      if (JSON.stringify(row) !== JSON.stringify(held.get(id))) rows.push(row);
    }
    if (rows.length + gone.length === 0) return undefined;
    // Rows of a lock that doesn't say where they come from are hardly the demo's.
    const isUnsaid = origin === undefined || (origin === demoOrigin && lock.reports.length > 0);
    const other = isUnsaid ? lock.other : { origin, ...lock.other };
    return formatLock(withRows({ ...lock, other }, rows, gone));
  });
}

/** The rows of a report: its own first, then those of ids from which a merge led to it (RID-1). */
export function knownRows(
  held: ReadonlyMap<number, LockRow>,
  report: Pick<KnownReport, 'report_id' | 'requested_legacy_report_id'> | undefined,
  askedId: number,
): LockRow[] {
  const ids = new Set([report?.report_id, askedId, report?.requested_legacy_report_id]);
  return [...ids].flatMap((id) => held.get(id ?? 0) ?? []);
}

function rowOf(at: FolderAt, result: DownloadResult, held: LockRow | undefined, clock: Clock): LockRow | undefined {
  const { path, sha256, bytes, report, verified } = result;
  if (path === undefined || sha256 === undefined || bytes === undefined) return undefined;
  const isSame = held?.sha256 === sha256;
  const { verified: before, ...rest } = held ?? {};
  // Bytes that were not compared now stay what they were.
  const isCompared = report.content_sha256 !== undefined && publishedHash(report) === null;
  const isUnverified = isCompared || before === false;
  return {
    ...rest,
    report_id: report.report_id,
    report_key: report.report_key,
    company_key: report.company_key,
    path: path.slice(at.folder.length + 1),
    sha256,
    bytes,
    downloaded_at: isSame ? held.downloaded_at : new Date(clock.now()).toISOString(),
    schema_version: isSame ? held.schema_version : schemaVersion,
    ...(!verified && isUnverified && { verified: false }),
  };
}

/**
 * Writes a table row for each row of the lock: the metadata at hand, else the table's earlier one, else what the lock
 * knows. Leaves a file that isn't ours.
 * @throws LockProblem or DiskProblem
 */
export async function updateCsv(at: FolderAt, reports: readonly KnownReport[]): Promise<void> {
  const known = new Map(reports.map((report) => [report.report_id, report.metadata]));
  await changeFile(inFolder(at, csvName), async (text) => {
    const before = text === undefined ? [] : parseCsv(text);
    if (!before) return undefined;
    const old = new Map(before.map((row) => [row.report_id, row.metadata]));
    // Read while no other process writes the table: an earlier lock may lack rows that the table has.
    const { reports } = await readLock(at);
    const rows = reports.map((row) => {
      const { report_id, report_key, company_key, sha256, path } = row;
      const metadata = [known, old].map((some) => some.get(report_id)).find((some) => some && isOfRow(some, row));
      return { metadata: metadata ?? ({ report_key, company_key, sha256 } as CsvMetadata), report_id, path };
    });
    return formatCsv(rows);
  });
}

type CsvMetadata = Readonly<Record<ColumnName, string>>;

/** Whether metadata has the key of a lock's row, which anyone may have written, and its hash, if any. */
function isOfRow({ report_key, sha256 }: CsvMetadata, row: LockRow): boolean {
  return ['', row.report_key].includes(report_key) && ['', row.sha256].includes(sha256.trim().toLowerCase());
}

/** Shortest time between two writes of the lock while a batch runs, in ms. */
const interval = 1000;

/** How many missing reports an error names. */
const maxNamed = 5;

/** Writes a batch's results into the lock while it runs and at its end. A failed write is made up for by the next. */
export function lockRecorder(at: FolderAt, clock: Clock, origin?: string) {
  let unrecorded: DownloadResult[] = [];
  let recordedAt = clock.monotonic();
  let recording = Promise.resolve();
  const record = async () => {
    const batch = unrecorded;
    unrecorded = [];
    recordedAt = clock.monotonic();
    try {
      await recordResults(at, batch, clock, origin);
    } catch (error) {
      unrecorded = [...batch, ...unrecorded];
      throw error;
    }
  };
  return {
    add(result: DownloadResult): void {
      unrecorded.push(result);
      // Only the last write reports its failure: it includes what earlier ones failed to write.
      if (clock.monotonic() - recordedAt >= interval) recording = recording.then(record).catch(() => {});
    },
    /** @throws LockProblem or DiskProblem of the last write, which names the reports missing from the lock */
    async end(): Promise<void> {
      await recording;
      try {
        await record();
      } catch (error) {
        throw withMissing(error, unrecorded);
      }
    },
  };
}

/** The error of a write, with the reports whose PDFs the lock lacks. */
function withMissing(error: unknown, unrecorded: readonly DownloadResult[]): unknown {
  const keys = unrecorded.filter(({ path }) => path !== undefined).map(({ report }) => report.report_key);
  if (keys.length === 0 || !(error instanceof DiskProblem || error instanceof LockProblem)) return error;
  const named = keys.slice(0, maxNamed).join(', ') + (keys.length > maxNamed ? ', …' : '');
  const message = `${error.message} ${l10n.t('Downloaded but missing from the lock file ({0}): {1}.', keys.length, named)}`;
  return error instanceof DiskProblem
    ? new DiskProblem(error.code, message, error)
    : new LockProblem(error.code, message);
}

/** Name of a copy of an unreadable lock, beside the one that replaced it. */
export const brokenLockName = 'reports.lock.broken.json';

/** A report that the library knows by the hash of its PDF. */
export type ReportOfHash = Pick<LockRow, 'report_id' | 'report_key' | 'company_key' | 'sha256'>;

/** Paths below the downloads folder of all PDFs in it, sorted, parts separated by `/`. Follows no link. */
export function pdfsIn(at: FolderAt): Promise<string[]> {
  return onDisk(async () => {
    const lock = await findFile(inFolder(at, lockName));
    if (lock === undefined) return [];
    const folder = dirname(lock);
    const paths = (await filesBelow(folder)).map((file) => relative(folder, file).replaceAll(sep, '/'));
    return paths.filter(isSafePath).sort();
  });
}

/**
 * Rebuilds a folder's lock file from its PDFs with a published hash, and keeps a copy of the old one.
 * @param find the reports that have one of these hashes
 * @returns the rows, and the paths of the PDFs that belong to no known report
 * @throws DiskProblem, or the signal's reason when aborted; the lock is as it was then
 */
export async function rebuildLock(
  at: FolderAt,
  find: (hashes: ReadonlySet<string>) => Promise<readonly ReportOfHash[]>,
  clock: Clock,
  options: { readonly signal?: AbortSignal; readonly onProgress?: (read: number, total: number) => void } = {},
): Promise<{ readonly rows: readonly LockRow[]; readonly unknown: readonly string[] }> {
  const paths = await pdfsIn(at);
  const files: { readonly path: string; readonly sha256: string; readonly bytes: number }[] = [];
  for (const path of paths) {
    files.push({ path, ...(await onDisk(() => hashFile(join(at.root, at.folder, path), options.signal))) });
    options.onProgress?.(files.length, paths.length);
  }
  const reports = Map.groupBy(await find(new Set(files.map(({ sha256 }) => sha256))), ({ sha256 }) => sha256);
  const downloaded_at = new Date(clock.now()).toISOString();
  const rows = files.flatMap(({ path, sha256, bytes }): LockRow[] => {
    const fitting = reports.get(sha256) ?? [];
    // Reports may share their bytes: then the file's name decides.
    const report = fitting.find(({ report_key }) => path.includes(report_key)) ?? fitting[0];
    if (!report) return [];
    reports.set(
      sha256,
      fitting.filter((other) => other !== report),
    );
    const { report_id, report_key, company_key } = report;
    return [{ report_id, report_key, company_key, path, sha256, bytes, downloaded_at, schema_version: schemaVersion }];
  });
  options.signal?.throwIfAborted();
  const broken = await readText(inFolder(at, lockName));
  await changeFile(inFolder(at, brokenLockName), () => broken);
  await changeFile(inFolder(at, lockName), () => formatLock(withRows(emptyLock, rows)));
  const named = new Set(rows.map(({ path }) => path));
  return { rows, unknown: paths.filter((path) => !named.has(path)) };
}
