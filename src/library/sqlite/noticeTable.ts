import { anyChange, isNoChange, joinChanges, type LibraryChange, noChange } from '../libraryChange.ts';
import type { Connection } from './connection.ts';

const mostNotices = 200;

/**
 * What each write changed, for the other windows: a window that sees another's commit (`data_version`, which costs
 * microseconds to ask) reads the notices it has not seen. One that fell too far behind takes everything as changed.
 */
export class NoticeTable {
  readonly #connection: Connection;
  /** Notices this connection left itself; its own caller was told at once. */
  readonly #own = new Set<number>();
  #seen: number;
  #version: number;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#seen = connection.number('SELECT max(seq) FROM notices');
    this.#version = this.#dataVersion();
    // The number of a notice that was undone goes to another window's.
    connection.onRollback(() => {
      const last = Math.max(...this.#own);
      this.#own.delete(last);
    });
  }

  /** Leaves a notice, inside the transaction that made the change. */
  add(change: LibraryChange): void {
    if (isNoChange(change)) return;
    this.#passOwn();
    const { id } = this.#connection.run('INSERT INTO notices(change) VALUES (?)', JSON.stringify(change));
    if (id % 50 === 0) this.#connection.run('DELETE FROM notices WHERE seq <= ?', id - mostNotices);
    this.#own.add(id);
  }

  /** What others changed since the last call. */
  poll(): LibraryChange {
    const version = this.#dataVersion();
    if (version === this.#version) return noChange;
    this.#version = version;
    this.#passOwn();
    const rows = this.#connection.all('SELECT seq, change FROM notices WHERE seq > ? ORDER BY seq', this.#seen);
    if (rows.length === 0) return noChange;
    const missed = Number(rows[0]?.[0]) > this.#seen + 1;
    this.#seen = Number(rows.at(-1)?.[0]);
    const others = rows.filter((row) => !this.#own.has(Number(row[0])));
    this.#own.clear();
    return missed ? anyChange : joinChanges(others.map((row) => JSON.parse(String(row[1])) as LibraryChange));
  }

  /** Own notices that directly follow what has been seen need no reading. */
  #passOwn(): void {
    while (this.#own.delete(this.#seen + 1)) this.#seen++;
  }

  #dataVersion(): number {
    return this.#connection.number('PRAGMA data_version');
  }
}
