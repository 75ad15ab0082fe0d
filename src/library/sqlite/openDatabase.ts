import { chmodSync, closeSync, existsSync, mkdirSync, openSync, renameSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { LibraryError, libraryError, problemOfSqliteError } from '../libraryError.ts';
import { Connection } from './connection.ts';
import { postponeFilterIndex } from './filterIndex.ts';
import { isNetworkFileSystem, walIsSafe } from './journalMode.ts';
import type { SqliteModule } from './loadSqlite.ts';
import { migrations, schemaVersion } from './migrations.ts';

/** An open library file. */
export interface OpenedDatabase {
  readonly connection: Connection;
  /** True when a newer version wrote the file: it is read, never written or downgraded. */
  readonly readOnly: boolean;
  /** Where a damaged file was set aside, or null. */
  readonly setAside: string | null;
  readonly journal: 'wal' | 'delete';
}

export interface OpenOptions {
  readonly path: string;
  readonly sqlite: SqliteModule;
  /** Names what is set aside; ms since the epoch. */
  readonly now: () => number;
  /** How long a call may wait for another window's transaction, in ms. */
  readonly busyTimeout?: number | undefined;
  /** The type that `statfs` tells of a directory. */
  readonly fileSystemType?: ((path: string) => number) | undefined;
}

/**
 * Opens a library file, making or migrating it as needed. Directory and files are the user's own (0700, 0600). A
 * damaged file is renamed aside and a new one begun.
 */
export function openDatabase(options: OpenOptions): OpenedDatabase {
  mkdirSync(dirname(options.path), { recursive: true, mode: 0o700 });
  chmodSync(dirname(options.path), 0o700);
  try {
    return { ...open(options), setAside: null };
  } catch (error) {
    if (!(error instanceof LibraryError) || error.problem !== 'corrupt') throw error;
    const setAside = setFileAside(options.path, options.now());
    return { ...open(options), setAside };
  }
}

/** Renames a database and its journal files out of the way and tells the new name. */
export function setFileAside(path: string, now: number): string {
  let target = `${path}.damaged-${now}`;
  for (let n = 1; existsSync(target); n++) target = `${path}.damaged-${now}-${n}`;
  for (const suffix of ['', '-wal', '-shm', '-journal']) {
    if (existsSync(path + suffix)) renameSync(path + suffix, target + suffix);
  }
  return target;
}

function open(options: OpenOptions): Omit<OpenedDatabase, 'setAside'> {
  const { path, sqlite } = options;
  // Made before SQLite does, so that no moment exists in which others may read it.
  closeSync(openSync(path, 'a', 0o600));
  chmodSync(path, 0o600);
  const db = guarded(() => new sqlite.DatabaseSync(path, { timeout: options.busyTimeout ?? 5000 }));
  try {
    const connection = new Connection(db);
    const version = connection.number('PRAGMA user_version');
    if (version > schemaVersion) {
      connection.exec('PRAGMA query_only = 1');
      return { connection, readOnly: true, journal: 'delete' };
    }
    const journal = chooseJournal(connection, path, options.fileSystemType ?? ((place) => statfsSync(place).type));
    // In kB; what is not held here the system holds. More makes neither loads nor questions quicker by much, and what a
    // load has once filled is not given back to the system when it is freed.
    connection.exec('PRAGMA cache_size = -4000; PRAGMA temp_store = 2');
    if (version < schemaVersion) migrate(connection);
    checkShape(connection);
    return { connection, readOnly: false, journal };
  } catch (error) {
    db.close();
    throw error;
  }
}

function chooseJournal(
  connection: Connection,
  path: string,
  fileSystemType: (path: string) => number,
): 'wal' | 'delete' {
  const version = String(connection.get('SELECT sqlite_version()')?.[0]);
  const wanted = walIsSafe(version) && !isNetworkFileSystem(fileSystemType(dirname(path))) ? 'wal' : 'delete';
  const mode = switchJournal(connection, wanted);
  connection.exec(`PRAGMA synchronous = ${mode === 'wal' ? 'NORMAL' : 'FULL'}`);
  connection.exec('PRAGMA journal_size_limit = 16777216; PRAGMA wal_autocheckpoint = 4000');
  return mode;
}

/** The mode can't be changed while another window has the file open; it then stays what that window chose. */
function switchJournal(connection: Connection, wanted: 'wal' | 'delete'): 'wal' | 'delete' {
  try {
    return String(connection.get(`PRAGMA journal_mode = ${wanted}`)?.[0]) === 'wal' ? 'wal' : 'delete';
  } catch (error) {
    if (!(error instanceof LibraryError) || error.problem !== 'busy') throw error;
    return String(connection.get('PRAGMA journal_mode')?.[0]) === 'wal' ? 'wal' : 'delete';
  }
}

function migrate(connection: Connection): void {
  connection.transaction(() => {
    // Asked again under the lock: another window may have migrated meanwhile.
    const from = connection.number('PRAGMA user_version');
    for (const step of migrations.slice(from)) connection.exec(step);
    if (from === 0) postponeFilterIndex(connection);
    if (from < schemaVersion) connection.exec(`PRAGMA user_version = ${schemaVersion}`);
  });
}

/** Reads a little of what every use needs, so that damage shows here and not in the middle of a sync. */
function checkShape(connection: Connection): void {
  try {
    connection.all('SELECT name, value FROM meta');
    connection.get('SELECT report_id FROM reports ORDER BY report_id DESC LIMIT 1');
    connection.get('SELECT id FROM companies ORDER BY id DESC LIMIT 1');
  } catch (error) {
    // A table that is missing from a file of our own version is damage as well.
    if (error instanceof LibraryError && error.problem === 'unexpected') throw libraryError('corrupt', error);
    throw error;
  }
}

function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const problem = problemOfSqliteError(error);
    throw problem === null ? error : libraryError(problem, error);
  }
}
