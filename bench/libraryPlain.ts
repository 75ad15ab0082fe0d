import { DatabaseSync } from 'node:sqlite';

/** The same reports kept the plain way: typed columns and the raw JSON, three indexes, a full-text index. */
export class PlainTable {
  readonly db: DatabaseSync;
  readonly #insert: ReturnType<DatabaseSync['prepare']>;
  readonly #index: ReturnType<DatabaseSync['prepare']>;

  constructor(path: string) {
    this.db = new DatabaseSync(path);
    this.db.exec(`
      PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      CREATE TABLE reports(
        report_id INTEGER PRIMARY KEY, company_key TEXT, fcyear INTEGER, type TEXT, language TEXT, country TEXT,
        gri INTEGER, title TEXT, company TEXT, json TEXT);
      CREATE INDEX by_company ON reports(company_key, fcyear);
      CREATE INDEX by_type ON reports(type, fcyear, language, gri);
      CREATE INDEX by_year ON reports(fcyear);
      CREATE VIRTUAL TABLE words USING fts5(title, company, isin, lei, report_key, content='', prefix='1 2 3');
    `);
    this.#insert = this.db.prepare('INSERT OR REPLACE INTO reports VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)');
    this.#index = this.db.prepare(
      'INSERT INTO words(rowid, title, company, isin, lei, report_key) VALUES (?, ?, ?, ?, ?, ?)',
    );
  }

  take(bytes: Uint8Array): void {
    const page = JSON.parse(Buffer.from(bytes).toString()) as { data: Record<string, string | number | null>[] };
    this.db.exec('BEGIN IMMEDIATE');
    for (const report of page.data) {
      const cell = (name: string) => {
        const value: unknown = report[name];
        return typeof value === 'boolean' ? Number(value) : ((value ?? null) as string | number | null);
      };
      this.#insert.run(
        cell('report_id'),
        cell('company_key'),
        cell('report_fcyear'),
        cell('report_type'),
        cell('report_lang'),
        cell('company_country'),
        cell('standards_gri'),
        cell('report_title'),
        cell('company_name'),
        JSON.stringify(report),
      );
      this.#index.run(
        cell('report_id'),
        cell('report_title'),
        cell('company_name'),
        cell('company_isin'),
        cell('company_lei'),
        cell('report_key'),
      );
    }
    this.db.exec('COMMIT');
  }

  close(): void {
    this.db.close();
  }
}
