import { on } from 'node:events';
import { lstat, open } from 'node:fs/promises';
import { dirname, extname, join, relative, sep } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { ColumnName } from '../api/schemas/fields.ts';
import { breather, type Clock, unlessAborted } from '../base/clock.ts';
import { l10n } from '../base/l10n.ts';
import { Semaphore } from '../base/semaphore.ts';
import { DiskProblem, filesBelow, findFile, hashFile, hashOpenFile, onDisk, readFlags, systemCode } from './disk.ts';
import type { LockPiece, LockReading } from './lock.worker.ts';
import {
  csvName,
  emptyLock,
  formatLock,
  type Lock,
  LockProblem,
  type LockRow,
  lockName,
  parseLock,
  resolveConflict,
  schemaVersion,
  withRows,
} from './manifest.ts';
import { isSafePath } from './path.ts';
import { type DownloadResult, demoOrigin, type KnownReport, publishedHash } from './ports.ts';
import { type FileAt, fileStamp, found, pathOf, requirePlain, Unfinished } from './publish.ts';

/** A downloads folder: `folder` below `root`, parts separated by `/`. */
export interface FolderAt {
  /** Absolute path of the workspace folder, or of the folder that stands for it. */
  readonly root: string;
  readonly folder: string;
  /** True in the extension's own storage: what is made there is for this user alone. */
  readonly isPrivate?: boolean | undefined;
}

/** A file of the downloads folder, as a place below the root. */
export function inFolder({ root, folder, isPrivate }: FolderAt, path: string): FileAt {
  return { root, path: `${folder}/${path}`, ...(isPrivate && { isPrivate }) };
}

/** Locks as they were read last, each with what tells its file from another one. */
const knownLocks = new Map<string, { readonly stamp: string; readonly lock: Promise<Lock> }>();

/** A file written more recently than this, in ms, may be written again within the same tick of the disk's clock. */
const settled = 100;

/**
 * The folder's lock; an empty one when there is no file. When one caller aborts, a reading shared with others goes on.
 * Throws a LockProblem, a DiskProblem, or the signal's reason.
 */
export async function readLock(at: FolderAt, signal?: AbortSignal): Promise<Lock> {
  signal?.throwIfAborted();
  return signal ? unlessAborted(sharedLock(at), signal) : sharedLock(at);
}

async function sharedLock(at: FolderAt): Promise<Lock> {
  const place = inFolder(at, lockName);
  const path = pathOf(place);
  const stats = await found(() => lstat(path));
  const isSettled = stats && 'ino' in stats && Date.now() - stats.ctimeMs >= settled;
  const stamp = isSettled ? fileStamp(stats) : undefined;
  const known = knownLocks.get(path);
  if (stamp !== undefined && known?.stamp === stamp) return known.lock;
  const lock = readText(place).then((text) => (text === undefined ? emptyLock : lockOf(text)));
  if (stamp === undefined) knownLocks.delete(path);
  else knownLocks.set(path, { stamp, lock });
  // A disk that failed once is asked again; what is wrong with the file stays so until it changes.
  lock.catch((error: unknown) => error instanceof LockProblem || knownLocks.delete(path));
  return lock;
}

/** Longest text that is read at once, in characters: some 300 rows, which take about 10 ms. */
const maxAtOnce = 100_000;

/** Of a thread that reads a lock, MB: enough for 64 MB of our own rows. */
const resourceLimits = { maxOldGenerationSizeMb: 2048 };
const noRoom = l10n.later('Too little memory is left to read reports.lock.json. Close other programs, then try again.');

/**
 * What the text of a lock says; a large one is read in a thread, because anyone may have written it and 60 MB take
 * seconds.
 * @param isConflict the two sides of a merge conflict are joined
 * @throws LockProblem, or a DiskProblem when there is too little memory
 */
export async function lockOf(text: string, isConflict = false): Promise<Lock> {
  if (text.length <= maxAtOnce) return isConflict ? resolveConflict(text) : parseLock(text);
  // Bundled too, this module is in a folder beside that of the thread's script.
  const script = new URL(`../downloads/lock.worker${extname(import.meta.url)}`, import.meta.url);
  const reading: LockReading = { text, isConflict, words: l10n.spoken() };
  // Told once and over, it answers no call. It has checked each row of a file that anyone may have written, so that
  // 100,000 of them are not gone through once more in the window.
  const thread = new Worker(script, { workerData: reading, resourceLimits, name: 'report-library-lock' });
  const reports: LockRow[] = [];
  const pause = breather();
  try {
    for await (const [piece] of on(thread, 'message', { close: ['exit'] }) as AsyncIterable<[LockPiece]>) {
      if (typeof piece === 'string') reports.push(...(JSON.parse(piece) as LockRow[]));
      else if ('problem' in piece) throw new LockProblem(piece.problem.code, piece.problem.message);
      else return { reports, other: piece.other };
      await pause();
    }
  } catch (error) {
    throw systemCode(error) === 'ERR_WORKER_OUT_OF_MEMORY' ? new DiskProblem('disk', l10n.word(noRoom)) : error;
  }
  // A window that ends takes its threads along: half a lock must not be taken for the whole.
  throw new Error('The thread that reads the lock file ended too early.');
}

