import * as fs from 'node:fs';
import { dirname } from 'node:path';
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';

/** The part of `node:sqlite` that is used. */
export type SqliteModule = typeof import('node:sqlite');

/** A row as an array of its columns; what each holds is known from the statement. */
export type SqlRow = readonly unknown[];

/** What can go wrong with a file of SQLite, as far as a caller can act on it. */
export type SqliteProblem =
  /** Another process held the file longer than the busy timeout. */
  | 'busy'
  /** Its folder or disk is read-only, or something is in its way. */
  | 'not-writable'
  /** The disk gave an error, as a full one may, or one that was taken away. */
  | 'unreadable'
  | 'corrupt'
  | 'disk-full'
  | 'unexpected';

/** Codes of SQLite and of the system. 1032: the file was moved away, as another window does with a damaged one. */
const codes: Readonly<Record<Exclude<SqliteProblem, 'unexpected'>, readonly (number | string)[]>> = {
  busy: [5, 6],
  'not-writable': [8, 14, 'EACCES', 'EPERM', 'EROFS', 'ENOTDIR', 'EEXIST', 'EISDIR'],
  unreadable: [10],
  corrupt: [11, 26, 1032],
  'disk-full': [13, 'ENOSPC', 'EDQUOT'],
};
const problemOfCode = new Map<unknown, SqliteProblem>(
  Object.entries(codes).flatMap(([problem, all]) => all.map((code) => [code, problem as SqliteProblem] as const)),
);

/** What a failed call of SQLite or of the file system means; null when the error came from neither. */
export function problemOfError(error: unknown): SqliteProblem | null {
  if (!(error instanceof Error)) return null;
  // Extended codes keep the primary one in the low byte.
  if ('errcode' in error && typeof error.errcode === 'number')
    return problemOfCode.get(error.errcode) ?? problemOfCode.get(error.errcode & 0xff) ?? 'unexpected';
  return 'code' in error ? (problemOfCode.get(error.code) ?? null) : null;
}

/** Makes the error for a person from a failure; `corrupt-held`: the damaged file is open in another window. */
export type ExplainProblem = (problem: SqliteProblem | 'corrupt-held' | 'no-sqlite', cause?: unknown) => Error;

/** Named by a variable so that bundlers leave the built-in alone; older ones do not know it. */
const moduleName = 'node:sqlite';

/** Loads `node:sqlite` and has `probe` try what is needed of it; throws `no-sqlite` through `explain` otherwise. */
export async function loadSqliteFor(
  explain: ExplainProblem,
  probe: (db: DatabaseSync) => void,
  load: () => Promise<SqliteModule> = () => import(moduleName) as Promise<SqliteModule>,
): Promise<SqliteModule> {
  try {
    const sqlite = await load();
    const db = new sqlite.DatabaseSync(':memory:');
    try {
      probe(db);
    } finally {
      db.close();
    }
    return sqlite;
  } catch (error) {
    throw explain('no-sqlite', error);
  }
}

/** Works on a file; an error of SQLite or of the file system is thrown as `explain` has it. */
export function telling<T>(explain: ExplainProblem, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const problem = problemOfError(error);
    throw problem === null ? error : explain(problem, error);
  }
}

/** Prepared statements kept before all are dropped: filters make many forms, and each takes some 10 kB. */
const maxStatements = 200;

/** One connection to a file: statements are prepared once, rows are arrays, and failures go through `explain`. */
export class SqliteConnection {
  readonly db: DatabaseSync;
  readonly #explain: ExplainProblem;
  readonly #statements = new Map<string, StatementSync>();

  /** @param explain leaves errors as they are when left out */
  constructor(db: DatabaseSync, explain: ExplainProblem = (_, cause) => cause as Error) {
    this.db = db;
    this.#explain = explain;
  }

