import type { Company } from '../../api/schemas/company.ts';
import type { Report } from '../../api/schemas/report.ts';
import { englishTypeName, knownReportTypes } from '../../api/schemas/reportTypes.ts';
import type { Database } from './openDatabase.ts';
import { firstYear } from './reportRow.ts';

/** A report's key in the order of lists: year above a 53-bit id. Search then finds the newest without ranking. */
export const documentSql = `(max(? - ${firstYear - 1}, 0) << 53) | ?`;

const maxQueryWords = 12;
/** A text that is typed; what goes beyond may end within a word, whose beginning still finds it. */
const maxQueryLength = 500;
/** Beginnings of up to so many letters have an index of their own: see the schema. */
const indexedLength = 3;
/** A beginning with more words than this is rare enough for the index to gather. */
const maxWords = 64;
const isAscii = /^[\t\n\r -~]*$/;

/** The words of a text: letters and digits, without case and accents. Typed words must match the index exactly. */
export function termsOf(text: string): string[] {
  if (isAscii.test(text)) return text.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const plain = text.normalize('NFKD').replace(/\p{M}+/gu, '');
  return plain.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** The words of a search: each once, and no more than a person types. */
function typedWords(text: string): string[] {
  return [...new Set(termsOf(text))].slice(0, maxQueryWords);
}

/** Names of countries and types in the reader's language, each with its English one. */
export type Synonyms = readonly (readonly [local: string, english: string])[];
let synonyms: readonly { readonly local: readonly string[]; readonly english: readonly string[] }[] = [];

/** Sets what else a typed word may mean. */
export function setSynonyms(pairs: Synonyms): void {
  synonyms = pairs.map(([local, english]) => ({ local: termsOf(local), english: termsOf(english) }));
}

/** A shorter beginning may become too many names. */
const shortestSynonym = 4;

/** The English words of what a typed word begins to name. */
function englishFor(word: string): (readonly string[])[] {
  if (word.length < shortestSynonym) return [];
  const named = synonyms.filter(({ local }) => local.some((term) => term.startsWith(word)));
  return named.slice(0, maxQueryWords).map(({ english }) => english);
}

const whole = (word: string) => `"${word}"`;
const beginning = (word: string) => `"${word}"*`;

/**
 * The words a report is found by: title (the metadata's marks partial documents), company, identifiers and keys,
 * country, sector and type in English.
 */
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
    report.company_country,
    report.company_sector,
    report.report_type && englishTypeName(report.report_type),
  ]);
}

/** Each word once: the index would look up every repetition. */
function joined(parts: readonly (string | null)[]): string {
  return [...new Set(termsOf(parts.filter((part) => part !== null).join(' ')))].join(' ');
}

/** A full-text query for the reports that have each word of a text; null when it has none. */
export const reportsWith = (text: string): string | null => typedWords(text).map(whole).join(' AND ') || null;

/** The words of the index from one on, each a step to the first that is greater. */
const wordsFromSql = `WITH RECURSIVE words(term) AS (
    SELECT (SELECT term FROM report_terms WHERE term >= ?1 LIMIT 1) UNION ALL
    SELECT (SELECT term FROM report_terms WHERE term >= words.term || char(1) LIMIT 1) FROM words WHERE term < ?2
  ) SELECT term FROM words WHERE term < ?2 LIMIT ?3`;

/**
 * A full-text query for the typed words; null without any. FTS5 gathers everything under a long beginning (200 ms at
 * 1,000,000 reports), so the few words that it may become are named.
 */
export function reportsFor(db: Database, text: string): string | null {
  const queries = typedWords(text.slice(0, maxQueryLength)).map((word) => {
    if (word.length <= indexedLength) return beginning(word);
    const begun = db.all(wordsFromSql, word, `${word}\u{10FFFF}`, maxWords + 1).map(([term]) => String(term));
    const english = englishFor(word).map((terms) => `(${terms.map(whole).join(' AND ')})`);
    const words = begun.length === 0 && english.length === 0 ? wordsNear(db, word) : begun;
    const isNamed = words.length > 0 && words.length <= maxWords;
    const own = isNamed ? words.map(whole) : english.length > 0 && words.length === 0 ? [] : [beginning(word)];
    return `(${[...own, ...english].join(' OR ')})`;
  });
  return queries.join(' AND ') || null;
}

