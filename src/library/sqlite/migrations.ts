/**
 * The schema, as the steps that made it: step n brings a file from `user_version` n to n + 1. A step that has been
 * released is never edited; a change is a new step.
 */
export const migrations: readonly string[] = [
  `
  CREATE TABLE meta(name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE words(id INTEGER PRIMARY KEY, text TEXT NOT NULL UNIQUE);

  CREATE TABLE companies(
    id INTEGER PRIMARY KEY,
    company_key TEXT NOT NULL UNIQUE,
    name TEXT, sort_name TEXT NOT NULL,
    isin TEXT, lei TEXT, figi TEXT, cik TEXT, fye_month INTEGER, ticker TEXT, mic TEXT, exchange TEXT,
    country TEXT, sector TEXT, industry TEXT,
    other TEXT,
    watched INTEGER NOT NULL DEFAULT 0,
    listed INTEGER NOT NULL DEFAULT 0,
    gone INTEGER NOT NULL DEFAULT 0,
    newest INTEGER NOT NULL DEFAULT 0
  );
  CREATE INDEX companies_by_name ON companies(sort_name, id);
  CREATE INDEX companies_by_newest ON companies(newest DESC, sort_name, id);
  CREATE TABLE company_aliases(company_key TEXT PRIMARY KEY, company INTEGER NOT NULL) WITHOUT ROWID;
  CREATE VIRTUAL TABLE company_text USING fts5(
    words, content='', columnsize=0, detail=none, prefix='1 2 3', tokenize='unicode61 remove_diacritics 2'
  );

  CREATE TABLE facts(id INTEGER PRIMARY KEY, company INTEGER NOT NULL, json TEXT NOT NULL);
  CREATE INDEX facts_by_company ON facts(company);

  CREATE TABLE reports(
    report_id INTEGER PRIMARY KEY,
    company INTEGER NOT NULL,
    facts INTEGER NOT NULL,
    fy INTEGER NOT NULL,
    type INTEGER NOT NULL,
    class INTEGER NOT NULL,
    lang INTEGER NOT NULL,
    level INTEGER NOT NULL,
    flags INTEGER NOT NULL,
    state INTEGER NOT NULL,
    changed INTEGER,
    sha BLOB,
    hash BLOB,
    body TEXT NOT NULL,
    extra TEXT
  );
  CREATE INDEX reports_by_company ON reports(company, fy, type, state);
  CREATE INDEX reports_by_filter ON reports(fy, type, state, lang, class, level, flags, company);
  CREATE INDEX reports_by_newest ON reports(fy);
  CREATE VIRTUAL TABLE report_text USING fts5(
    words, content='', columnsize=0, detail=none, prefix='1 2 3', tokenize='unicode61 remove_diacritics 2'
  );
  INSERT INTO report_text(report_text, rank) VALUES ('automerge', 8);
  CREATE TABLE vocabulary(term TEXT PRIMARY KEY) WITHOUT ROWID;
  CREATE TABLE id_aliases(report_id INTEGER PRIMARY KEY, survivor INTEGER NOT NULL);
  CREATE TABLE key_aliases(report_key TEXT PRIMARY KEY, report_id INTEGER NOT NULL) WITHOUT ROWID;
  CREATE TABLE tombstones(report_id INTEGER PRIMARY KEY, changed INTEGER NOT NULL);

  CREATE TABLE years(
    company INTEGER NOT NULL, fy INTEGER NOT NULL, listed INTEGER NOT NULL, gone INTEGER NOT NULL,
    PRIMARY KEY(company, fy)
  ) WITHOUT ROWID;

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
  CREATE TABLE notices(seq INTEGER PRIMARY KEY AUTOINCREMENT, change TEXT NOT NULL);
  `,
  // The matrix of some companies is read from the first index alone; the second holds the few that state two years.
  `
  DROP INDEX reports_by_company;
  CREATE INDEX reports_by_company ON reports(company, fy, type, state, flags);
  CREATE INDEX reports_by_split ON reports(company, fy, type) WHERE instr(extra, '"report_fcyear"') > 0;
  `,
  `
  CREATE TABLE answers(question TEXT PRIMARY KEY, at INTEGER NOT NULL, answer TEXT NOT NULL) WITHOUT ROWID;
  CREATE INDEX answers_by_time ON answers(at);
  `,
  // From here on a library that is being filled for the first time has no index of filters yet: see filterIndex.ts.
  `
  SELECT 1;
  `,
];

/** The `user_version` this code writes. */
export const schemaVersion = migrations.length;
