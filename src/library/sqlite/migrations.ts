import type { Database } from './database.ts';
import { goneReports, keepGone } from './goneReports.ts';
import { hashPrefix } from './hashQueries.ts';
import {
  layoutOf,
  presentNames,
  type ReportLayout,
  type StoredNames,
  storedNames,
  storeNames,
  withPresentNames,
} from './reportRow.ts';
import { syncRecord, updateRecord } from './syncTables.ts';

/** The `user_version` this code writes. Versions 1 to 4 are those of 0.1.0. */
export const libraryVersion = 9;

/**
 * What versions 1 to 4 kept of reports and companies, in a packed form of its own. It goes, and the next sync
 * loads it again. What only this machine knows stays: reports that are gone, What's New with its marker, kept answers, what was set aside, and
 * the names and withdrawals that the service does not repeat.
 */
const dropOldSql = `
  DROP TABLE IF EXISTS words; DROP TABLE IF EXISTS facts; DROP TABLE IF EXISTS vocabulary; DROP TABLE IF EXISTS years;
  DROP TABLE IF EXISTS reports; DROP TABLE IF EXISTS report_text; DROP TABLE IF EXISTS report_words;
  DROP TABLE IF EXISTS companies; DROP TABLE IF EXISTS company_aliases; DROP TABLE IF EXISTS company_text;
  DROP TABLE IF EXISTS notices;
  DELETE FROM chains; DELETE FROM marks; DELETE FROM meta WHERE name = 'sync';
`;

const metaSql = 'CREATE TABLE IF NOT EXISTS meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID';

/** What the table of all reports is sorted by besides what filters need: read from the body, and kept in indexes alone. */
const sortedColumns = (layout: ReportLayout) => [
  `title TEXT AS (${layout.titleSql}) VIRTUAL`,
  `published TEXT AS (${layout.publishedSql}) VIRTUAL`,
  `pages INTEGER AS (${layout.valueSql('report_pages')}) VIRTUAL`,
  `filesize REAL AS (${layout.valueSql('report_filesize')}) VIRTUAL`,
];

/** How the published hash of a PDF begins: so much of it tells nearly all reports of a licence apart, see hashQueries.ts. */
const hashColumn = (layout: ReportLayout) =>
  `hash TEXT AS (lower(substr(trim(${layout.valueSql('content_sha256')}), 1, ${hashPrefix}))) VIRTUAL`;
const hashIndexSql = 'CREATE INDEX reports_by_hash ON reports(hash) WHERE hash IS NOT NULL';

/**
 * Each holds all that filters ask, so that no question about many reports reads their rows: 60 to 110 ms at 1,000,000
 * reports, not seconds. Together they take 260 of the 1,460 bytes of a report.
 */
const indexesSql = `
  CREATE INDEX reports_by_company ON reports(company, fy, type, state, flags, lang, class, level, published);
  CREATE INDEX reports_by_filter ON reports(
    fy, type, state, lang, class, level, flags, company, published, pages, filesize
  );
  CREATE INDEX reports_by_published ON reports(published, state, fy, type, lang, class, level, flags, company);
  CREATE INDEX reports_by_title ON reports(
    title COLLATE NOCASE, state, fy, type, lang, class, level, flags, company, published
  );
`;

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
  CREATE INDEX companies_by_newest ON companies(newest DESC, sort_name, id);
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
    ${[...sortedColumns(layout), hashColumn(layout)].join(', ')}
  );
  ${indexesSql}
  ${hashIndexSql};
  CREATE INDEX reports_by_newest ON reports(fy);
  CREATE VIRTUAL TABLE report_text USING fts5(
    words, content='', columnsize=0, detail=none, prefix='1 2 3', tokenize='ascii'
  );
  -- The words of reports, each once; those that left with a report may stay. The index itself counts through all reports of
  -- a word before it names it: 15 to 150 ms each at 10,000,000 reports.
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

