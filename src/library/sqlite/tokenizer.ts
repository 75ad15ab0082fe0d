import type { Connection } from './connection.ts';

const plain = /^[\t\n\r -~]*$/;

/** Splits text exactly as the index of words does, by asking the same tokenizer. */
export class Tokenizer {
  readonly #connection: Connection;

  /** Takes a connection of its own to a database in memory. */
  constructor(connection: Connection) {
    this.#connection = connection;
    connection.exec(`
      CREATE VIRTUAL TABLE typed USING fts5(words, tokenize='unicode61 remove_diacritics 2');
      CREATE VIRTUAL TABLE terms USING fts5vocab(typed, 'instance');
    `);
  }

  /** The words of a text, folded, each once, in their order; at most `limit` of them. */
  words(text: string, limit: number): string[] {
    // In ASCII there is nothing to fold but case, and only letters and digits make words.
    if (plain.test(text)) {
      const words = new Set(text.toLowerCase().match(/[a-z0-9]+/g));
      return limit < 0 ? [...words] : [...words].slice(0, limit);
    }
    const connection = this.#connection;
    connection.run('DELETE FROM typed');
    connection.run('INSERT INTO typed(rowid, words) VALUES (1, ?)', text.toWellFormed());
    return connection
      .all('SELECT term, min(offset) FROM terms GROUP BY term ORDER BY 2 LIMIT ?', limit)
      .map(([term]) => String(term));
  }

  close(): void {
    this.#connection.close();
  }
}
