import type { SqliteModule } from '../../machine/sqliteFile.ts';
import { noChange } from '../libraryChange.ts';
import { LibraryError, type LibraryProblem, libraryError } from '../libraryError.ts';
import { emptyAnswers, writes } from '../messages.ts';
import { type DatabaseOptions, loadLibrarySqlite } from './openDatabase.ts';
import { type LibraryStore, openSqliteStore } from './sqliteStore.ts';

/** Where a library is kept, and what loads `node:sqlite` when it is not the host's own. */
export interface OpenStoreOptions extends Pick<DatabaseOptions, 'path' | 'now'> {
  readonly load?: (() => Promise<SqliteModule>) | undefined;
}

/**
 * Opens the library at a path. Where SQLite is missing, or the path can't be written, the library is empty, says so in
 * its status, and refuses to sync; everything that needs no library still works. Throws a `LibraryError` when the file
 * stays busy or the disk is full.
 */
export async function openStore({ path, now, load }: OpenStoreOptions): Promise<LibraryStore> {
  try {
    return openSqliteStore({ path, now, sqlite: await loadLibrarySqlite(load) });
  } catch (error) {
    if (error instanceof LibraryError && lacking.has(error.problem)) return storeOfNothing(error);
    throw error;
  }
}

const lacking: ReadonlySet<LibraryProblem> = new Set(['no-sqlite', 'not-writable']);

/** A library that holds nothing, and whose sync ends with an error. */
function storeOfNothing(why: LibraryError): LibraryStore {
  const refuse = (): never => {
    throw libraryError(why.problem, why.cause);
  };
  const answers = Object.entries(emptyAnswers).map(([name, answer]) => [name, () => answer]);
  const refusals = [...writes, 'applyListPage', 'applyFeedPage'].map((name) => [name, refuse]);
  return {
    ...Object.fromEntries([...answers, ...refusals]),
    status: { notice: why.message, setAside: null },
    file: null,
    poll: () => noChange,
    close: () => {},
  };
}
