import type { Connection } from './connection.ts';
import type { Tokenizer } from './tokenizer.ts';

/** The index of words answers beginnings of up to so many letters by itself. */
const indexedPrefix = 3;
/** With more continuations than this a beginning is rare or odd enough for the index to gather it up. */
const mostTerms = 64;
const mostRemembered = 100_000;
/** Pieces given to the tokenizer at once. */
const piecesAtOnce = 2000;
const isPlainWord = /^[0-9A-Za-z]+$/;
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
  #shared = new WeakSet<ReadonlySet<string>>();
  /** Noted pieces that only the tokenizer can take apart, which it does for many at a time. */
  readonly #odd: string[] = [];

  constructor(connection: Connection, tokenizer: Tokenizer) {
    this.#connection = connection;
    this.#tokenizer = tokenizer;
    connection.onRollback(() => {
      this.#noted.clear();
      this.#shared = new WeakSet();
      this.#odd.length = 0;
    });
  }

  /** Takes in pieces of texts that are about to be indexed: each a word of ASCII, or whatever the tokenizer makes of it. */
  note(own: Iterable<string>, shared: ReadonlySet<string>): void {
    for (const piece of own) this.#notePiece(piece);
    // The same set comes with report after report of a company.
    if (this.#shared.has(shared)) return;
    this.#shared.add(shared);
    for (const piece of shared) this.#notePiece(piece);
  }

  /** Keeps what was taken in. To be called before a transaction ends. */
  flush(): void {
    for (let at = 0; at < this.#odd.length; at += piecesAtOnce) {
      const text = this.#odd.slice(at, at + piecesAtOnce).join(' ');
      for (const word of this.#tokenizer.words(text, -1)) this.#keep(word);
    }
    this.#odd.length = 0;
  }

  #notePiece(piece: string): void {
    if (piece.length <= indexedPrefix || this.#noted.has(piece)) return;
    if (this.#noted.size >= mostRemembered) this.#noted.clear();
    this.#noted.add(piece);
    if (isPlainWord.test(piece)) this.#keep(piece.toLowerCase());
    else this.#odd.push(piece);
  }

  #keep(word: string): void {
    if (word.length > indexedPrefix) this.#connection.run('INSERT OR IGNORE INTO vocabulary VALUES (?)', word);
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
