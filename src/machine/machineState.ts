import { closeSync, mkdirSync, openSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { memoryState, type SharedState } from '../base/sharedState.ts';
import { isHolderGone, leaseHolder } from './leaseHolder.ts';
import type { SqliteModule } from './sqliteFile.ts';

type Mutation<T> = (stored: unknown) => { readonly store?: unknown; readonly result: T };

export interface MachineStateOptions {
  /** Where the file is kept: one folder for all windows of this user. Made if it is missing. */
  readonly directory: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Loads the database module; only tests give another. */
  readonly loadSqlite?: () => Promise<SqliteModule>;
}

/**
 * A window's part of the limits while it can't see the others, and the part of all others together that know of such a
 * window: at most 4 such parts stay within the limits.
 */
const blindShare = 0.25;
/** How long others believe that a window is blind after it last said so, ms. */
const blindLife = 15_000;
/** What the others sent before they could know is forgotten by the service after this time, ms. */
const untilHeard = 1200;
/** How long it works blindly before it looks for the shared file again, ms. */
const blindFor = 60_000;
/** How long a lock is waited for before its holder counts as suspended, ms; locks are held for less than one. */
const stuckAfter = 3000;
const maxPoll = 8;

/**
 * State shared by all windows of the editor on this machine (LIM-1): a small file that is locked for well under a
 * millisecond at a time and never blocks the event loop. A holder that crashes or is suspended keeps nobody out. Where
 * the file can't be used, each window goes on from what it knows with a conservative share of every limit, and says so
 * by the time of a second file, which needs no room and no database: the others then keep to the same share. A change
 * right before the end is still stored; no file is opened after it.
 */
export function machineState(options: MachineStateOptions): SharedState {
  const { directory, clock, logger, loadSqlite = () => import('node:sqlite') } = options;
  /** The latest values that this window has seen: waits that the service asked for among them. */
  const known = new Map<string, unknown>();
  const blind = memoryState(blindShare, known);
  let opened: Promise<StateFile> | undefined;
  let blindUntil = Number.NEGATIVE_INFINITY;
  const isBlind = () => clock.monotonic() < blindUntil;
  const goBlind = (until: number) => {
    opened?.then((file) => file.close()).catch(() => {});
    opened = undefined;
    blindUntil = Math.max(blindUntil, until);
  };

  /** Undefined when the file may not be used any longer. */
  const changeFile = async <T>(name: string, change: Mutation<T>): Promise<{ readonly result: T } | undefined> => {
    opened ??= loadSqlite().then((sqlite) => new StateFile(directory, sqlite, known));
    const file = await opened;
    const started = clock.monotonic();
    // Tried once even when the end came meanwhile: the others are to know at once which connections are free again.
    for (let poll = 1; ; poll = Math.min(poll * 2, maxPoll)) {
      const outcome = file.tryUpdate(name, change);
      if (outcome) return outcome;
      if (clock.monotonic() - started > stuckAfter) {
        logger.info('Another window holds the shared request budget and does not move; starting it anew.');
        file.replace();
      }
      await clock.sleep(poll * (0.5 + Math.random()));
      if (isBlind()) return undefined;
    }
  };

  const marker = join(directory, blindName);
  let saidAt = Number.NEGATIVE_INFINITY;
  let heard: Promise<void> | undefined;
  const sayBlind = async () => {
    const isNews = clock.now() - saidAt >= blindLife;
    saidAt = clock.now();
    try {
      if (markedAt(marker) === Number.NEGATIVE_INFINITY) make(directory, blindName);
      utimesSync(marker, saidAt / 1000, saidAt / 1000);
      if (isNews) heard = clock.sleep(untilHeard);
    } catch {
      // Then there is no way to tell the others; but a folder that this user can't change is one that none of their
      // windows can change, so that all of them are blind alike.
    }
    await heard;
  };

  return {
    get share() {
      return isBlind() || Math.abs(clock.now() - markedAt(marker)) < blindLife ? blindShare : 1;
    },
    get isBlind() {
      return isBlind();
    },
    async update(name, change) {
      try {
        const outcome = isBlind() ? undefined : await changeFile(name, change);
        if (outcome) return outcome.result;
      } catch (error) {
        const words = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
        logger.warn(`The request budget can't be shared with other windows${words}; this one slows down.`);
        goBlind(clock.monotonic() + blindFor);
      }
      if (blindUntil !== Number.POSITIVE_INFINITY) await sayBlind();
      return blind.update(name, change);
    },
    holder: leaseHolder,
    isGone: isHolderGone,
    dispose: () => goBlind(Number.POSITIVE_INFINITY),
  };
}

/** The time of a file; that of one that can't be seen is long ago. */
function markedAt(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
}

/** Makes a file, for this user alone, with its folder. Throws where that is not possible. */
function make(directory: string, name: string): string {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const path = join(directory, name);
  closeSync(openSync(path, 'a', 0o600));
  return path;
}

const fileName = 'budget.sqlite';
const blindName = 'blind';
/** Codes of SQLite. */
const busy = 5;
const corrupt = 11;
const notADatabase = 26;

/** An open file, its statements prepared once: each request and each file that is downloaded takes several. */
interface OpenedState {
  readonly database: DatabaseSync;
  readonly inode: bigint;
  readonly read: StatementSync;
  readonly write: StatementSync;
  readonly remove: StatementSync;
}

/**
 * A file of named values that processes change in turn: the pace, which matters for a minute, and waits that the
 * service asked for. It is never synced to disk, and made anew when damaged, which what this process knows outlives.
 */
class StateFile {
  readonly #directory: string;
  readonly #sqlite: SqliteModule;
  /** What this process has seen of it, and keeps to where the file is gone. */
  readonly #known: Map<string, unknown>;
  /** The inode shows whether the file at the path is still the one that is open. */
  #opened: OpenedState | undefined;

  constructor(directory: string, sqlite: SqliteModule, known: Map<string, unknown>) {
    this.#directory = directory;
    this.#sqlite = sqlite;
    this.#known = known;
  }

  /** Changes a value; undefined when another process holds the lock. Throws where the file can't be used at all. */
  tryUpdate<T>(name: string, change: Mutation<T>): { readonly result: T } | undefined {
    try {
      return { result: this.#update(this.#current(), name, change) };
    } catch (error) {
      const code = error instanceof Error && 'errcode' in error ? Number(error.errcode) & 0xff : undefined;
      if (code === busy) return undefined;
      if (code !== corrupt && code !== notADatabase) throw error;
      this.replace();
      return undefined;
    }
  }

  /** Starts a new file with what can still be read of the old one; other processes notice that theirs is gone. */
  replace(): void {
    try {
      for (const { name, value } of this.#opened?.database.prepare('SELECT name, value FROM state').all() ?? [])
        this.#known.set(String(name), parse(value));
    } catch {
      // Damaged: what this process stored last has to do.
    }
    this.close();
    for (const name of [fileName, `${fileName}-journal`]) rmSync(join(this.#directory, name), { force: true });
  }

  close(): void {
    this.#opened?.database.close();
    this.#opened = undefined;
  }

  #current(): OpenedState {
    const path = join(this.#directory, fileName);
    if (this.#opened && statSync(path, { bigint: true, throwIfNoEntry: false })?.ino === this.#opened.inode)
      return this.#opened;
    this.close();
    make(this.#directory, fileName);
    const marker = join(this.#directory, blindName);
    // A process without a file handle left can still set its time.
    if (markedAt(marker) === Number.NEGATIVE_INFINITY) utimesSync(make(this.#directory, blindName), 0, 0);
    const { ino: inode } = statSync(path, { bigint: true });
    const database = new this.#sqlite.DatabaseSync(path);
    try {
      // A journal on disk, though unsynced, is what lets a process be killed at any moment.
      database.exec('PRAGMA busy_timeout = 0; PRAGMA synchronous = OFF; PRAGMA journal_mode = TRUNCATE;');
      database.exec('CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;');
      this.#opened = {
        database,
        inode,
        read: database.prepare('SELECT value FROM state WHERE name = ?'),
        write: database.prepare('INSERT OR REPLACE INTO state (name, value) VALUES (?, ?)'),
        remove: database.prepare('DELETE FROM state WHERE name = ?'),
      };
      return this.#opened;
    } catch (error) {
      database.close();
      throw error;
    }
  }

  #update<T>({ database, read, write, remove }: OpenedState, name: string, change: Mutation<T>): T {
    database.exec('BEGIN IMMEDIATE');
    try {
      const row = read.get(name);
      const stored = row ? parse(row.value) : this.#known.get(name);
      const { store = stored, result } = change(stored);
      if (store === null || store === undefined) {
        remove.run(name);
        this.#known.delete(name);
      } else {
        if (store !== stored) write.run(name, JSON.stringify(store));
        this.#known.set(name, store);
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

function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    // Nothing that this product wrote.
    return undefined;
  }
}
