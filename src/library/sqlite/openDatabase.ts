import type { DatabaseSync, DatabaseSyncOptions } from 'node:sqlite';
import {
  checkShape,
  chooseJournal,
  fileAt,
  inodeOf,
  loadSqliteFor,
  makePlace,
  openOrBegin,
  SqliteConnection,
  type SqliteModule,
  telling,
} from '../../machine/sqliteFile.ts';
import { libraryError } from '../libraryError.ts';
import { libraryVersion } from '../libraryName.ts';

/** One connection to a library's file; failures come out as `LibraryError`s. */
export class Database extends SqliteConnection {
  constructor(db: DatabaseSync) {
    super(db, libraryError);
  }

  /** The number that is kept under a name; 0 before there is one. */
  kept(name: string): number {
    return this.number('SELECT value FROM meta WHERE name = ?', name);
  }

  keep(name: string, value: number | string): void {
    this.run('INSERT OR REPLACE INTO meta(name, value) VALUES (?, ?)', name, String(value));
  }

  /** Counts up the number that is kept under a name. */
  next(name: string): number {
    return this.transaction(() => {
      const value = this.kept(name) + 1;
      this.keep(name, value);
      return value;
    });
  }
}

export interface OpenedDatabase {
  readonly db: Database;
  /** Which file it is: see {@link fileAt}; null for one in memory. */
  readonly file: bigint | null;
  readonly setAside: string | null;
}

export interface DatabaseOptions {
  readonly path: string;
  readonly sqlite: SqliteModule;
  /** Names what is set aside; ms since the epoch. */
  readonly now: () => number;
  /** The type that `statfs` tells of a directory. */
  readonly fileSystemType?: ((path: string) => number) | undefined;
}

/** Loads `node:sqlite` on first need. Throws `no-sqlite` where the host lacks it, or full-text search in it. */
export function loadLibrarySqlite(load?: () => Promise<SqliteModule>): Promise<SqliteModule> {
  const sql = "CREATE VIRTUAL TABLE probe USING fts5(words, content='', contentless_delete=1, detail=none)";
  return loadSqliteFor(libraryError, (db) => db.exec(sql), load);
}

/** Opens a library file (0600, directory 0700), making it as needed. A damaged one is renamed. */
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
  const db = connect(sqlite, path, { timeout: busyTimeout }, (db) => {
    // Set before the first write. In smaller pages the texts of reports would leave much of each empty.
    if (db.number('PRAGMA user_version') === 0) db.exec('PRAGMA page_size = 16384');
    telling(libraryError, () => chooseJournal(db, path, options.fileSystemType));
    db.exec('PRAGMA journal_size_limit = 16777216; PRAGMA wal_autocheckpoint = 1000');
    // In kB; what is not held here the system holds. More makes neither loads nor questions quicker by much, and what a
    // load has once filled is not given back to the system when it is freed.
    db.exec('PRAGMA cache_size = -4000; PRAGMA temp_store = 2');
    if (db.number('PRAGMA user_version') === 0) createSchema(db);
  });
  return { db, file };
}

/**
 * Opens a library file to read it; null where there is none yet.
 * @param timeout how long to wait for another window's transaction, ms
 */
export function openToRead(
  { path, sqlite }: Pick<DatabaseOptions, 'path' | 'sqlite'>,
  timeout = busyTimeout,
): OpenedDatabase | null {
  const file = fileAt(path);
  if (file === null) return null;
  const db = connect(sqlite, path, { readOnly: true, timeout });
  if (db.number('PRAGMA user_version') !== 0) return { db, file, setAside: null };
  db.close();
  return null;
}

