import { randomUUID } from 'node:crypto';
import { anyChange, isNoChange, joinChanges, type LibraryChange, noChange } from '../libraryChange.ts';
import type { Database } from './database.ts';

const maxNotices = 200;

/**
 * What each write changed, for the other windows: a window that sees another's commit (`data_version`, which costs
 * microseconds to ask) reads the notices it has not seen. One that fell too far behind takes everything as changed.
 */
export class NoticeTable {
  readonly #db: Database;
  /** Tells this window's notices from others': its own caller was told at once. */
  readonly #self = randomUUID();
  #seen: number;
  #version: number;

  constructor(db: Database) {
    this.#db = db;
    this.#seen = db.number('SELECT max(seq) FROM notices');
    this.#version = this.#dataVersion();
  }

  /** Leaves a notice, inside the transaction that made the change; its number is for {@link passed}. */
  add(change: LibraryChange): number {
    if (isNoChange(change)) return 0;
    const notice = JSON.stringify(change);
    const id = this.#db.run('INSERT INTO notices(window, change) VALUES (?, ?)', this.#self, notice);
    if (id % 50 === 0) this.#db.run('DELETE FROM notices WHERE seq <= ?', id - maxNotices);
    return id;
  }

  /** The transaction that left a notice is kept. The number of one that was undone goes to another window's. */
  passed(notice: number): void {
    if (this.#seen === notice - 1) this.#seen = notice;
  }

  /** What others changed since the last call. */
  poll(): LibraryChange {
    const version = this.#dataVersion();
    if (version === this.#version) return noChange;
    this.#version = version;
    const rows = this.#db.all('SELECT seq, window, change FROM notices WHERE seq > ? ORDER BY seq', this.#seen);
    if (rows.length === 0) return noChange;
    const missed = Number(rows[0]?.[0]) > this.#seen + 1;
    this.#seen = Number(rows.at(-1)?.[0]);
    if (missed) return anyChange;
    const others = rows.filter(([, window]) => window !== this.#self);
    return joinChanges(others.map(([, , change]) => JSON.parse(String(change)) as LibraryChange));
  }

  #dataVersion(): number {
    return this.#db.number('PRAGMA data_version');
  }
}