/**
 * Writes the results' files into the folder's lock, together with what another window changed meanwhile. Unchanged rows
 * stay, and the row of an id that a merge retired goes (RID-1). A lock without an origin gets the one given, but the
 * demo's only while it is empty. Throws a LockProblem or a DiskProblem; the file is unchanged then.
 */
export function recordResults(
  at: FolderAt,
  results: readonly DownloadResult[],
  clock: Clock,
  origin?: string,
): Promise<void> {
  const record = async (text: string | undefined) => {
    const lock = text === undefined ? emptyLock : await lockOf(text);
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
    // The first service whose reports came here: the ids of another one mean other reports.
    // Rows of a lock that doesn't say where they come from are hardly the demo's.
    const isUnsaid = origin === undefined || (origin === demoOrigin && lock.reports.length > 0);
    const other = isUnsaid ? lock.other : { origin, ...lock.other };
    return formatLock(await withRows({ ...lock, other }, rows, gone));
  };
  return updateText(inFolder(at, lockName), record, clock);
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
 * Brings the folder's table of metadata in line with its lock: a row for each row of the lock, with the metadata at
 * hand, else what the table said before, else what the lock knows. A file of that name that is not such a table stays.
 */
export async function updateCsv(
  at: FolderAt,
  lock: Lock,
  reports: readonly KnownReport[],
  clock: Clock,
): Promise<void> {
  // Loaded here: what only reads a lock needs no CSV.
  const { formatCsv, parseCsv } = await import('./reportsCsv.ts');
  const known = new Map(reports.map((report) => [report.report_id, report.metadata]));
  await updateText(
    inFolder(at, csvName),
    (text) => {
      const before = text === undefined ? [] : parseCsv(text);
      if (!before) return undefined;
      const old = new Map(before.map((row) => [row.report_id, row.metadata]));
      const rows = lock.reports.map((row) => {
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

/** Shortest time between two writes of the lock while a batch runs, in ms. */
const interval = 1000;

/** Writes a batch's results into the lock: now and then while it runs, and the rest at its end. */
export function lockRecorder(at: FolderAt, clock: Clock, origin?: string) {
  let unrecorded: DownloadResult[] = [];
  let recordedAt = clock.monotonic();
  let recording = Promise.resolve();
  const record = () => {
    const batch = unrecorded;
    unrecorded = [];
    recordedAt = clock.monotonic();
    recording = recording.then(() => recordResults(at, batch, clock, origin));
    // Awaited at the end; until then a failure must not count as unhandled.
    recording.catch(() => {});
  };
  return {
    add(result: DownloadResult): void {
      unrecorded.push(result);
      if (clock.monotonic() - recordedAt >= interval) record();
    },
    /** @throws LockProblem or DiskProblem of any of its writes */
    async end(): Promise<void> {
      record();
      await recording;
    },
  };
}

/** Largest text file that is read, in bytes. */
const maxTextBytes = 64 * 1024 ** 2;

/** How often a change is made anew because another window wrote the file meanwhile. */
const maxTurns = 20;

/** Reads a text file at a guarded place; undefined when there is none. */
export async function readText(at: FileAt): Promise<string | undefined> {
  return (await readWithHash(at))?.text;
}

function readWithHash(at: FileAt): Promise<{ readonly text: string; readonly sha256: string } | undefined> {
  return onDisk(async () => {
    const path = await findFile(at.root, at.path);
    if (path === undefined) return undefined;
    try {
      if ((await requirePlain(path)).size > maxTextBytes)
        throw new DiskProblem(
          'in-the-way',
          l10n.t('{0} is larger than 64 MB, so it is not read. Move it away, then try again.', path),
        );
      await using file = await open(path, readFlags);
      const { sha256 } = await hashOpenFile(file);
      return { text: await file.readFile('utf8'), sha256 };
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  });
}

/** Gives the new text, or undefined to leave it; given undefined when there is no file. */
type TextChange = (text: string | undefined) => string | undefined | Promise<string | undefined>;

/** This window's changes take turns; only other windows come in between. */
const turns = new Semaphore(1);

/**
 * Changes a text file as a whole: a reader sees the old text or the new one. When another window wrote it in between,
 * the change is made again on what that window wrote.
 * @throws DiskProblem, or what `change` throws; the file is as it was then
 */
export async function updateText(at: FileAt, change: TextChange, clock: Clock): Promise<void> {
  await turns.run(() => changeNow(at, change, clock));
}

async function changeNow(at: FileAt, change: TextChange, clock: Clock) {
  for (let turn = 1; ; turn++) {
    const before = await readWithHash(at);
    const next = await change(before?.text);
    if (next === undefined || next === before?.text) return;
    await using unfinished = await Unfinished.begin(at, clock);
    try {
      await onDisk(() => unfinished.file.writeFile(next));
      // Only the text that was read may be replaced.
      await unfinished.publish(before ? [before.sha256] : []);
      return;
    } catch (error) {
      if (!(error instanceof DiskProblem && error.code === 'foreign') || turn === maxTurns) throw error;
    }
  }
}

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
  await updateText(inFolder(at, brokenLockName), () => broken, clock);
  await updateText(inFolder(at, lockName), async () => formatLock(await withRows(emptyLock, rows)), clock);
  const named = new Set(rows.map(({ path }) => path));
  return { rows, unknown: paths.filter((path) => !named.has(path)) };
}
