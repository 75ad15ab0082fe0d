import { closeSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { type Clock, systemClock } from '../base/clock.ts';
import { type Logger, silentLogger } from '../base/logger.ts';
import { memoryState, type SharedState } from '../base/sharedState.ts';
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

/** How long a process works alone before it tries the shared file again, ms. */
const aloneFor = 60_000;
/** How long a lock is waited for before its holder counts as suspended, ms; locks are held for less than one. */
const stuckAfter = 3000;
const maxPoll = 8;

/**
 * State shared by all windows and command lines on this computer (LIM-1): a small file that is locked for well under a
 * millisecond at a time and never blocks the event loop. A holder that crashes or is suspended keeps no other waiting.
 * Where the file can't be used, each process goes on alone from what it knows. A change right before the end is still
 * stored; no file is opened after it.
 */
export function machineState(options: MachineStateOptions): SharedState {
  const { directory, clock, logger, loadSqlite = () => import('node:sqlite') } = options;
  /** The latest values that this process has seen: waits that the service asked for among them. */
  const known = new Map<string, unknown>();
  const alone = memoryState(known);
  let opened: Promise<StateFile> | undefined;
  let aloneUntil = Number.NEGATIVE_INFINITY;
  let hasWarned = false;
  const isAlone = () => clock.monotonic() < aloneUntil;
  const goAlone = (until: number) => {
    opened?.then((file) => file.close()).catch(() => {});
    opened = undefined;
    aloneUntil = Math.max(aloneUntil, until);
  };

  /** Undefined when the file may not be used any longer. */
  const changeFile = async <T>(name: string, change: Mutation<T>): Promise<{ readonly result: T } | undefined> => {
    opened ??= loadSqlite().then((sqlite) => new StateFile(directory, sqlite, known));
    const file = await opened;
    let stuck = { file: file.inode, since: clock.monotonic() };
    // Tried once even when the end came meanwhile: the others learn at once which connections are free again.
    for (let poll = 1; ; poll = Math.min(poll * 2, maxPoll)) {
      const outcome = file.tryUpdate(name, change);
      if (outcome) return outcome;
      // Another process may have replaced it meanwhile, and then nobody has held the new one for long.
      if (stuck.file !== file.inode) stuck = { file: file.inode, since: clock.monotonic() };
      if (clock.monotonic() - stuck.since > stuckAfter) {
        logger.info('Another window holds the shared request budget and does not move; starting a new one.');
        file.replace();
      }
      await clock.sleep(poll * (0.5 + Math.random()));
      if (isAlone()) return undefined;
    }
  };

  return {
    get isShared() {
      return !isAlone();
    },
    async update(name, change) {
      try {
        const outcome = isAlone() ? undefined : await changeFile(name, change);
        if (outcome) return outcome.result;
      } catch {
        if (!hasWarned)
          logger.warn("The request budget can't be shared with other windows, so this one sends fewer requests.");
        hasWarned = true;
        goAlone(clock.monotonic() + aloneFor);
      }
      return alone.update(name, change);
    },
    dispose: () => goAlone(Number.POSITIVE_INFINITY),
  };
}

let shared: SharedState | undefined;

/** The state that all windows and command lines of this user share. */
export function sharedState(): SharedState {
  const directory = join(machineFolder(), 'machine');
  shared ??= machineState({ directory, clock: systemClock, logger: silentLogger });
  return shared;
}

/** Makes a file, for this user alone, with its folder. Throws where that is not possible. */
function make(directory: string, name: string): void {
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  closeSync(openSync(join(directory, name), 'a', 0o600));
}

const fileName = 'budget.sqlite';
/** Codes of SQLite. */
const busy = 5;
const corrupt = 11;
const notADatabase = 26;

/** An open file, its statements prepared once: each request and each file that is downloaded takes several. */
interface OpenedState {
  readonly database: DatabaseSync;
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
  #opened: OpenedState | undefined;
  /** The file that was opened last; it shows whether the one at the path is still the same. */
  inode: bigint | undefined;

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
    // One that another process began meanwhile stays.
    if (this.#inodeAtPath() !== this.inode) return;
    for (const name of [fileName, `${fileName}-journal`]) rmSync(join(this.#directory, name), { force: true });
  }

  close(): void {
    this.#opened?.database.close();
    this.#opened = undefined;
  }

  #current(): OpenedState {
    const path = join(this.#directory, fileName);
    if (this.#opened && this.#inodeAtPath() === this.inode) return this.#opened;
    this.close();
    make(this.#directory, fileName);
    this.inode = this.#inodeAtPath();
    const database = new this.#sqlite.DatabaseSync(path);
    try {
      // A journal on disk, though unsynced, is what lets a process be killed at any moment.
      database.exec('PRAGMA busy_timeout = 0; PRAGMA synchronous = OFF; PRAGMA journal_mode = TRUNCATE;');
      database.exec('CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;');
      this.#opened = {
        database,
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

  #inodeAtPath(): bigint | undefined {
    return statSync(join(this.#directory, fileName), { bigint: true, throwIfNoEntry: false })?.ino;
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

/** What the place depends on; those of this process when left out. */
interface PlaceInputs {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
  readonly home?: string;
}

/**
 * The folder of this user on this machine that all editors and the command line share: the request budget in `machine`,
 * verified PDFs by their hash in `pdf`. All of it can be made again, so it lies where caches do. Absolute; not made
 * here.
 */
export function machineFolder({ env = process.env, platform = process.platform, home }: PlaceInputs = {}): string {
  const below = home ?? homedir();
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(below, 'AppData', 'Local'), 'report-library');
  if (platform === 'darwin') return join(below, 'Library', 'Caches', 'report-library');
  // A relative path is to be ignored, as the specification of these variables says.
  const caches = env.XDG_CACHE_HOME?.startsWith('/') ? env.XDG_CACHE_HOME : join(below, '.cache');
  return join(caches, 'report-library');
}