  all(sql: string, ...values: SQLInputValue[]): SqlRow[] {
    return telling(this.#explain, () => this.#prepare(sql).all(...values) as unknown as SqlRow[]);
  }

  get(sql: string, ...values: SQLInputValue[]): SqlRow | undefined {
    return telling(this.#explain, () => this.#prepare(sql).get(...values) as unknown as SqlRow | undefined);
  }

  /** Returns the id of the row that was inserted last. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return Number(telling(this.#explain, () => this.#prepare(sql).run(...values)).lastInsertRowid);
  }

  exec(sql: string): void {
    telling(this.#explain, () => this.db.exec(sql));
  }

  /** The first column of the first row as a number, 0 when there is no row. */
  number(sql: string, ...values: SQLInputValue[]): number {
    return Number(this.get(sql, ...values)?.[0] ?? 0);
  }

  /** Runs `work` as one transaction. It takes the write lock first: a read that turns into a write may fail. */
  transaction<T>(work: () => T): T {
    this.exec('BEGIN IMMEDIATE');
    try {
      const result = work();
      this.exec('COMMIT');
      return result;
    } catch (error) {
      // A full disk has already ended the transaction; another rollback would fail and hide the cause.
      if (this.db.isTransaction) this.db.exec('ROLLBACK');
      throw error;
    }
  }

  close(): void {
    this.#statements.clear();
    this.db.close();
  }

  #prepare(sql: string): StatementSync {
    const known = this.#statements.get(sql);
    if (known) return known;
    const statement = this.db.prepare(sql);
    statement.setReturnArrays(true);
    if (this.#statements.size >= maxStatements) this.#statements.clear();
    this.#statements.set(sql, statement);
    return statement;
  }
}

/** Makes folder and file for this user alone. Throws `corrupt` for a file that all windows are to close. */
export function makePlace(path: string, explain: ExplainProblem): void {
  if (isMarkedDamaged(path)) throw explain('corrupt');
  telling(explain, () => {
    fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    fs.chmodSync(dirname(path), 0o700);
    fs.closeSync(fs.openSync(path, 'a', 0o600));
    fs.chmodSync(path, 0o600);
  });
}

/** Opens a file; a damaged one is renamed and a new one made. `setAside` is its new name, or null. */
export function openOrBegin<T>(
  { path, now }: { readonly path: string; readonly now: () => number },
  explain: ExplainProblem,
  open: () => T,
): { readonly opened: T; readonly setAside: string | null } {
  const found = inodeOf(path);
  try {
    return { opened: open(), setAside: null };
  } catch (error) {
    if (!isProblem(error, 'corrupt')) throw error;
    const setAside = setFileAside(path, found, now(), explain);
    return { opened: open(), setAside };
  }
}

/** Reads a little of what every use needs, so that damage is noticed here and not later. */
export function checkShape(db: SqliteConnection, explain: ExplainProblem, statements: readonly string[]): void {
  try {
    for (const sql of statements) db.all(sql);
  } catch (error) {
    // A table that is missing from a file of our own version is damage as well.
    throw isProblem(error, 'unexpected') ? explain('corrupt', error) : error;
  }
}

function isProblem(error: unknown, problem: SqliteProblem): boolean {
  return error instanceof Error && 'problem' in error && error.problem === problem;
}

/**
 * Renames a damaged file with its journals, and returns the new name; null when another window has done so. Where it is
 * open elsewhere, as on Windows, a marker asks every window to close it; throws `corrupt-held` then.
 */
export function setFileAside(
  path: string,
  damaged: bigint | null,
  now: number,
  explain: ExplainProblem,
): string | null {
  if (inodeOf(path) !== damaged) return null;
  let target = `${path}.damaged-${now}`;
  for (let n = 1; fs.existsSync(target); n++) target = `${path}.damaged-${now}-${n}`;
  try {
    // The file itself comes last: once it is gone another window begins anew, and the journals are that window's.
    for (const suffix of ['-wal', '-shm', '-journal', '']) {
      if (fs.existsSync(path + suffix)) fs.renameSync(path + suffix, target + suffix);
    }
    fs.rmSync(markerOf(path), { force: true });
  } catch (error) {
    telling(explain, () => fs.writeFileSync(markerOf(path), '', { mode: 0o600 }));
    throw explain('corrupt-held', error);
  }
  return target;
}

/** Marks a damaged file until it could be renamed: all windows are to close it. */
const markerOf = (path: string) => `${path}.is-damaged`;

const isMarkedDamaged = (path: string) => fs.existsSync(markerOf(path));

/** Identifies the file at this path; null where there is none. */
export function inodeOf(path: string): bigint | null {
  return fs.statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
}

/** The same; null also for a damaged file that every window is to close, which each checks now and then. */
export function fileAt(path: string): bigint | null {
  return isMarkedDamaged(path) ? null : inodeOf(path);
}

/**
 * Whether two connections may share a write-ahead log: SQLite up to 3.51.2 can corrupt it; 3.50.7 and 3.44.6 are sound.
 */
export function walIsSafe(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10) || 0);
  const soundFrom = new Map([
    [44, 6],
    [50, 7],
    [51, 3],
  ]);
  return major > 3 || (major === 3 && (minor > 51 || patch >= (soundFrom.get(minor) ?? Number.POSITIVE_INFINITY)));
}

/** `f_type` of file systems that other machines may write to: NFS, SMB and CIFS, and what user-space drivers mount. */
const networkTypes: ReadonlySet<number> = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x01021997]);

/**
 * A write-ahead log where that is safe, else a journal that is deleted. While another window has the file open, it
 * stays as that window chose. `fileSystemType` is what `statfs` says of a folder.
 */
export function chooseJournal(
  { db }: SqliteConnection,
  path: string,
  fileSystemType: (path: string) => number = (directory) => fs.statfsSync(directory).type,
): void {
  const pragma = (sql: string) => db.prepare(`PRAGMA ${sql}`).get()?.journal_mode;
  // Too far away for the shared memory that a write-ahead log needs.
  const isShared = path !== ':memory:' && networkTypes.has(fileSystemType(dirname(path)) >>> 0);
  const isSafe = walIsSafe(String(db.prepare('SELECT sqlite_version() AS version').get()?.version));
  let mode: unknown;
  try {
    mode = pragma(`journal_mode = ${isSafe && !isShared ? 'wal' : 'delete'}`);
  } catch (error) {
    if (problemOfError(error) !== 'busy') throw error;
    mode = pragma('journal_mode');
  }
  db.exec(`PRAGMA synchronous = ${mode === 'wal' ? 'NORMAL' : 'FULL'}`);
}
