import type { Report } from '../../api/schemas/report.ts';
import { companyText, reportText } from '../searchWords.ts';
import type { Connection } from './connection.ts';
import type { Vocabulary } from './vocabulary.ts';

/**
 * Reports are indexed under their place in the list order, fiscal year first: full-text search then finds the newest
 * without ranking anything. Ids take 53 bits, the year what is left.
 */
export const documentOf = '(min(max(? - 1900, 0), 1023) << 53) | ?';
export const idOfDocument = 'rowid & 9007199254740991';

type Table = 'report_text' | 'company_text';

/** What one transaction does to one document: the words it had, and those it has now. */
interface Pending {
  readonly table: Table;
  readonly fy: number;
  readonly id: number;
  removed: string | null;
  added: string | null;
}

/**
 * Keeps the full-text index in step with the rows. The index holds no text, so leaving it takes the old words. Work is
 * gathered over a transaction and done in the order of documents: each step back in that order would cost a write of
 * all that is pending.
 */
export class SearchText {
  readonly #connection: Connection;
  readonly #vocabulary: Vocabulary;
  readonly #pending = new Map<string, Pending>();

  constructor(connection: Connection, vocabulary: Vocabulary) {
    this.#connection = connection;
    this.#vocabulary = vocabulary;
    connection.onRollback(() => this.#pending.clear());
  }

  addReport(report: Report, fy: number): void {
    this.#of('report_text', fy, report.report_id).added = reportText(report);
  }

  removeReport(report: Report, fy: number): void {
    this.#remove('report_text', fy, report.report_id, reportText(report));
  }

  addCompany(id: number, names: Parameters<typeof companyText>[0]): void {
    this.#of('company_text', 0, id).added = companyText(names);
  }

  removeCompany(id: number, names: Parameters<typeof companyText>[0]): void {
    this.#remove('company_text', 0, id, companyText(names));
  }

  /** Writes what was gathered. To be called before a transaction ends. */
  flush(): void {
    const ordered = [...this.#pending.values()].sort((a, b) => a.fy - b.fy || a.id - b.id);
    this.#pending.clear();
    this.#vocabulary.note(ordered.flatMap(({ table, added }) => (table === 'report_text' ? (added ?? []) : [])));
    for (const { table, fy, id, removed, added } of ordered) {
      if (removed === added) continue;
      if (removed !== null) {
        const sql = `INSERT INTO ${table}(${table}, rowid, words) VALUES ('delete', ${documentOf}, ?)`;
        this.#connection.run(sql, fy, id, removed);
      }
      if (added !== null) {
        this.#connection.run(`INSERT INTO ${table}(rowid, words) VALUES (${documentOf}, ?)`, fy, id, added);
      }
    }
  }

  #remove(table: Table, fy: number, id: number, words: string): void {
    const entry = this.#of(table, fy, id);
    // What was added in this transaction never reached the index.
    if (entry.added !== null) entry.added = null;
    else entry.removed = words;
  }

  #of(table: Table, fy: number, id: number): Pending {
    const name = `${table} ${fy} ${id}`;
    let entry = this.#pending.get(name);
    if (!entry) {
      entry = { table, fy, id, removed: null, added: null };
      this.#pending.set(name, entry);
    }
    return entry;
  }
}
