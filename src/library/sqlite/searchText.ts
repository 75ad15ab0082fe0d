import type { Company } from '../../api/schemas/company.ts';
import type { Report } from '../../api/schemas/report.ts';
import type { Connection } from './connection.ts';

/**
 * Reports are indexed under their place in the list order, fiscal year first: full-text search then finds the newest
 * without ranking anything. Ids take 53 bits, the year what is left. Takes two values, year and id.
 */
export const documentSql = '(min(max(? - 1900, 0), 1023) << 53) | ?';
/** The report id of a document. */
export const idOfDocumentSql = 'rowid & 9007199254740991';

/** What of a company it is found by. */
export type CompanyNames = Pick<Company, 'company_key' | 'company_name' | 'isin' | 'lei' | 'figi' | 'cik' | 'ticker'>;

const maxQueryWords = 12;
const maxQueryLength = 500;
const isAscii = /^[\t\n\r -~]*$/;

/** The words of a text: letters and digits, without case and accents. The index holds nothing else. */
export function wordsOf(text: string): string[] {
  if (isAscii.test(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const plain = text.normalize('NFKD').replace(/\p{M}+/gu, '');
  return plain.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** A full-text query for a word that begins with each typed word; null when no word was typed. */
export function beginningsQuery(text: string): string | null {
  return queryOf(text, '*');
}

/** A full-text query for each word of a text. */
export function wordsQuery(text: string): string | null {
  return queryOf(text, '');
}

function queryOf(text: string, suffix: '*' | ''): string | null {
  const words = [...new Set(wordsOf(text.slice(0, maxQueryLength)))].slice(0, maxQueryWords);
  return words.length === 0 ? null : words.map((word) => `"${word}"${suffix}`).join(' AND ');
}

/** The words a report is found by: title (the metadata's marks partial documents), company, identifiers and keys. */
export function reportWords(report: Report): string {
  return joined([
    report.metadata.title || report.report_title,
    report.company_name,
    report.report_key,
    report.company_key,
    report.company_isin,
    report.company_lei,
    report.company_figi,
    report.company_ticker,
  ]);
}

function companyWords(company: CompanyNames): string {
  return joined([
    company.company_name,
    company.company_key,
    company.isin,
    company.lei,
    company.figi,
    company.cik,
    company.ticker,
  ]);
}

/** Each word once: the index would look up every repetition. */
function joined(parts: readonly (string | null)[]): string {
  return [...new Set(wordsOf(parts.filter((part) => part !== null).join(' ')))].join(' ');
}

interface Entry {
  readonly fy: number;
  readonly id: number;
  readonly sql: string;
  readonly words: string;
}

const addReportSql = `INSERT INTO report_text(rowid, words) VALUES (${documentSql}, ?)`;
const removeReportSql = `INSERT INTO report_text(report_text, rowid, words) VALUES ('delete', ${documentSql}, ?)`;

/** Keeps the full-text indexes in step with the rows. They hold no text, so that leaving them takes the old words. */
export class SearchText {
  readonly #connection: Connection;
  #pending: Entry[] = [];

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.onRollback(() => {
      this.#pending = [];
    });
  }

  addReport(report: Report, fy: number): void {
    this.#pending.push({ fy, id: report.report_id, sql: addReportSql, words: reportWords(report) });
  }

  removeReport(report: Report, fy: number): void {
    this.#pending.push({ fy, id: report.report_id, sql: removeReportSql, words: reportWords(report) });
  }

  addCompany(id: number, names: CompanyNames): void {
    this.#connection.run('INSERT INTO company_text(rowid, words) VALUES (?, ?)', id, companyWords(names));
  }

  removeCompany(id: number, names: CompanyNames): void {
    this.#connection.run(
      "INSERT INTO company_text(company_text, rowid, words) VALUES ('delete', ?, ?)",
      id,
      companyWords(names),
    );
  }

  /**
   * Writes what a transaction did to reports, in the order of documents: each step back in that order would have FTS5
   * write all that is pending. What happened to one document stays in its order. To be called before a transaction ends.
   */
  flush(): void {
    const entries = this.#pending.sort((a, b) => a.fy - b.fy || a.id - b.id);
    this.#pending = [];
    for (const { sql, fy, id, words } of entries) this.#connection.run(sql, fy, id, words);
  }
}
