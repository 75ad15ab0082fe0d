import {
  checkShape,
  chooseJournal,
  fileAt,
  inodeOf,
  loadSqliteFor,
  makePlace,
  openOrBegin,
  type SqliteModule,
} from '../../machine/sqliteFile.ts';
import { libraryError } from '../libraryError.ts';
import { libraryVersion } from '../libraryName.ts';
import { Database, withSqliteErrors } from './database.ts';
import { createSchema } from './schema.ts';

export interface OpenedDatabase {
  readonly db: Database;
  /** Which file it is: see {@link fileAt}; null for one in memory. */
  readonly file: bigint | null;
  /** Where a damaged file was set aside, or null. */
  readonly setAside: string | null;
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

/** Loads `node:sqlite` on first need. Throws `no-sqlite` where the host lacks it, or full-text search in it. */
export function loadLibrarySqlite(load?: () => Promise<SqliteModule>): Promise<SqliteModule> {
  const sql = "CREATE VIRTUAL TABLE probe USING fts5(words, content='', detail=none)";
  return loadSqliteFor(libraryError, (db) => db.exec(sql), load);
}

/**
 * Opens a library file, making it as needed. Directory and files are the user's own (0700, 0600). A file that is
 * damaged, or holds another version than its name says, is renamed and a new one begun.
 */
export function openDatabase(options: DatabaseOptions): OpenedDatabase {
  const { opened, setAside } = openOrBegin(options, libraryError, () => open(options));
  return { ...opened, setAside };
}

/** How long a call may wait for another window's transaction, in ms. */
const busyTimeout = 5000;

function open(options: DatabaseOptions): Omit<OpenedDatabase, 'setAside'> {
  const { path, sqlite } = options;
  if (path !== ':memory:') makePlace(path, libraryError);
  // Asked before it is opened: one that takes its place meanwhile is never held to be this one.
  const file = inodeOf(path);
  const db = new Database(withSqliteErrors(() => new sqlite.DatabaseSync(path, { timeout: busyTimeout })));
  try {
    // Set before the first write. In smaller pages the texts of reports would leave much of each empty.
    if (db.number('PRAGMA user_version') === 0) db.exec('PRAGMA page_size = 16384');
    withSqliteErrors(() => chooseJournal(db, path, options.fileSystemType));
    db.exec('PRAGMA journal_size_limit = 16777216; PRAGMA wal_autocheckpoint = 1000');
    // In kB; what is not held here the system holds. More makes neither loads nor questions quicker by much, and what a
    // load has once filled is not given back to the system when it is freed.
    db.exec('PRAGMA cache_size = -4000; PRAGMA temp_store = 2');
    if (db.number('PRAGMA user_version') === 0) createSchema(db, path, sqlite);
    checkVersion(db);
    checkShape(db, libraryError, shape);
    return { db, file };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Opens a library file to read it: nothing is made, set aside or written. Null where there is none yet. */
export function openToRead({ path, sqlite }: Pick<DatabaseOptions, 'path' | 'sqlite'>): OpenedDatabase | null {
  const file = fileAt(path);
  if (file === null) return null;
  const db = new Database(
    withSqliteErrors(() => new sqlite.DatabaseSync(path, { readOnly: true, timeout: busyTimeout })),
  );
  try {
    if (db.number('PRAGMA user_version') === 0) {
      db.close();
      return null;
    }
    checkVersion(db);
    checkShape(db, libraryError, shape);
    return { db, file, setAside: null };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Versions have files of their own, so another one in this file was not written by the extension. */
function checkVersion(db: Database): void {
  if (db.number('PRAGMA user_version') !== libraryVersion) throw libraryError('corrupt');
}

const shape = [
  'SELECT name, value FROM meta',
  'SELECT report_id FROM reports ORDER BY report_id DESC LIMIT 1',
  'SELECT id FROM companies ORDER BY id DESC LIMIT 1',
];
