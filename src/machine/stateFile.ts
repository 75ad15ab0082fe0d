import { closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';

type Sqlite = typeof import('node:sqlite');
type Change<T> = (stored: unknown) => { readonly store?: unknown; readonly result: T };

/** Codes of SQLite. */
const busy = 5;
const corrupt = 11;
const notADatabase = 26;

interface Opened {
  readonly database: DatabaseSync;
  readonly read: StatementSync;
  readonly write: StatementSync;
  /** Tells whether the file at the path is still the one that is open. */
  readonly inode: bigint;
}

/**
 * A file of named values that processes change in turn. Nothing in it matters for longer than a few minutes, so it is
 * never synced to disk, and made anew when it is damaged. What this process stored last outlives such a remake.
 */
export class StateFile {
  readonly #path: string;
  readonly #sqlite: Sqlite;
  readonly #last = new Map<string, string>();
  #opened: Opened | undefined;

  /** Makes the folder. Throws where that is not possible. */
  constructor(directory: string, sqlite: Sqlite) {
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    this.#path = join(directory, 'budget.sqlite');
    this.#sqlite = sqlite;
  }

  /** Changes a value; undefined when another process holds the lock. Throws where the file can't be used at all. */
  tryUpdate<T>(name: string, change: Change<T>): { readonly result: T } | undefined {
    try {
      return { result: this.#update(this.#current(), name, change) };
    } catch (error) {
      const code = sqliteCode(error);
      if (code === busy) return undefined;
      if (code !== corrupt && code !== notADatabase) throw error;
      this.replace();
      return undefined;
    }
  }

  /** Starts a new file; other processes notice that theirs is gone and follow. */
  replace(): void {
    this.close();
    rmSync(this.#path, { force: true });
    rmSync(`${this.#path}-journal`, { force: true });
  }

  close(): void {
    this.#opened?.database.close();
    this.#opened = undefined;
  }

  #current(): Opened {
    if (this.#opened && statSync(this.#path, { bigint: true, throwIfNoEntry: false })?.ino === this.#opened.inode) {
      return this.#opened;
    }
    this.close();
    closeSync(openSync(this.#path, 'a', 0o600));
    const { ino: inode } = statSync(this.#path, { bigint: true });
    const database = new this.#sqlite.DatabaseSync(this.#path);
    try {
      // A journal on disk, though unsynced, is what lets a process be killed at any moment.
      database.exec('PRAGMA busy_timeout = 0; PRAGMA synchronous = OFF; PRAGMA journal_mode = TRUNCATE;');
      database.exec('CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;');
      const read = database.prepare('SELECT value FROM state WHERE name = ?');
      const write = database.prepare('INSERT OR REPLACE INTO state (name, value) VALUES (?, ?)');
      this.#opened = { database, read, write, inode };
      return this.#opened;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  #update<T>({ database, read, write }: Opened, name: string, change: Change<T>): T {
    database.exec('BEGIN IMMEDIATE');
    try {
      const row = read.get(name);
      const stored = typeof row?.value === 'string' ? row.value : this.#last.get(name);
      const { store, result } = change(stored === undefined ? undefined : parse(stored));
      if (store !== undefined) {
        const text = JSON.stringify(store);
        write.run(name, text);
        this.#last.set(name, text);
      }
      database.exec('COMMIT');
      return result;
    } catch (error) {
      // SQLite rolls back by itself after some errors, and then refuses a second time.
      if (database.isTransaction) database.exec('ROLLBACK');
      throw error;
    }
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Nothing that this product wrote.
    return undefined;
  }
}

function sqliteCode(error: unknown): number | undefined {
  if (!(error instanceof Error) || !('errcode' in error)) return undefined;
  return typeof error.errcode === 'number' ? error.errcode & 0xff : undefined;
}
