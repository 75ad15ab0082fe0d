import { dirname, join, relative, sep } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { filesBelow, findFile, hashFile, onDisk } from './disk.ts';
import { type FolderAt, inFolder, readText, updateText } from './lockFile.ts';
import { emptyLock, formatLock, type LockRow, lockName, schemaVersion, withRows } from './manifest.ts';
import { isSafePath } from './path.ts';

/** Name of what a lock held that could not be read, beside the one that took its place. */
export const brokenLockName = 'reports.lock.broken.json';

/** A report that the library knows by the hash of its PDF. */
export type ReportOfHash = Pick<LockRow, 'report_id' | 'report_key' | 'company_key' | 'sha256'>;

/** Paths below the downloads folder of all PDFs in it, sorted, parts separated by `/`. Follows no link. */
export function pdfsIn(at: FolderAt): Promise<string[]> {
  return onDisk(async () => {
    const lock = await findFile(at.root, inFolder(at, lockName).path);
    if (lock === undefined) return [];
    const folder = dirname(lock);
    const paths = (await filesBelow(folder)).map((file) => relative(folder, file).replaceAll(sep, '/'));
    return paths.filter(isSafePath).sort();
  });
}

/**
 * Writes the folder's lock anew from the PDFs that are there: those whose hash is one that the service published get a
 * row each. What the lock held stays beside it.
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
  const left = new Set(await find(new Set(files.map(({ sha256 }) => sha256))));
  const downloaded_at = new Date(clock.now()).toISOString();
  const rows = files.flatMap(({ path, sha256, bytes }): LockRow[] => {
    const fitting = [...left].filter((report) => report.sha256 === sha256);
    // Reports may share their bytes: the name of the file tells then.
    const report = fitting.find(({ report_key }) => path.includes(report_key)) ?? fitting[0];
    if (!report) return [];
    left.delete(report);
    const { report_id, report_key, company_key } = report;
    return [{ report_id, report_key, company_key, path, sha256, bytes, downloaded_at, schema_version: schemaVersion }];
  });
  options.signal?.throwIfAborted();
  const broken = await readText(inFolder(at, lockName));
  if (broken !== undefined) await updateText(inFolder(at, brokenLockName), () => broken, clock);
  await updateText(inFolder(at, lockName), async () => formatLock(await withRows(emptyLock, rows)), clock);
  const named = new Set(rows.map(({ path }) => path));
  return { rows, unknown: paths.filter((path) => !named.has(path)) };
}
