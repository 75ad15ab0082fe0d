import type { Database } from './database.ts';
import { goneReports, keepGone } from './goneReports.ts';
import { hashPrefix } from './hashQueries.ts';
import { layoutOf, presentNames, type ReportLayout, storedNames, storeNames, withPresentNames } from './reportRow.ts';
import { syncRecord, updateRecord } from './syncTables.ts';

/** The `user_version` this code writes. Versions 1 to 4 are those of 0.1.0; 5 to 8 were in no release. */
export const libraryVersion = 10;

/**
 * Drops what earlier versions kept of reports and companies; the next sync loads it again. What only this machine knows
 * stays: reports that are gone (except version 5's, whose form is unknown), What's New with its marker, kept answers,
 * quarantined records, and the names and withdrawals that the service does not repeat.
 */
const dropOldSql = `
  DROP TABLE IF EXISTS words; DROP TABLE IF EXISTS facts; DROP TABLE IF EXISTS vocabulary; DROP TABLE IF EXISTS years;
  DROP TABLE IF EXISTS reports; DROP TABLE IF EXISTS report_text; DROP TABLE IF EXISTS report_words;
  DROP TABLE IF EXISTS companies; DROP TABLE IF EXISTS company_aliases; DROP TABLE IF EXISTS company_text;
  DROP TABLE IF EXISTS notices;
  DELETE FROM chains; DELETE FROM marks; DELETE FROM meta WHERE name = 'sync';
`;

/**
 * In the order of the index of words, with all that filters ask and all that is sorted by but titles: a report that has
 * a word costs a step in this index, under 1 µs, and no look at the report. Takes 52 bytes of a report.
 */
const newestIndexSql = `CREATE INDEX reports_by_newest ON reports(
  fy, report_id, type, state, lang, class, level, flags, company, published, pages, filesize
)`;

const schemaSql = (layout: ReportLayout) => `
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

  -- What filters and sorting need, and the whole report as one JSON array: see reportRow.ts.
  CREATE TABLE reports(
    report_id INTEGER PRIMARY KEY,
    company INTEGER NOT NULL,
    fy INTEGER NOT NULL,
    type TEXT NOT NULL,
    class TEXT NOT NULL,
    lang TEXT NOT NULL,
    level TEXT NOT NULL,
    flags INTEGER NOT NULL,
    state INTEGER NOT NULL,
    changed INTEGER,
    body TEXT NOT NULL,
    -- Read from the body, and kept in indexes alone: what the table of all reports is sorted by besides, and how the published
    -- hash of a PDF begins, see hashQueries.ts.
    title TEXT AS (${layout.titleSql}) VIRTUAL,
    published TEXT AS (${layout.publishedSql}) VIRTUAL,
    pages INTEGER AS (${layout.valueSql('report_pages')}) VIRTUAL,
    filesize REAL AS (${layout.valueSql('report_filesize')}) VIRTUAL,
    hash TEXT AS (lower(substr(trim(${layout.valueSql('content_sha256')}), 1, ${hashPrefix}))) VIRTUAL
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
  ${newestIndexSql};
  CREATE VIRTUAL TABLE report_text USING fts5(
    words, content='', columnsize=0, detail=none, prefix='1 2 3', tokenize='ascii'
  );
  -- The words of reports, each once; those that left with a report may stay. The index itself (fts5vocab) counts
  -- through all reports of a word before it names it: up to 16 ms for each word that is typed at 1,000,000 reports. From
  -- here they come in 0.1 ms, for 2 bytes of a report.
  CREATE TABLE report_words(term TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS id_aliases(report_id INTEGER PRIMARY KEY, survivor INTEGER NOT NULL);
  CREATE TABLE IF NOT EXISTS key_aliases(report_key TEXT PRIMARY KEY, report_id INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS tombstones(report_id INTEGER PRIMARY KEY, changed INTEGER NOT NULL);

  CREATE TABLE IF NOT EXISTS changes(
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    kind INTEGER NOT NULL,
    report_id INTEGER NOT NULL,
    fields TEXT
  );
  CREATE TABLE IF NOT EXISTS quarantine(
    id INTEGER PRIMARY KEY, digest TEXT NOT NULL UNIQUE, at INTEGER NOT NULL,
    source TEXT NOT NULL, report_id INTEGER, reason TEXT NOT NULL, raw TEXT NOT NULL
  );
  CREATE INDEX IF NOT EXISTS quarantine_by_report ON quarantine(report_id);

  CREATE TABLE IF NOT EXISTS chains(
    id INTEGER PRIMARY KEY, filter TEXT NOT NULL, cursor TEXT, done INTEGER NOT NULL DEFAULT 0,
    pages INTEGER NOT NULL DEFAULT 0, reports INTEGER NOT NULL DEFAULT 0
  );
  CREATE TABLE IF NOT EXISTS marks(report_id INTEGER PRIMARY KEY);
  CREATE TABLE IF NOT EXISTS lease(
    one INTEGER PRIMARY KEY CHECK (one = 1), holder TEXT NOT NULL, generation INTEGER NOT NULL, expires INTEGER NOT NULL
  );
  CREATE TABLE notices(seq INTEGER PRIMARY KEY AUTOINCREMENT, window TEXT NOT NULL, change TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS answers(question TEXT PRIMARY KEY, at INTEGER NOT NULL, answer TEXT NOT NULL) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS answers_by_time ON answers(at);
`;

/**
 * Brings a file to the present schema in one transaction; true when an earlier version's reports were dropped. A change
 * after a release adds its own step here, which keeps what that release wrote.
 */
export function migrate(db: Database): boolean {
  return db.transaction(() => {
    // Asked again under the lock: another window may have migrated meanwhile.
    const from = db.number('PRAGMA user_version');
    if (from >= libraryVersion) return false;
    if (from === 9) {
      // 7 s at 1,000,000 reports.
      db.exec(`DROP INDEX reports_by_newest; ${newestIndexSql}; PRAGMA user_version = ${libraryVersion}`);
      return false;
    }
    const gone = from > 0 ? goneReports(db, from) : [];
    if (from > 0) db.exec(dropOldSql);
    db.exec('CREATE TABLE IF NOT EXISTS meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID');
    storeNames(db, presentNames);
    db.exec(schemaSql(layoutOf(db)));
    keepGone(db, gone);
    db.exec(`PRAGMA user_version = ${libraryVersion}`);
    return from > 0;
  });
}

/** Appends new fields of the table to the file's lists. The stored reports lack them, so a full walk is due. */
export function addNewFields(db: Database): void {
  const stored = storedNames(db);
  const { values, facts } = withPresentNames(stored);
  if (values.length === stored.values.length && facts.length === stored.facts.length) return;
  db.transaction(() => {
    // Read under the lock: another window may have added them meanwhile.
    storeNames(db, withPresentNames(storedNames(db)));
    const { phase, walkOwed } = syncRecord(db);
    if (phase !== 'empty') updateRecord(db, { walkOwed: walkOwed ?? 'new-fields' });
  });
}
