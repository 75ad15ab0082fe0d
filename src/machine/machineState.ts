import { closeSync, mkdirSync, openSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../base/clock.ts';
import { type Logger, silentLogger } from '../base/logger.ts';
import { memoryState, type SharedState } from '../base/sharedState.ts';
import { inodeOf, problemOfError, SqliteConnection, type SqliteModule } from './sqliteFile.ts';

type Mutation<T> = (stored: unknown) => { readonly store?: unknown; readonly result: T };

export interface MachineStateOptions {
  /** Where the file is kept: one folder for all windows of this user. Made if it is missing. */
  readonly directory: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Loads the database module; only tests give another. */
  readonly loadSqlite?: () => Promise<SqliteModule>;
}

const fileName = 'budget.sqlite';
/** How long a process works alone before it tries the shared file again, ms. */
const aloneFor = 60_000;
/** How long a lock is waited for before its holder counts as suspended, ms; locks are held for less than one. */
const stuckAfter = 3000;
const maxPoll = 8;

let shared: SharedState | undefined;

/** The state of this process in the folder of this user, opened once. The first caller's log gets its warnings. */
export function sharedMachineState(logger: Logger = silentLogger): SharedState {
  shared ??= machineState({ directory: join(machineFolder(), 'machine'), clock: systemClock, logger });
  return shared;
}

/**
 * State shared by all windows and command lines (LIM-1): a small file that is locked for well under a millisecond. A
 * holder that crashes or is suspended keeps no other waiting. Where the file can't be used, each process goes on alone.
 */
export function machineState(options: MachineStateOptions): SharedState {
  const { directory, clock, logger, loadSqlite = () => import('node:sqlite') } = options;
  /** The latest values that this process has seen: waits that the service asked for among them. */
  const known = new Map<string, unknown>();
  const alone = memoryState(known);
  const file = stateFile(directory, known);
  let sqlite: Promise<SqliteModule> | undefined;
  let aloneUntil = Number.NEGATIVE_INFINITY;
  let hasWarned = false;
  const isAlone = () => clock.monotonic() < aloneUntil;
  const goAlone = (until: number) => {
    file.close();
    sqlite = undefined;
    aloneUntil = Math.max(aloneUntil, until);
  };

  /** Undefined when the file may not be used any longer. */
  const changeFile = async <T>(name: string, change: Mutation<T>): Promise<{ readonly result: T } | undefined> => {
    sqlite ??= loadSqlite();
    const loaded = await sqlite;
    let stuck = { file: file.inode(), since: clock.monotonic() };
    // Tried once even when the end came meanwhile: the others learn at once which connections are free again.
    for (let poll = 1; ; poll = Math.min(poll * 2, maxPoll)) {
      try {
        return { result: file.update(loaded, name, change) };
      } catch (error) {
        const problem = problemOfError(error);
        if (problem !== 'busy' && problem !== 'corrupt') throw error;
        // The wait counts for one file: another process may have replaced it.
        if (stuck.file !== file.inode()) stuck = { file: file.inode(), since: clock.monotonic() };
        const isStuck = problem === 'busy' && clock.monotonic() - stuck.since > stuckAfter;
        if (isStuck)
          logger.info('Another window holds the shared request budget and does not move; starting a new one.');
        if (isStuck || problem === 'corrupt') file.replace();
      } finally {
        if (isAlone()) file.close();
      }
      await clock.sleep(poll * (0.5 + Math.random()));
      if (isAlone()) return undefined;
    }
  };

  const state: SharedState = {
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
    dispose() {
      if (shared === state) shared = undefined;
      goAlone(Number.POSITIVE_INFINITY);
    },
  };
  return state;
}

/** A file of named values that processes change in turn. It is never synced, and made again when damaged. */
function stateFile(directory: string, known: Map<string, unknown>) {
  const path = join(directory, fileName);
  let opened: SqliteConnection | undefined;
  /** Shows whether the file at the path is still the one that is open. */
  let inode: bigint | null = null;
  const close = () => {
    opened?.close();
    opened = undefined;
  };
  const current = ({ DatabaseSync }: SqliteModule): SqliteConnection => {
    if (opened && inodeOf(path) === inode) return opened;
    close();
    mkdirSync(directory, { recursive: true, mode: 0o700 });
    closeSync(openSync(path, 'a', 0o600));
    inode = inodeOf(path);
    const db = new SqliteConnection(new DatabaseSync(path));
    try {
      // A journal on disk, though unsynced, is what lets a process be killed at any moment.
      db.exec('PRAGMA busy_timeout = 0; PRAGMA synchronous = OFF; PRAGMA journal_mode = TRUNCATE;');
      db.exec('CREATE TABLE IF NOT EXISTS state (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;');
    } catch (error) {
      db.close();
      throw error;
    }
    opened = db;
    return db;
  };
  return {
    close,
    /** Of the file that was opened last. */
    inode: () => inode,
    /** Changes a value. Throws an error of SQLite where that can't be done now, or at all. */
    update<T>(sqlite: SqliteModule, name: string, change: Mutation<T>): T {
      const db = current(sqlite);
      return db.transaction(() => {
        const row = db.get('SELECT value FROM state WHERE name = ?', name);
        const stored = row ? parse(row[0]) : known.get(name);
        const { store = stored, result } = change(stored);
        if (store === null || store === undefined) {
          db.run('DELETE FROM state WHERE name = ?', name);
          known.delete(name);
        } else {
          if (store !== stored) db.run('INSERT OR REPLACE INTO state VALUES (?, ?)', name, JSON.stringify(store));
          known.set(name, store);
        }
        return result;
      });
    },
    /** Starts a new file with what can still be read of the old one; other processes notice that theirs is gone. */
    replace(): void {
      try {
        for (const [name, value] of opened?.all('SELECT name, value FROM state') ?? [])
          known.set(String(name), parse(value));
      } catch {
        // Damaged: what this process stored last has to do.
      }
      close();
      // Another process may have replaced the file already; its new one stays.
      if (inodeOf(path) === inode) for (const file of [path, `${path}-journal`]) rmSync(file, { force: true });
    },
  };
}

function parse(text: unknown): unknown {
  try {
    return JSON.parse(String(text));
  } catch {
    // Nothing that this product wrote.
    return undefined;
  }
}

/** What the folder depends on; of this process when left out. */
interface FolderInputs {
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly platform?: NodeJS.Platform;
  readonly home?: string;
}

/** The absolute path of this user's cache folder: the request budget in `machine`, verified PDFs by hash in `pdf`. */
export function machineFolder({ env = process.env, platform = process.platform, home }: FolderInputs = {}): string {
  const below = home ?? homedir();
  if (platform === 'win32') return join(env.LOCALAPPDATA || join(below, 'AppData', 'Local'), 'report-library');
  if (platform === 'darwin') return join(below, 'Library', 'Caches', 'report-library');
  // A relative path is to be ignored, as the specification of these variables says.
  const caches = env.XDG_CACHE_HOME?.startsWith('/') ? env.XDG_CACHE_HOME : join(below, '.cache');
  return join(caches, 'report-library');
}
