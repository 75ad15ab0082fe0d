import type { Company } from '../../api/schemas/company.ts';
import type { Report } from '../../api/schemas/report.ts';
import { knownReportTypes, reportTypeName } from '../../api/schemas/reportTypes.ts';
import type { Database } from './database.ts';

/** Years in documents are counted from this one, up to so many. */
const [yearBefore, lastYear] = [1900, 1023];
/**
 * Reports are indexed under their place in the list order, fiscal year first: full-text search then finds the newest
 * without ranking anything. Ids take 53 bits, the year what is left. Takes two values, year and id.
 */
export const documentSql = documentOf('?', '?');
function documentOf(fy: string, id: string): string {
  return `(min(max(${fy} - ${yearBefore}, 0), ${lastYear}) << 53) | ${id}`;
}
/** The year of {@link documentSql}: odd years share a document with what is undated. */
const yearOf = ({ fy }: { readonly fy: number }) => Math.min(Math.max(fy - yearBefore, 0), lastYear);
/** The report id of a document, and its fiscal year where there are no {@link hasOddYears odd years}. */
export const idOfDocumentSql = 'rowid & 9007199254740991';
export const yearOfDocumentSql = `iif(t.rowid >> 53, (t.rowid >> 53) + ${yearBefore}, 0)`;

/** The fiscal years there are. By these the types of a year are found in the filter index, which begins with years. */
export const yearsSql = `WITH RECURSIVE years(fy) AS (
    SELECT min(fy) FROM reports UNION ALL
    SELECT (SELECT min(fy) FROM reports WHERE fy > years.fy) FROM years WHERE years.fy IS NOT NULL
  ) SELECT fy FROM years`;

/** Whether fiscal years are held that share a document's year with others. */
export function hasOddYears(db: Database): boolean {
  return [`< 0`, `BETWEEN 1 AND ${yearBefore}`, `>= ${yearBefore + lastYear}`].some((years) =>
    db.get(`SELECT 1 FROM reports INDEXED BY reports_by_newest WHERE fy ${years} LIMIT 1`),
  );
}

/** What of a company it is found by. */
const companyNames = ['company_name', 'company_key', 'isin', 'lei', 'figi', 'cik', 'ticker'] as const;
type CompanyNames = Pick<Company, (typeof companyNames)[number]>;

const maxQueryWords = 12;
/** A text that is typed; what goes beyond may end within a word, whose beginning still finds it. */
const maxQueryLength = 500;
/** Beginnings of up to so many letters have an index of their own: see the schema. */
const indexedLength = 3;
/** With more words than this a beginning is rare or odd enough for the index to gather it up. */
const maxWords = 64;
const isAscii = /^[\t\n\r -~]*$/;

