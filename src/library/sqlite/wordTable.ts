import { isWorthSharing, type Words } from '../packing/words.ts';
import type { Connection } from './connection.ts';

/** The dictionary of short repeated texts, held in memory and in the table `words`. */
export class WordTable implements Words {
  readonly #connection: Connection;
  readonly #ids = new Map<string, number>();
  readonly #texts = new Map<number, string>();

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#load(0);
    connection.onRollback(() => {
      this.#ids.clear();
      this.#texts.clear();
      this.#load(0);
    });
  }

  mustHave(text: string): number {
    return this.find(text) ?? this.#add(text);
  }

  mayHave(text: string): number | null {
    return this.find(text) ?? (isWorthSharing(text, this.#ids.size) ? this.#add(text) : null);
  }

  text(id: number): string {
    let text = this.#texts.get(id);
    if (text === undefined) {
      // Another window may have added it.
      this.#load(id - 1);
      text = this.#texts.get(id);
    }
    return text ?? '';
  }

  find(text: string): number | null {
    const id = this.#ids.get(text);
    if (id !== undefined) return id;
    const row = this.#connection.get('SELECT id FROM words WHERE text = ?', text);
    return row ? this.#remember(Number(row[0]), text) : null;
  }

  /** Every word, including those that other windows added. */
  all(): ReadonlyMap<number, string> {
    const known = Math.max(0, ...this.#texts.keys());
    this.#load(known);
    return this.#texts;
  }

  #add(text: string): number {
    return this.#remember(this.#connection.run('INSERT INTO words(text) VALUES (?)', text).id, text);
  }

  #load(after: number): void {
    for (const [id, text] of this.#connection.all('SELECT id, text FROM words WHERE id > ?', after)) {
      this.#remember(Number(id), String(text));
    }
  }

  #remember(id: number, text: string): number {
    this.#ids.set(text, id);
    this.#texts.set(id, text);
    return id;
  }
}