/** What stood where in version 5, which did not say so in the file. */
const namesOfVersion5: StoredNames = {
  values: `filename company_name report_title report_year report_type report_class report_lang report_pages
    report_filesize report_pubdate_iso period_start_date period_end_date fiscal_year_label edition_number
    report_key content_sha256 company_key company_ticker company_mic company_exchange company_country
    company_sector company_industry nace_code naics_code company_isin company_lei company_figi standards_gri
    gri_level standards_sasb standards_tcfd standards_issb standards_esrs standards_integrated
    standards_ghg_protocol standards_eu_taxonomy standards_ungp standards_cdp standards_ungc standards_sbti
    sbti_status sdg_alignment has_materiality_assessment has_materiality_matrix assurance_provider
    independent_assurance_report_included assurance_level assurance_standard assurance_scope has_file
    download_path formats created_at updated_at report_hash document_scope report_fcyear report_period
    report_pubdate report_edition report_assurance metadata other`.split(/\s+/),
  facts: `standards_gri standards_sasb standards_tcfd standards_issb standards_esrs standards_integrated
    standards_ghg_protocol standards_eu_taxonomy standards_ungp standards_cdp standards_ungc standards_sbti
    has_materiality_assessment has_materiality_matrix independent_assurance_report_included has_file`.split(/\s+/),
};

/**
 * Brings a file to the present schema in one transaction; true when reports of an earlier version had to go. Released
 * steps are never edited: a later change is a step from version 8 on, after these.
 */
export function migrate(db: Database): boolean {
  return db.transaction(() => {
    // Asked again under the lock: another window may have migrated meanwhile.
    const from = db.number('PRAGMA user_version');
    if (from >= libraryVersion) return false;
    if (from < 5) beginAnew(db, from);
    if (from === 5) storeNames(db, namesOfVersion5);
    if (from === 5 || from === 6) addSortedColumns(db);
    if (from >= 5 && from < 8) addHashes(db);
    if (from >= 5) addWords(db);
    db.exec(`PRAGMA user_version = ${libraryVersion}`);
    return from > 0 && from < 5;
  });
}

/** Version 7. Takes 15 s at 1,000,000 reports. */
function addSortedColumns(db: Database): void {
  for (const column of sortedColumns(layoutOf(db))) db.exec(`ALTER TABLE reports ADD COLUMN ${column}`);
  for (const name of ['company', 'filter', 'published']) db.exec(`DROP INDEX IF EXISTS reports_by_${name}`);
  db.exec(indexesSql);
}

/** Version 8. */
function addHashes(db: Database): void {
  db.exec(`ALTER TABLE reports ADD COLUMN ${hashColumn(layoutOf(db))}`);
  db.exec(hashIndexSql);
}

/** Version 9. Takes 2 s at 1,000,000 reports. */
function addWords(db: Database): void {
  db.exec(`
    CREATE TABLE words(term TEXT PRIMARY KEY) WITHOUT ROWID;
    INSERT INTO words SELECT term FROM report_words;
    DROP TABLE report_words;
    ALTER TABLE words RENAME TO report_words;
  `);
}

function beginAnew(db: Database, from: number): void {
  const gone = from > 0 ? goneReports(db) : [];
  if (from > 0) db.exec(dropOldSql);
  db.exec(metaSql);
  storeNames(db, presentNames);
  db.exec(schemaSql(layoutOf(db)));
  keepGone(db, gone);
}

/**
 * Gives fields that came into the table since the file was last opened a place in it, behind all others. What is held
 * lacks them, so a full walk is owed.
 */
export function addNewFields(db: Database): void {
  if (!lacksNames(storedNames(db))) return;
  db.transaction(() => {
    // Read under the lock: another window may have added them meanwhile.
    storeNames(db, withPresentNames(storedNames(db)));
    const { phase, walkOwed } = syncRecord(db);
    if (phase !== 'empty') updateRecord(db, { walkOwed: walkOwed ?? 'new-fields' });
  });
}

function lacksNames(stored: StoredNames): boolean {
  const { values, facts } = withPresentNames(stored);
  return values.length > stored.values.length || facts.length > stored.facts.length;
}
