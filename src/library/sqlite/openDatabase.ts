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
import { Database, told } from './database.ts';
import { addNewFields, libraryVersion, migrate } from './migrations.ts';

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
 * Opens a library file, making or migrating it as needed. Directory and files are the user's own (0700, 0600). A
 * damaged file is renamed aside and a new one begun.
 */
export function openDatabase(options: DatabaseOptions): OpenedDatabase {
  const { opened, setAside } = openOrBegin(options, libraryError, () => open(options));
  return { ...opened, setAside };
}

/**
 * How long a call may wait for another window's transaction, and each try to open the file, in ms. The second is short,
 * because its thread hears only between tries that the window closes.
 */
const [busyTimeout, busyOpening] = [5000, 250];

function open(options: DatabaseOptions): Omit<OpenedDatabase, 'setAside'> {
  const { path, sqlite } = options;
  if (path !== ':memory:') makePlace(path, libraryError);
  // Asked before it is opened: one that takes its place meanwhile is never held to be this one.
  const file = inodeOf(path);
  const db = new Database(told(() => new sqlite.DatabaseSync(path, { timeout: busyOpening })));
  try {
    const version = db.number('PRAGMA user_version');
    if (version > libraryVersion) {
      db.exec(`PRAGMA query_only = 1; PRAGMA busy_timeout = ${busyTimeout}`);
      return { db, file, readOnly: true, rebuilt: false };
    }
    told(() => chooseJournal(db, path, options.fileSystemType));
    db.exec('PRAGMA journal_size_limit = 16777216; PRAGMA wal_autocheckpoint = 4000');
    // In kB; what is not held here the system holds. More makes neither loads nor questions quicker by much, and what a
    // load has once filled is not given back to the system when it is freed.
    db.exec('PRAGMA cache_size = -4000; PRAGMA temp_store = 2');
    const rebuilt = version < libraryVersion && migrate(db);
    checkShape(db, libraryError, shape);
    addNewFields(db);
    db.exec(`PRAGMA busy_timeout = ${busyTimeout}`);
    return { db, file, readOnly: false, rebuilt };
  } catch (error) {
    db.close();
    throw error;
  }
}

/**
 * Opens a library file that is here to read it: nothing is made, migrated, set aside or written. Null where there is
 * none, or an earlier version's, which the editor brings to this one when it opens it.
 */
export function openToRead({ path, sqlite }: Pick<DatabaseOptions, 'path' | 'sqlite'>): OpenedDatabase | null {
  const file = fileAt(path);
  if (file === null) return null;
  const db = new Database(told(() => new sqlite.DatabaseSync(path, { readOnly: true, timeout: busyOpening })));
  try {
    if (db.number('PRAGMA user_version') >= libraryVersion) {
      checkShape(db, libraryError, shape);
      return { db, file, readOnly: true, rebuilt: false, setAside: null };
    }
    db.close();
    return null;
  } catch (error) {
    db.close();
    throw error;
  }
}

const shape = [
  'SELECT name, value FROM meta',
  'SELECT report_id FROM reports ORDER BY report_id DESC LIMIT 1',
  'SELECT id FROM companies ORDER BY id DESC LIMIT 1',
];
