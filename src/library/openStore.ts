import type { LibraryError } from './libraryError.ts';
import { MemoryStore } from './memory/memoryStore.ts';
import { loadSqlite, type SqliteLoad } from './sqlite/loadSqlite.ts';
import { SqliteStore } from './sqlite/sqliteStore.ts';
import type { LibraryStore } from './store.ts';

/** Where a library is kept. */
export interface OpenStoreOptions {
  /** The library's file; its directory is made when missing. */
  readonly path: string;
  /** ms since the epoch. */
  readonly now: () => number;
  readonly load?: (() => Promise<SqliteLoad>) | undefined;
}

/**
 * Opens the library at a path. Where SQLite is missing, or a newer version's file can't be read by this one, it works
 * from memory and says why. Throws a `LibraryError` when the file is busy or the disk full.
 */
export async function openStore(options: OpenStoreOptions): Promise<LibraryStore> {
  const loaded = await (options.load ?? loadSqlite)();
  if (!loaded.available) {
    const notice = `${loaded.reason} Report Library works from memory: what it loads is gone when the window closes.`;
    return new MemoryStore({ notice, now: options.now });
  }
  try {
    return new SqliteStore({ path: options.path, sqlite: loaded.sqlite, now: options.now });
  } catch (error) {
    if ((error as LibraryError).problem !== 'read-only') throw error;
    return new MemoryStore({ notice: (error as LibraryError).message, now: options.now });
  }
}