/** The words of a text: letters and digits, without case and accents. The index holds nothing else. */
export function termsOf(text: string): string[] {
  if (isAscii.test(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const plain = text.normalize('NFKD').replace(/\p{M}+/gu, '');
  return plain.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The words that a search goes by: each once, and not more than a person types. */
function typedWords(text: string): string[] {
  return [...new Set(termsOf(text))].slice(0, maxQueryWords);
}

/** A full-text query for words, each as `form` has it; null when there is none. */
function queryOf(words: readonly string[], form: (word: string) => string): string | null {
  return words.length === 0 ? null : words.map(form).join(' AND ');
}

const whole = (word: string) => `"${word}"`;
const beginning = (word: string) => `"${word}"*`;
const anyOf = (words: readonly string[]) => `(${words.map(whole).join(' OR ')})`;

/** The words a report is found by: title (the metadata's marks partial documents), company, identifiers and keys. */
export function reportTerms(report: Report): string {
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
  return joined(companyNames.map((name) => company[name]));
}

/** Each word once: the index would look up every repetition. */
function joined(parts: readonly (string | null)[]): string {
  return [...new Set(termsOf(parts.filter((part) => part !== null).join(' ')))].join(' ');
}

/** A full-text query for the reports that have each word of a text; null when it has none. */
export function reportsWith(text: string): string | null {
  return queryOf(typedWords(text), whole);
}

/**
 * A full-text query for companies with a word that begins with each typed word, or nearly so where none does; null
 * when no word was typed.
 */
export function companiesFor(db: Database, text: string): string | null {
  return queryOf(typedWords(text.slice(0, maxQueryLength)), (word) => {
    const sql = 'SELECT 1 FROM company_text WHERE company_text MATCH ? LIMIT 1';
    return db.get(sql, beginning(word)) ? beginning(word) : nearly(db, word);
  });
}

/**
 * The same for reports, with near matches among the names of companies and types. The index finds a whole word at once,
 * newest first, but gathers everything under a beginning of more than three letters before the first match: up to
 * 200 ms at 1,000,000 reports. So it is asked for the few words that the beginning may become: 0.5 ms.
 */
export function reportsFor(db: Database, text: string): string | null {
  return queryOf(typedWords(text.slice(0, maxQueryLength)), (word) => {
    if (word.length <= indexedLength) return beginning(word);
    const sql = 'SELECT term FROM report_words WHERE term >= ? AND term < ? LIMIT ?';
    const words = db.all(sql, word, `${word}\u{10FFFF}`, maxWords + 1);
    if (words.length === 0) return nearly(db, word);
    return words.length > maxWords ? beginning(word) : anyOf(words.map(([term]) => String(term)));
  });
}

/** Most reports that are gone and are looked up one by one. */
const maxGone = 1000;
const goneCompanies = 'SELECT id FROM companies WHERE gone > 0';

/** Whether the index of words alone can count listed reports: not with odd years, nor with many that are gone. */
function tells(db: Database): boolean {
  return !hasOddYears(db) && db.number('SELECT sum(gone) FROM companies') <= maxGone;
}

/** The reports with words that are gone: they stay in the index. */
const goneSql = `FROM reports r INDEXED BY reports_by_company
  CROSS JOIN report_text t ON t.rowid = (${documentOf('r.fy', 'r.report_id')})
  WHERE r.company IN (${goneCompanies}) AND r.state AND report_text MATCH ?`;

/**
 * How many listed reports have the words of a text, from the index of words alone: 20 ms for 250,000, against 200 when
 * each report is looked at. Null where it can't tell.
 */
export function countByWords(db: Database, text: string): number | null {
  if (!tells(db)) return null;
  const match = reportsFor(db, text);
  if (match === null) return 0;
  const found = db.number('SELECT count(*) FROM report_text WHERE report_text MATCH ?', match);
  return found - db.number(`SELECT count(*) ${goneSql}`, match);
}

/** The same by fiscal year, 0 for undated; a year after the other, which takes half as long as to group them. */
export function countsByYear(db: Database, text: string): ReadonlyMap<number, number> | null {
  if (!tells(db)) return null;
  const match = reportsFor(db, text);
  if (match === null) return new Map();
  const inYear = `SELECT count(*) FROM report_text WHERE report_text MATCH ?
    AND rowid BETWEEN (${documentOf('years.fy', '0')}) AND (${documentOf('years.fy', String(Number.MAX_SAFE_INTEGER))})`;
  const found = db.all(`SELECT fy, (${inYear}) FROM (${yearsSql}) years WHERE fy IS NOT NULL`, match);
  const counts = new Map(found.map(([year, count]) => [Number(year), Number(count)]));
  for (const [year, count] of db.all(`SELECT r.fy, count(*) ${goneSql} GROUP BY 1`, match))
    counts.set(Number(year), (counts.get(Number(year)) ?? 0) - Number(count));
  return counts;
}

const typeWords = knownReportTypes.flatMap((type) => termsOf(reportTypeName(type)));

interface NameWords {
  /** The last company then: newer ones have higher numbers. */
  readonly of: number;
  readonly words: ReadonlySet<string>;
}

/**
 * The words of all companies' names and of types, kept: those of 25,000 companies take 80 ms to gather, which each key
 * pressed would cost, and 5 to 8 ms to go through.
 */
const nameWords = new WeakMap<Database, NameWords>();

/** A typed word that nothing begins with, as the names of companies and of types may spell it. */
function nearly(db: Database, word: string): string {
  const of = db.number('SELECT max(id) FROM companies');
  let names = nameWords.get(db);
  if (names?.of !== of) {
    const rows = db.all('SELECT company_name FROM companies WHERE company_name IS NOT NULL');
    names = { of, words: new Set([...typeWords, ...rows.flatMap(([name]) => termsOf(String(name)))]) };
    nameWords.set(db, names);
  }
  const near = nearWords(word, names.words);
  return near.length === 0 ? beginning(word) : anyOf(near);
}

export function addCompanyWords(db: Database, id: number, names: CompanyNames): void {
  db.run('INSERT INTO company_text(rowid, words) VALUES (?, ?)', id, companyWords(names));
}

/** The index holds no text, so that leaving it takes the old words. */
export function removeCompanyWords(db: Database, id: number, names: CompanyNames): void {
  db.run("INSERT INTO company_text(company_text, rowid, words) VALUES ('delete', ?, ?)", id, companyWords(names));
}

const addReportSql = `INSERT INTO report_text(rowid, words) VALUES (${documentSql}, ?)`;
const removeReportSql = `INSERT INTO report_text(report_text, rowid, words) VALUES ('delete', ${documentSql}, ?)`;

/** What one transaction does to the full-text index of reports. */
export class ReportTextWrites {
  readonly #db: Database;
  readonly #pending: { readonly fy: number; readonly id: number; readonly sql: string; readonly words: string }[] = [];

  constructor(db: Database) {
    this.#db = db;
  }

  add(report: Report, fy: number): void {
    this.#pending.push({ fy, id: report.report_id, sql: addReportSql, words: reportTerms(report) });
  }

  remove(report: Report, fy: number): void {
    this.#pending.push({ fy, id: report.report_id, sql: removeReportSql, words: reportTerms(report) });
  }

  /**
   * Writes it, in the order of documents: each step back in that order would have FTS5 write all that is pending. What
   * happened to one document stays in its order. To be called before the transaction ends.
   */
  flush(): void {
    this.#pending.sort((a, b) => yearOf(a) - yearOf(b) || a.id - b.id);
    const added = new Set<string>();
    for (const { sql, fy, id, words } of this.#pending) {
      this.#db.run(sql, fy, id, words);
      if (sql === addReportSql) for (const word of words.split(' ')) added.add(word);
    }
    for (const word of added) this.#db.run('INSERT OR IGNORE INTO report_words VALUES (?)', word);
  }
}

/** Shorter words are found only as they are typed: too many others are nearly the same. */
const minLength = 4;
/** From this length on a word may differ in two letters, else in one. */
const longWord = 8;
/** A word with more likenesses than this is likelier another word. */
const maxAlike = 20;

/**
 * The words of a list that begin nearly as a typed one: with one letter more, less or other, or two swapped. If some
 * differ in one letter only, just those.
 */
export function nearWords(typed: string, words: Iterable<string>): string[] {
  if (typed.length < minLength) return [];
  const found: [string[], string[]] = [[], []];
  for (const word of words) {
    if (beginsNearly(typed, word, 1)) found[0].push(word);
    // Two letters off is far; the first one is seldom mistyped.
    else if (typed.length >= longWord && typed[0] === word[0] && beginsNearly(typed, word, 2)) found[1].push(word);
  }
  const [one, two] = found;
  const near = one.length > 0 ? one : two;
  return near.length > maxAlike ? [] : near;
}

function beginsNearly(typed: string, word: string, edits: number): boolean {
  let at = 0;
  while (at < typed.length && typed[at] === word[at]) at++;
  if (at === typed.length) return true;
  if (edits === 0) return false;
  const from = (letters: number, more: number) =>
    beginsNearly(typed.slice(at + letters), word.slice(at + more), edits - 1);
  const swapped = typed[at] === word[at + 1] && typed[at + 1] === word[at];
  return from(1, 1) || from(1, 0) || from(0, 1) || (swapped && from(2, 2));
}
