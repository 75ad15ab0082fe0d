import { rmSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import zlib from 'node:zlib';
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
} from '../machine/sqliteFile.ts';
import { PageStore, pdfNumbers } from './pages.ts';
import { pagesVersion } from './pagesName.ts';
import { textError } from './textError.ts';

export interface PagesOptions {
  readonly path: string;
  readonly sqlite: SqliteModule;
  /** ms since the epoch. */
  readonly now: () => number;
}

/** How long a call may wait for another window's transaction, ms. */
const busyTimeout = 5000;

const schemaSql = `
  CREATE TABLE docs(
    -- Never used twice, so that no result of a deleted PDF shows the text of another.
    id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id < ${pdfNumbers}),
    sha256 BLOB NOT NULL UNIQUE,
    day INTEGER NOT NULL,
    state TEXT NOT NULL,
    pages INTEGER NOT NULL,
    bytes INTEGER NOT NULL,
    -- Damaged pages and how many lie beyond the cap, as JSON; null where there are none.
    lacks TEXT
  );
  -- Pages in their order, some in a block: see readBlock.
  CREATE TABLE blocks(id INTEGER PRIMARY KEY, body BLOB NOT NULL);
  CREATE VIRTUAL TABLE pages USING fts5(
    text, pairs, content='', contentless_delete=1, tokenize="unicode61 remove_diacritics 0 categories 'L* N* Co M*'"
  );
  -- An idle window merges whatever parts are two of a kind: fewer parts take less room, and are searched sooner.
  INSERT INTO pages(pages, rank) VALUES ('usermerge', 2);
  -- The words of pages: a look into the index, nothing of its own.
  CREATE VIRTUAL TABLE words USING fts5vocab(pages, 'instance');
  -- What was hashed once need not be hashed again.
  CREATE TABLE files(
    path TEXT PRIMARY KEY, bytes INTEGER NOT NULL, mtime REAL NOT NULL, sha256 BLOB, failure TEXT
  ) WITHOUT ROWID;
  CREATE TABLE meta(name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
  PRAGMA user_version = ${pagesVersion};
`;

/** Loads `node:sqlite`. Throws `no-sqlite` where the host lacks it, or the search or the compression that is needed. */
export function loadTextSqlite(load?: () => Promise<SqliteModule>): Promise<SqliteModule> {
  const probe = (db: DatabaseSync) => {
    db.exec("CREATE VIRTUAL TABLE probe USING fts5(words, content='', contentless_delete=1)");
    zlib.zstdCompressSync('');
  };
  return loadSqliteFor(textError, probe, load);
}

/**
 * Opens the file, making it as needed; directory and files are the user's own (0700, 0600). A damaged file is renamed
 * aside and a new one begun. Throws a `TextError`.
 */
export function openPages(options: PagesOptions): PageStore {
  return openOrBegin(options, textError, () => open(options)).opened;
}

function open(options: PagesOptions): PageStore {
  const { path, sqlite } = options;
  if (path !== ':memory:') makePlace(path, textError);
  const inode = inodeOf(path);
  const db = new SqliteConnection(
    telling(textError, () => new sqlite.DatabaseSync(path, { timeout: busyTimeout })),
    textError,
  );
  try {
    const version = db.number('PRAGMA user_version');
    if (version === 0 || version === pagesVersion) {
      makeReady(db, path);
      return new PageStore(db, inode);
    }
  } catch (error) {
    db.close();
    throw error;
  }
  db.close();
  telling(textError, () => {
    for (const suffix of ['-wal', '-shm', '']) rmSync(path + suffix, { force: true });
  });
  return open(options);
}

function makeReady(db: SqliteConnection, path: string): void {
  // Set before the first write; changing it later needs a VACUUM.
  db.exec('PRAGMA auto_vacuum = INCREMENTAL');
  telling(textError, () => chooseJournal(db, path));
  // Deleted text, whose license ended, must not stay behind in free pages.
  db.exec('PRAGMA cache_size = -16000; PRAGMA temp_store = 2; PRAGMA secure_delete = FAST');
  db.exec('PRAGMA journal_size_limit = 16777216');
  const isNew = () => db.number('PRAGMA user_version') === 0;
  // Asked again under the lock: another window may have made it meanwhile.
  if (isNew()) db.transaction(() => isNew() && db.exec(schemaSql));
  checkShape(db, textError, shape);
}

/** Opens the file for reading; nothing is made or written. Null where there is none yet. Throws a `TextError`. */
export function openPagesToRead({ path, sqlite }: Pick<PagesOptions, 'path' | 'sqlite'>): PageStore | null {
  const inode = fileAt(path);
  if (inode === null) return null;
  const open = () => new sqlite.DatabaseSync(path, { readOnly: true, timeout: busyTimeout });
  const db = new SqliteConnection(telling(textError, open), textError);
  try {
    if (db.number('PRAGMA user_version') === pagesVersion) {
      checkShape(db, textError, shape);
      return new PageStore(db, inode);
    }
    db.close();
    return null;
  } catch (error) {
    db.close();
    throw error;
  }
}

const shape = [
  'SELECT id, lacks FROM docs ORDER BY id DESC LIMIT 1',
  'SELECT id FROM blocks ORDER BY id DESC LIMIT 1',
  "SELECT rowid FROM pages WHERE pages MATCH 'a' LIMIT 1",
  'SELECT path, failure FROM files LIMIT 1',
  'SELECT value FROM meta LIMIT 1',
];