const typeWords = knownReportTypes.flatMap((type) => termsOf(englishTypeName(type)));

interface NameWords {
  /** The last company then: newer ones have higher numbers. */
  readonly of: number;
  readonly words: ReadonlySet<string>;
}

/** Words of names and types, cached because reading those of 25,000 companies takes 80 ms per keystroke. */
const nameWords = new WeakMap<Database, NameWords>();

/** The words of companies' names and of types that a typed word, which none begins with, may stand for. */
function wordsNear(db: Database, word: string): string[] {
  const of = db.number('SELECT max(id) FROM companies');
  let names = nameWords.get(db);
  if (names?.of !== of) {
    const rows = db.all('SELECT company_name FROM companies WHERE company_name IS NOT NULL');
    names = { of, words: new Set([...typeWords, ...rows.flatMap(([name]) => termsOf(String(name)))]) };
    nameWords.set(db, names);
  }
  return nearWords(word, names.words);
}

/** The words that a company is found by, each between spaces. */
export function companyWords(company: Company): string {
  const { company_name, company_key, isin, lei, figi, cik, ticker, country, sector } = company;
  return ` ${joined([company_name, company_key, isin, lei, figi, cik, ticker, country, sector])} `;
}

/** An SQL condition that a company has each typed word; null without words. Takes 5 ms for 25,000. */
export function companiesWith(db: Database, text: string): { readonly sql: string; readonly values: string[] } | null {
  const options = typedWords(text.slice(0, maxQueryLength)).map((word) => {
    const isBegun = db.get('SELECT 1 FROM companies WHERE instr(words, ?) LIMIT 1', ` ${word}`) !== undefined;
    const english = englishFor(word).map((terms) => terms.map((term) => ` ${term} `));
    if (isBegun) return [[` ${word}`], ...english];
    return english.length > 0 ? english : wordsNear(db, word).map((near) => [` ${near} `]);
  });
  if (options.length === 0) return null;
  const all = (words: readonly string[]) => `(${words.map(() => 'instr(words, ?)').join(' AND ')})`;
  const sql = options.map((ways) => `(${ways.map(all).join(' OR ') || 'FALSE'})`).join(' AND ');
  return { sql, values: options.flat(2) };
}

/** What one transaction does to the full-text index of reports. */
export class ReportTextWrites {
  readonly #db: Database;
  readonly #pending: { readonly fy: number; readonly id: number; readonly words: string | null }[] = [];

  constructor(db: Database) {
    this.#db = db;
  }

  write(report: Report, fy: number): void {
    this.#pending.push({ fy, id: report.report_id, words: reportTerms(report) });
  }

  remove(id: number, fy: number): void {
    this.#pending.push({ fy, id, words: null });
  }

  /** Writes in the order of documents: FTS5 writes all that is pending at each step back. Call it last. */
  flush(): void {
    this.#pending.sort((a, b) => a.fy - b.fy || a.id - b.id);
    for (const { fy, id, words } of this.#pending) {
      if (words === null) this.#db.run(`DELETE FROM report_text WHERE rowid = (${documentSql})`, fy, id);
      else this.#db.run(`INSERT OR REPLACE INTO report_text(rowid, words) VALUES (${documentSql}, ?)`, fy, id, words);
    }
  }
}

/** Shorter words are found only as they are typed: too many others are nearly the same. */
const minLength = 4;
/** From this length on a word may differ in two letters, else in one. */
const longWord = 8;
/** A word with more likenesses than this is likelier another word. */
const maxAlike = 20;

/** The words that begin nearly as a typed one. If some differ in one letter only, just those. */
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
