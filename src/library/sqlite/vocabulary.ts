import type { Connection } from './connection.ts';
import type { Tokenizer } from './tokenizer.ts';

/** The index of words answers beginnings of up to so many letters by itself. */
const indexedPrefix = 3;
/** With more continuations than this a beginning is rare or odd enough for the index to gather it up. */
const mostTerms = 64;
const mostRemembered = 100_000;
/** Characters given to the tokenizer at once. */
const longestBatch = 20_000;
const mostWords = 12;
const longestQuery = 500;

/**
 * The longer words that occur in reports. The index finds a whole word at once, newest first, but gathers all there is
 * under a longer beginning before it gives the first; so beginnings are turned into the whole words they may become.
 */
export class Vocabulary {
  readonly #connection: Connection;
  readonly #tokenizer: Tokenizer;
  /** Pieces of text whose words are in the table already. */
  readonly #noted = new Set<string>();

  constructor(connection: Connection, tokenizer: Tokenizer) {
    this.#connection = connection;
    this.#tokenizer = tokenizer;
    connection.onRollback(() => this.#noted.clear());
  }

  /** Takes in the words of texts that are about to be indexed. */
  note(texts: readonly string[]): void {
    let fresh = '';
    for (const text of texts) {
      for (const piece of text.split(/[\s!-/:-@[-`{-~]+/)) {
        if (piece.length <= indexedPrefix || this.#noted.has(piece)) continue;
        if (this.#noted.size >= mostRemembered) this.#noted.clear();
        this.#noted.add(piece);
        fresh += `${piece} `;
        if (fresh.length < longestBatch) continue;
        this.#keep(fresh);
        fresh = '';
      }
    }
    if (fresh !== '') this.#keep(fresh);
  }

  #keep(text: string): void {
    for (const word of this.#tokenizer.words(text, -1)) {
      if (word.length > indexedPrefix) this.#connection.run('INSERT OR IGNORE INTO vocabulary VALUES (?)', word);
    }
  }

  /** A query that finds reports with a word that begins with each typed word; null when no word was typed. */
  matchReports(text: string): string | null {
    const words = this.#tokenizer.words(text.slice(0, longestQuery), mostWords);
    return words.length === 0 ? null : words.map((word) => this.#beginning(word)).join(' AND ');
  }

  /** The same for companies, of which there are few enough to do without. */
  matchCompanies(text: string): string | null {
    const words = this.#tokenizer.words(text.slice(0, longestQuery), mostWords);
    return words.length === 0 ? null : words.map((word) => `${quoted(word)}*`).join(' AND ');
  }

  #beginning(word: string): string {
    if (word.length <= indexedPrefix) return `${quoted(word)}*`;
    const terms = this.#connection.all(
      'SELECT term FROM vocabulary WHERE term >= ? AND term < ? LIMIT ?',
      word,
      `${word}\u{10FFFF}`,
      mostTerms + 1,
    );
    if (terms.length === 0 || terms.length > mostTerms) return `${quoted(word)}*`;
    return `(${terms.map(([term]) => quoted(String(term))).join(' OR ')})`;
  }
}

function quoted(word: string): string {
  return `"${word.replaceAll('"', '""')}"`;
}
