import type { Report } from '../../api/schemas/report.ts';
import { companyText } from '../searchWords.ts';
import type { Connection } from './connection.ts';
import { ReportWords } from './reportWords.ts';
import type { Vocabulary } from './vocabulary.ts';

/**
 * Reports are indexed under their place in the list order, fiscal year first: full-text search then finds the newest
 * without ranking anything. Ids take 53 bits, the year what is left.
 */
export const documentOf = '(min(max(? - 1900, 0), 1023) << 53) | ?';
export const idOfDocument = 'rowid & 9007199254740991';

const addSql = {
  report_text: `INSERT INTO report_text(rowid, words) VALUES (${documentOf}, ?)`,
  company_text: `INSERT INTO company_text(rowid, words) VALUES (${documentOf}, ?)`,
};
const removeSql = {
  report_text: `INSERT INTO report_text(report_text, rowid, words) VALUES ('delete', ${documentOf}, ?)`,
  company_text: `INSERT INTO company_text(company_text, rowid, words) VALUES ('delete', ${documentOf}, ?)`,
};

type Table = 'report_text' | 'company_text';

/** What one transaction does to one document: the words it had, and those it has now. */
interface Pending {
  readonly fy: number;
  readonly id: number;
  removed: string | null;
  added: string | null;
  /** The same id under another year. */
  readonly next: Pending | undefined;
}

/**
 * Keeps the full-text index in step with the rows. The index holds no text, so leaving it takes the old words. Work is
 * gathered over a transaction and done in the order of documents: each step back in that order would cost a write of
 * all that is pending.
 */
export class SearchText {
  readonly #connection: Connection;
  readonly #vocabulary: Vocabulary;
  readonly #words = new ReportWords();
  readonly #pending = { report_text: new Map<number, Pending>(), company_text: new Map<number, Pending>() };

  constructor(connection: Connection, vocabulary: Vocabulary) {
    this.#connection = connection;
    this.#vocabulary = vocabulary;
    connection.onRollback(() => {
      this.#pending.report_text.clear();
      this.#pending.company_text.clear();
    });
  }

  addReport(report: Report, fy: number): void {
    const { text, own, shared } = this.#words.of(report);
    this.#vocabulary.note(own, shared);
    this.#of('report_text', fy, report.report_id).added = text;
  }

  removeReport(report: Report, fy: number): void {
    this.#remove('report_text', fy, report.report_id, this.#words.of(report).text);
  }

  addCompany(id: number, names: Parameters<typeof companyText>[0]): void {
    this.#of('company_text', 0, id).added = companyText(names);
  }

  removeCompany(id: number, names: Parameters<typeof companyText>[0]): void {
    this.#remove('company_text', 0, id, companyText(names));
  }

  /** Writes what was gathered. To be called before a transaction ends. */
  flush(): void {
    this.#vocabulary.flush();
    this.#write('report_text');
    this.#write('company_text');
  }

  #write(table: Table): void {
    const gathered: Pending[] = [];
    for (const last of this.#pending[table].values()) {
      for (let entry: Pending | undefined = last; entry; entry = entry.next) gathered.push(entry);
    }
    this.#pending[table].clear();
    gathered.sort((a, b) => a.fy - b.fy || a.id - b.id);
    for (const { fy, id, removed, added } of gathered) {
      if (removed === added) continue;
      if (removed !== null) this.#connection.run(removeSql[table], fy, id, removed);
      if (added !== null) this.#connection.run(addSql[table], fy, id, added);
    }
  }

  #remove(table: Table, fy: number, id: number, words: string): void {
    const entry = this.#of(table, fy, id);
    // What was added in this transaction never reached the index.
    if (entry.added !== null) entry.added = null;
    else entry.removed = words;
  }

  #of(table: Table, fy: number, id: number): Pending {
    const pending = this.#pending[table];
    const last = pending.get(id);
    for (let entry = last; entry; entry = entry.next) if (entry.fy === fy) return entry;
    const entry: Pending = { fy, id, removed: null, added: null, next: last };
    pending.set(id, entry);
    return entry;
  }
}
