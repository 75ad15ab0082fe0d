import { readdirSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { SqliteModule } from '../../machine/sqliteFile.ts';
import { LibraryError } from '../libraryError.ts';
import { libraryVersion, readLibraryName } from '../libraryName.ts';
import { copyNews } from './changeTable.ts';
import { Database, withSqliteErrors } from './database.ts';

const schemaSql = `
  CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE companies(
    id INTEGER PRIMARY KEY,
    company_key TEXT NOT NULL UNIQUE,
    company_name TEXT, sort_name TEXT NOT NULL,
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
  CREATE VIRTUAL TABLE company_text USING fts5(
    words, content='', columnsize=0, detail=none, prefix='1 2 3', tokenize='ascii'
  );

  -- What filters and sorting need, and the whole report as one JSON object: see reportRow.ts.
  CREATE TABLE reports(
    report_id INTEGER PRIMARY KEY,
    company INTEGER NOT NULL,
    fy INTEGER NOT NULL,
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
    changed INTEGER,
    body TEXT NOT NULL
  );
  -- Each of these four holds all that filters ask, so that no question about many reports reads their rows: 60 to 110 ms at
  -- 1,000,000 reports, not seconds. Together they take 260 of the 1,460 bytes of a report.
  CREATE INDEX reports_by_company ON reports(company, fy, type, state, flags, lang, class, level, published);
  CREATE INDEX reports_by_filter ON reports(
    fy, type, state, lang, class, level, flags, company, published, pages, filesize
  );
  CREATE INDEX reports_by_published ON reports(published, state, fy, type, lang, class, level, flags, company);
  CREATE INDEX reports_by_title ON reports(
    title COLLATE NOCASE, state, fy, type, lang, class, level, flags, company, published
  );
  CREATE INDEX reports_by_hash ON reports(hash) WHERE hash IS NOT NULL;
  -- In the order of the index of words, with all that filters ask and all that is sorted by but titles: a report that has
  -- a word costs a step in this index, under 1 µs, and its row is not read. Takes 52 bytes of a report.
  CREATE INDEX reports_by_newest ON reports(
    fy, report_id, type, state, lang, class, level, flags, company, published, pages, filesize
  );
  CREATE VIRTUAL TABLE report_text USING fts5(
    words, content='', columnsize=0, detail=none, prefix='1 2 3', tokenize='ascii'
  );
  -- The words of reports, each once; those that left with a report may stay. The index itself (fts5vocab) counts
  -- through all reports of a word before it names it: up to 16 ms for each word that is typed at 1,000,000 reports. From
  -- here they come in 0.1 ms, for 2 bytes of a report.
  CREATE TABLE report_words(term TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE id_aliases(report_id INTEGER PRIMARY KEY, survivor INTEGER NOT NULL);
  CREATE TABLE key_aliases(report_key TEXT PRIMARY KEY, report_id INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE tombstones(report_id INTEGER PRIMARY KEY, changed INTEGER NOT NULL);

  CREATE TABLE changes(
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    report_id INTEGER NOT NULL,
    fields TEXT
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
  CREATE TABLE lease(
    one INTEGER PRIMARY KEY CHECK (one = 1), holder TEXT NOT NULL, generation INTEGER NOT NULL, expires INTEGER NOT NULL
  );
  CREATE TABLE notices(seq INTEGER PRIMARY KEY AUTOINCREMENT, window TEXT NOT NULL, change TEXT NOT NULL);
  CREATE TABLE answers(question TEXT PRIMARY KEY, at INTEGER NOT NULL, answer TEXT NOT NULL) WITHOUT ROWID;
  CREATE INDEX answers_by_time ON answers(at);
`;

/** Makes the tables of a new file in one transaction, unless another window did so meanwhile. */
export function createSchema(db: Database, path: string, sqlite: SqliteModule): void {
  db.transaction(() => {
    if (db.number('PRAGMA user_version') !== 0) return;
    db.exec(`${schemaSql} PRAGMA user_version = ${libraryVersion}`);
    if (path !== ':memory:') inheritNews(db, path, sqlite);
  });
}

/** How long another version's window may be busy, ms. */
const patience = 1000;

/**
 * Takes over What's New, and up to where it was seen, from the library of the same connection that another version of
 * the extension made. Everything else comes from the service. A file that can't be read is left alone.
 */
function inheritNews(db: Database, path: string, sqlite: SqliteModule): void {
  const own = readLibraryName(basename(path));
  const versions = readdirSync(dirname(path)).flatMap((name) => {
    const other = readLibraryName(name);
    return other && other.id === own?.id && other.version !== own.version ? [{ ...other, name }] : [];
  });
  for (const { name } of versions.sort((a, b) => b.version - a.version)) {
    let other: Database | undefined;
    try {
      const open = () => new sqlite.DatabaseSync(join(dirname(path), name), { readOnly: true, timeout: patience });
      other = new Database(withSqliteErrors(open));
      copyNews(other, db);
      return;
    } catch (error) {
      if (!(error instanceof LibraryError)) throw error;
    } finally {
      other?.close();
    }
  }
}