/** Opens a file, and checks what it holds; one without tables is only being made. */
function connect(
  sqlite: SqliteModule,
  path: string,
  options: DatabaseSyncOptions,
  prepare: (db: Database) => void = () => {},
): Database {
  const db = new Database(telling(libraryError, () => new sqlite.DatabaseSync(path, options)));
  try {
    prepare(db);
    const version = db.number('PRAGMA user_version');
    // Versions have files of their own, so another one in this file was not written by the extension.
    if (version !== 0 && version !== libraryVersion) throw libraryError('corrupt');
    if (version !== 0) checkShape(db, libraryError, shape);
    return db;
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

const schemaSql = `
  CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE companies(
    id INTEGER PRIMARY KEY,
    company_key TEXT NOT NULL UNIQUE,
    company_name TEXT, sort_name TEXT NOT NULL, letter TEXT NOT NULL, words TEXT NOT NULL,
    isin TEXT, lei TEXT, figi TEXT, cik TEXT, fiscal_year_end_month INTEGER, ticker TEXT, mic TEXT, exchange TEXT,
    country TEXT, sector TEXT, industry TEXT,
    other TEXT,
    watched INTEGER NOT NULL DEFAULT 0,
    -- Counted anew in each transaction that touches the company's reports: see companyTable.ts.
    listed INTEGER NOT NULL DEFAULT 0,
    gone INTEGER NOT NULL DEFAULT 0,
    newest INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX companies_by_name ON companies(sort_name, id);
  CREATE TABLE company_aliases(company_key TEXT PRIMARY KEY, company INTEGER NOT NULL) WITHOUT ROWID;

  -- What filters, sorting and counts need, in the order of lists: "doc" is the fiscal year above the id, see searchText.ts.
  -- A row takes about 100 bytes, so questions about many reports read this table from end to end: 20 ms for 200,000.
  CREATE TABLE reports(
    doc INTEGER PRIMARY KEY,
    report_id INTEGER NOT NULL UNIQUE,
    company INTEGER NOT NULL,
    fy INTEGER NOT NULL,
    ends INTEGER NOT NULL,
    type TEXT NOT NULL,
    class TEXT NOT NULL,
    lang TEXT NOT NULL,
    level TEXT NOT NULL,
    flags INTEGER NOT NULL,
    title TEXT,
    published TEXT NOT NULL,
    pages INTEGER,
    filesize REAL,
    hash TEXT,
    state INTEGER NOT NULL,
    changed INTEGER
  );
  CREATE INDEX reports_by_company ON reports(company, fy, state);
  CREATE INDEX reports_by_hash ON reports(hash) WHERE hash IS NOT NULL;
  -- Each whole report as one JSON object: see reportRow.ts.
  CREATE TABLE bodies(report_id INTEGER PRIMARY KEY, body TEXT NOT NULL);
  CREATE VIRTUAL TABLE report_text USING fts5(
    words, content='', contentless_delete=1, detail=none, prefix='1 2 3', tokenize='ascii'
  );
  CREATE VIRTUAL TABLE report_terms USING fts5vocab(report_text, instance);
  CREATE TABLE id_aliases(report_id INTEGER PRIMARY KEY, survivor INTEGER NOT NULL);
  CREATE TABLE key_aliases(report_key TEXT PRIMARY KEY, report_id INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE tombstones(report_id INTEGER PRIMARY KEY, changed INTEGER NOT NULL);

  CREATE TABLE changes(
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    report_id INTEGER NOT NULL,
    details TEXT
  );
  CREATE TABLE quarantine(
    id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, at INTEGER NOT NULL,
    source TEXT NOT NULL, report_id INTEGER, reason TEXT NOT NULL, raw TEXT NOT NULL
  );
  CREATE INDEX quarantine_by_report ON quarantine(report_id);

  CREATE TABLE chains(
    id INTEGER PRIMARY KEY, filter TEXT NOT NULL, cursor TEXT, done INTEGER NOT NULL DEFAULT 0,
    pages INTEGER NOT NULL DEFAULT 0, reports INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE marks(report_id INTEGER PRIMARY KEY);
  CREATE TABLE notices(seq INTEGER PRIMARY KEY AUTOINCREMENT, window TEXT NOT NULL, change TEXT NOT NULL);
  CREATE TABLE answers(question TEXT PRIMARY KEY, at INTEGER NOT NULL, answer TEXT NOT NULL) WITHOUT ROWID;
  CREATE INDEX answers_by_time ON answers(at);
`;

/** Makes the tables of a new file in one transaction, unless another window did so meanwhile. */
function createSchema(db: Database): void {
  db.transaction(() => {
    if (db.number('PRAGMA user_version') === 0) db.exec(`${schemaSql} PRAGMA user_version = ${libraryVersion}`);
  });
}
