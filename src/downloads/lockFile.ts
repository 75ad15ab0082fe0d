import type { ColumnName } from '../api/schemas/fields.ts';
import type { Clock } from '../base/clock.ts';
import {
  emptyLock,
  formatLock,
  type Lock,
  type LockRow,
  lockName,
  parseLock,
  schemaVersion,
  withRows,
} from './manifest.ts';
import type { PlaceAt } from './place.ts';
import { type CsvRow, csvName, formatCsv, parseCsv } from './reportsCsv.ts';
import type { DownloadResult, KnownReport } from './result.ts';
import { readText, updateText } from './textFile.ts';

/** A downloads folder: `folder` below `root`, parts separated by `/`. */
export interface FolderAt {
  /** Absolute path of the workspace folder, or of the folder that stands for it. */
  readonly root: string;
  readonly folder: string;
}

/** A file of the downloads folder, as a place below the root. */
export function inFolder({ root, folder }: FolderAt, path: string): PlaceAt {
  return { root, path: `${folder}/${path}` };
}

/** The folder's lock; an empty one when there is no file. Throws a LockProblem or a DiskProblem. */
export async function readLock(at: FolderAt): Promise<Lock> {
  const text = await readText(inFolder(at, lockName));
  return text === undefined ? emptyLock : parseLock(text);
}

/**
 * Changes the folder's lock, together with what another window changed meanwhile. Throws a LockProblem or a DiskProblem;
 * the file is as it was then.
 */
export function updateLock(at: FolderAt, change: (lock: Lock) => Lock, clock: Clock): Promise<void> {
  return updateText(
    inFolder(at, lockName),
    (text) => {
      const lock = text === undefined ? emptyLock : parseLock(text);
      const next = change(lock);
      return next === lock ? undefined : formatLock(next);
    },
    clock,
  );
}

/** Writes the results' files into the folder's lock. A row that says the same already stays as it is. */
export function recordResults(at: FolderAt, results: readonly DownloadResult[], clock: Clock): Promise<void> {
  return updateLock(
    at,
    (lock) => {
      const held = new Map(lock.reports.map((row) => [row.report_id, row]));
      const rows: LockRow[] = [];
      const retired: number[] = [];
      for (const result of results) {
        const row = rowOf(at, result, held.get(result.report_id), clock);
        if (!row) continue;
        if (row.report_id !== result.report_id) retired.push(result.report_id);
        const { requested_legacy_report_id: legacy = null } = result.report;
        if (legacy !== null && legacy !== row.report_id) retired.push(legacy);
        if (JSON.stringify(row) !== JSON.stringify(held.get(row.report_id))) rows.push(row);
      }
      const gone = retired.filter((id) => held.has(id));
      return rows.length > 0 || gone.length > 0 ? withRows(lock, rows, gone) : lock;
    },
    clock,
  );
}

function rowOf(at: FolderAt, result: DownloadResult, held: LockRow | undefined, clock: Clock): LockRow | undefined {
  const { path, sha256, bytes, report, verified } = result;
  if (path === undefined || sha256 === undefined || bytes === undefined) return undefined;
  const isSame = held?.sha256 === sha256;
  const { verified: _, ...rest } = held ?? {};
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
    ...(verified ? {} : { verified: false }),
  };
}

/**
 * Brings the folder's table of metadata in line with its lock: a row for each row of the lock, with the metadata at
 * hand, else what the table said before, else what the lock knows. A file of that name that is not such a table stays.
 */
export function updateCsv(at: FolderAt, lock: Lock, reports: readonly KnownReport[], clock: Clock): Promise<void> {
  const known = new Map(reports.map((report) => [report.report_id, report.metadata]));
  return updateText(
    inFolder(at, csvName),
    (text) => {
      const before = text === undefined ? [] : parseCsv(text);
      if (!before) return undefined;
      const old = new Map(before.map((row) => [row.report_id, row.metadata]));
      const rows = lock.reports.map((row): CsvRow => {
        const metadata = known.get(row.report_id) ?? old.get(row.report_id) ?? fromLock(row);
        return { metadata, report_id: row.report_id, path: row.path };
      });
      return formatCsv(rows);
    },
    clock,
  );
}

function fromLock({ report_key, company_key, sha256 }: LockRow): Record<ColumnName, string> {
  return { report_key, company_key, sha256 } as Record<ColumnName, string>;
}
