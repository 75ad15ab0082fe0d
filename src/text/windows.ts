import { isHolderGone } from '../machine/leaseHolder.ts';
import type { SqliteConnection } from '../machine/sqliteFile.ts';

/** How urgent reading is: PDFs wait, or a person asked for them. */
export const urgencies = { waiting: 1, asked: 2 } as const;
export type Urgency = (typeof urgencies)[keyof typeof urgencies];

/** How often the reading window, and those that wait, say that they are there, ms. */
export const heartbeat = 5000;
/** A window that has not said so for this long reads no more, ms. */
export const staleAfter = 15_000;

/**
 * Which of all windows reads: one at a time, the most urgent first, kept in the file that they share. Two may read at
 * once after one stood still for long; their results are kept only once.
 */
export class WindowTable {
  readonly #db: SqliteConnection;
  readonly #holder: string;
  readonly #now: () => number;
  #said = { urgency: 0, at: 0 };

  constructor(db: SqliteConnection, holder: string, now: () => number) {
    this.#db = db;
    this.#holder = holder;
    this.#now = now;
  }

  /** Takes the turn to read a file; false where another window reads or is more urgent, which learns this urgency. */
  begin(urgency: Urgency, path: string): boolean {
    const isTaken = () => this.#others().some((other) => other.path !== null || other.urgency > urgency);
    if (isTaken()) {
      if (urgency !== this.#said.urgency || !this.#isNear(this.#said.at, heartbeat)) this.say(urgency, null);
      return false;
    }
    return this.#db.transaction(() => {
      // Asked again under the lock.
      const begins = !isTaken();
      if (begins) this.say(urgency, path);
      return begins;
    });
  }

  /** Says that this window is there, what it wants, and what it reads. */
  say(urgency: Urgency, path: string | null): void {
    this.#said = { urgency, at: this.#now() };
    const sql = 'INSERT OR REPLACE INTO windows(holder, urgency, beat, path) VALUES (?, ?, ?, ?)';
    this.#db.run(sql, this.#holder, urgency, this.#said.at, path);
  }

  /** Gives the turn back. */
  end(): void {
    this.#db.run('UPDATE windows SET path = NULL WHERE holder = ?', this.#holder);
  }

  /** Wants nothing any more. */
  leave(): void {
    if (this.#said.urgency === 0) return;
    this.#said = { urgency: 0, at: 0 };
    this.#db.run('DELETE FROM windows WHERE holder = ?', this.#holder);
  }

  /** What is being read, in whichever window. */
  get reading(): string | null {
    const own = this.#db.get('SELECT path FROM windows WHERE holder = ?', this.#holder)?.[0];
    if (typeof own === 'string') return own;
    return this.#others().find(({ path }) => path !== null)?.path ?? null;
  }

  /** Whether a person has paused reading, in whichever window. */
  get isPaused(): boolean {
    return this.#db.number("SELECT value FROM meta WHERE name = 'paused'") === 1;
  }

  setPaused(paused: boolean): void {
    this.#db.run("INSERT OR REPLACE INTO meta VALUES ('paused', ?)", paused ? 1 : 0);
  }

  /** The other windows that are alive. */
  #others(): { readonly urgency: number; readonly path: string | null }[] {
    const rows = this.#db.all('SELECT holder, urgency, beat, path FROM windows WHERE holder <> ?', this.#holder);
    return rows
      .filter(([holder, , beat]) => this.#isNear(Number(beat), staleAfter) && !isHolderGone(String(holder)))
      .map(([, urgency, , path]) => ({ urgency: Number(urgency), path: path === null ? null : String(path) }));
  }

  /** A clock set back leaves a time far in the future, which is not believed. */
  #isNear(time: number, reach: number): boolean {
    return Math.abs(this.#now() - time) < reach;
  }
}
