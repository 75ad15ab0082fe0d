import * as fs from 'node:fs';
import { dirname } from 'node:path';
import { LibraryError, libraryError } from '../libraryError.ts';
import { Database, told } from './database.ts';
import { addNewFields, libraryVersion, migrate } from './migrations.ts';

/** The part of `node:sqlite` that is used here. */
export type SqliteModule = typeof import('node:sqlite');

/** An open library file. */
export interface OpenedDatabase {
  readonly db: Database;
  /** Which file it is: see {@link fileAt}; null for one in memory. */
  readonly file: bigint | null;
  /** True when a newer version wrote the file: it is read, never written or downgraded. */
  readonly readOnly: boolean;
  /** True when an earlier version wrote it, so that reports have to be loaded again. */
  readonly rebuilt: boolean;
  /** Where a damaged file was set aside, or null. */
  readonly setAside: string | null;
  readonly journal: 'wal' | 'delete';
}

export interface DatabaseOptions {
  /** The library's file, or `:memory:`. */
  readonly path: string;
  readonly sqlite: SqliteModule;
  /** Names what is set aside; ms since the epoch. */
  readonly now: () => number;
  /** The type that `statfs` tells of a directory. */
  readonly fileSystemType?: ((path: string) => number) | undefined;
}

/** Named by a variable so that bundlers leave the built-in alone; older ones do not know it. */
const moduleName = 'node:sqlite';

/** Loads `node:sqlite` on first need. Throws `no-sqlite` where the host lacks it, or full-text search in it. */
export async function loadSqlite(
  load: () => Promise<SqliteModule> = () => import(moduleName) as Promise<SqliteModule>,
): Promise<SqliteModule> {
  try {
    const sqlite = await load();
    const probe = new sqlite.DatabaseSync(':memory:');
    try {
      probe.exec("CREATE VIRTUAL TABLE probe USING fts5(words, content='', detail=none)");
    } finally {
      probe.close();
    }
    return sqlite;
  } catch (error) {
    throw libraryError('no-sqlite', error);
  }
}

/**
 * Opens a library file, making or migrating it as needed. Directory and files are the user's own (0700, 0600). A
 * damaged file is renamed aside and a new one begun.
 */
export function openDatabase(options: DatabaseOptions): OpenedDatabase {
  const { path, now } = options;
  const found = inodeOf(path);
  try {
    return { ...open(options), setAside: null };
  } catch (error) {
    if (!(error instanceof LibraryError) || error.problem !== 'corrupt') throw error;
    const setAside = setFileAside(path, found, now());
    return { ...open(options), setAside };
  }
}

/** Directory and file are made before SQLite does, so that no moment exists in which others may read them. */
function makePlace(path: string): void {
  fs.mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  fs.chmodSync(dirname(path), 0o700);
  fs.closeSync(fs.openSync(path, 'a', 0o600));
  fs.chmodSync(path, 0o600);
}

/**
 * Renames a damaged file, the one of this {@link inodeOf}, and its journals out of the way, and tells the new name; null when another
 * window has done so, whose new file stays. Where another window's open file can't be renamed, as on Windows, a marker beside it asks
 * every window to let go; throws `corrupt-held` then.
 */
export function setFileAside(path: string, damaged: bigint | null, now: number): string | null {
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
    told(() => fs.writeFileSync(markerOf(path), '', { mode: 0o600 }));
    throw libraryError('corrupt-held', error);
  }
  return target;
}

/** Stands beside a damaged file until it could be set aside. */
const markerOf = (path: string) => `${path}.is-damaged`;

/** Tells one file from the next at the same path; null where there is none. */
function inodeOf(path: string): bigint | null {
  return fs.statSync(path, { bigint: true, throwIfNoEntry: false })?.ino ?? null;
}

/**
 * The same; null also for one that is to be let go, because it is damaged. Windows look at this now and then, since
 * another may have set the file aside that they have open.
 */
export function fileAt(path: string): bigint | null {
  return fs.existsSync(markerOf(path)) ? null : inodeOf(path);
}

const inMemory = ':memory:';
/** How long a call may wait for another window's transaction, in ms. */
const busyTimeout = 5000;

