import { isHolderGone } from '../machine/leaseHolder.ts';
import type { SqliteConnection } from '../machine/sqliteFile.ts';

/**
 * How urgently a window wants to read: not at all, because PDFs wait, because PDFs wait in the window that is looked at,
 * or because somebody asked for them.
 */
export const urgencies = { none: 0, waiting: 1, focused: 2, asked: 3 } as const;
export type Urgency = (typeof urgencies)[keyof typeof urgencies];

/** How often the reading window, and those that wait, say that they are there, ms. */
export const heartbeat = 5000;
/** A window that has not said so for this long reads no more, ms. */
export const staleAfter = 15_000;

/** Which of all windows reads: one at a time, the most urgent first, kept in the file that they share. */
export class WindowTable {
  readonly #db: SqliteConnection;
  readonly #holder: string;
  readonly #now: () => number;
  #said: Urgency = urgencies.none;
  #saidAt = 0;

  constructor(db: SqliteConnection, holder: string, now: () => number) {
    this.#db = db;
    this.#holder = holder;
    this.#now = now;
  }

  /** Says that this window is there, and what it wants; not more often than others need it. */
  beat(urgency: Urgency): void {
    const now = this.#now();
    if (urgency === this.#said && (urgency === urgencies.none || Math.abs(now - this.#saidAt) < heartbeat)) return;
    if (urgency === urgencies.none) this.#db.run('DELETE FROM windows WHERE holder = ?', this.#holder);
    else this.#db.run('INSERT OR REPLACE INTO windows VALUES (?, ?, ?)', this.#holder, urgency, now);
    [this.#said, this.#saidAt] = [urgency, now];
  }

  /** Takes the turn to read a file when it is free and nobody else is more urgent; gives its number, null when it is not this window's turn. */
  acquire(urgency: Urgency, path: string): number | null {
    return this.#db.transaction(() => {
      const [holder, generation, expires] = this.#db.get('SELECT holder, generation, expires FROM lease') ?? [];
      const isRunning = holder !== undefined && this.#isNear(Number(expires) - staleAfter);
      if (isRunning && holder !== this.#holder && !isHolderGone(String(holder))) return null;
      if (this.isOutranked(urgency)) return null;
      const next = Number(generation ?? 0) + 1;
      const sql = 'INSERT OR REPLACE INTO lease(one, holder, generation, expires, path) VALUES (1, ?, ?, ?, ?)';
      this.#db.run(sql, this.#holder, next, this.#now() + staleAfter, path);
      return next;
    });
  }

  /** Whether a window that is alive is more urgent. */
  isOutranked(urgency: Urgency): boolean {
    const rows = this.#db.all(
      'SELECT holder, beat FROM windows WHERE urgency > ? AND holder <> ?',
      urgency,
      this.#holder,
    );
    return rows.some(([holder, beat]) => this.#isNear(Number(beat)) && !isHolderGone(String(holder)));
  }

  /** Goes on holding the turn; false when another window has taken it. */
  renew(generation: number): boolean {
    const held = this.holds(generation);
    if (held) this.#db.run('UPDATE lease SET expires = ? WHERE generation = ?', this.#now() + staleAfter, generation);
    return held;
  }

  /** To be asked inside the transaction that it guards. */
  holds(generation: number): boolean {
    return this.#db.number('SELECT generation FROM lease') === generation;
  }

  release(generation: number): void {
    this.#db.run('UPDATE lease SET expires = 0, path = NULL WHERE generation = ?', generation);
  }

  /** Wants nothing any more, and gives back a turn that it holds. */
  leave(): void {
    this.#db.run('UPDATE lease SET expires = 0, path = NULL WHERE holder = ?', this.#holder);
    this.beat(urgencies.none);
  }

  /** What is being read, in whichever window. */
  get reading(): string | null {
    const [holder, expires, path] = this.#db.get('SELECT holder, expires, path FROM lease') ?? [];
    const isRunning = typeof path === 'string' && this.#isNear(Number(expires) - staleAfter);
    return isRunning && !isHolderGone(String(holder)) ? path : null;
  }

  /** Whether a person has paused reading, in whichever window. */
  get isPaused(): boolean {
    return this.#db.number("SELECT value FROM meta WHERE name = 'paused'") === 1;
  }

  setPaused(paused: boolean): void {
    this.#db.run("INSERT OR REPLACE INTO meta VALUES ('paused', ?)", paused ? 1 : 0);
  }

  /** A clock set back leaves a time far in the future, which is not believed. */
  #isNear(time: number): boolean {
    return Math.abs(this.#now() - time) < staleAfter;
  }
}