function open(options: DatabaseOptions): Omit<OpenedDatabase, 'setAside'> {
  const { path, sqlite } = options;
  if (path !== inMemory) {
    if (fs.existsSync(markerOf(path))) throw libraryError('corrupt');
    told(() => makePlace(path));
  }
  // Asked before it is opened: one that takes its place meanwhile is never held to be this one.
  const file = inodeOf(path);
  const db = new Database(told(() => new sqlite.DatabaseSync(path, { timeout: busyTimeout })));
  try {
    const version = db.number('PRAGMA user_version');
    if (version > libraryVersion) {
      db.exec('PRAGMA query_only = 1');
      return { db, file, readOnly: true, rebuilt: false, journal: 'delete' };
    }
    const journal = chooseJournal(db, path, options.fileSystemType ?? ((place) => fs.statfsSync(place).type));
    // In kB; what is not held here the system holds. More makes neither loads nor questions quicker by much, and what a
    // load has once filled is not given back to the system when it is freed.
    db.exec('PRAGMA cache_size = -4000; PRAGMA temp_store = 2');
    const rebuilt = version < libraryVersion && migrate(db);
    checkShape(db);
    addNewFields(db);
    return { db, file, readOnly: false, rebuilt, journal };
  } catch (error) {
    db.close();
    throw error;
  }
}

function chooseJournal(db: Database, path: string, fileSystemType: (path: string) => number): 'wal' | 'delete' {
  const version = String(db.get('SELECT sqlite_version()')?.[0]);
  // Too far away for the shared memory that a write-ahead log needs.
  const isShared = path !== inMemory && networkTypes.has(fileSystemType(dirname(path)) >>> 0);
  const mode = switchJournal(db, walIsSafe(version) && !isShared ? 'wal' : 'delete');
  db.exec(`PRAGMA synchronous = ${mode === 'wal' ? 'NORMAL' : 'FULL'}`);
  db.exec('PRAGMA journal_size_limit = 16777216; PRAGMA wal_autocheckpoint = 4000');
  return mode;
}

/** The mode can't be changed while another window has the file open; it then stays what that window chose. */
function switchJournal(db: Database, wanted: 'wal' | 'delete'): 'wal' | 'delete' {
  try {
    return String(db.get(`PRAGMA journal_mode = ${wanted}`)?.[0]) === 'wal' ? 'wal' : 'delete';
  } catch (error) {
    if (!(error instanceof LibraryError) || error.problem !== 'busy') throw error;
    return String(db.get('PRAGMA journal_mode')?.[0]) === 'wal' ? 'wal' : 'delete';
  }
}

/**
 * Whether two connections may share a write-ahead log safely. SQLite up to 3.51.2 can corrupt a database when the log
 * is reset under a second connection; 3.51.3 and the back-ports 3.50.7 and 3.44.6 are sound.
 */
export function walIsSafe(version: string): boolean {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map((part) => Number.parseInt(part, 10) || 0);
  if (major !== 3) return major > 3;
  if (minor > 51) return true;
  const soundFrom: Readonly<Record<number, number>> = { 51: 3, 50: 7, 44: 6 };
  return patch >= (soundFrom[minor] ?? Number.POSITIVE_INFINITY);
}

/** `f_type` of file systems that other machines may write to: NFS, SMB and CIFS, and what user-space drivers mount. */
const networkTypes: ReadonlySet<number> = new Set([0x6969, 0x517b, 0xff534d42, 0xfe534d42, 0x65735546, 0x01021997]);

/** Reads a little of what every use needs, so that damage shows here and not in the middle of a sync. */
function checkShape(db: Database): void {
  try {
    db.all('SELECT name, value FROM meta');
    db.get('SELECT report_id FROM reports ORDER BY report_id DESC LIMIT 1');
    db.get('SELECT id FROM companies ORDER BY id DESC LIMIT 1');
  } catch (error) {
    // A table that is missing from a file of our own version is damage as well.
    if (error instanceof LibraryError && error.problem === 'unexpected') throw libraryError('corrupt', error);
    throw error;
  }
}
