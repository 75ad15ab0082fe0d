import { noChange } from '../libraryChange.ts';
import { LibraryError, type LibraryProblem, libraryError } from '../libraryError.ts';
import type { LibraryStore } from '../store.ts';
import { emptySyncRecord } from '../sync/syncRecord.ts';
import { loadSqlite, type OpenOptions, type SqliteModule } from './openDatabase.ts';
import { openSqliteStore } from './sqliteStore.ts';

/** Where a library is kept, and what loads `node:sqlite` when it is not the host's own. */
export interface OpenStoreOptions extends Pick<OpenOptions, 'path' | 'now'> {
  readonly load?: (() => Promise<SqliteModule>) | undefined;
}

/**
 * Opens the library at a path. Where SQLite is missing, the place can't be written, or a newer version's file can't be
 * read by this one, it gives one that holds nothing, says so in its status, and refuses to be synced: whatever needs no library still works.
 * Throws a `LibraryError` when the file is busy or the disk full.
 */
export async function openStore({ path, now, load }: OpenStoreOptions): Promise<LibraryStore> {
  try {
    return openSqliteStore({ path, now, sqlite: await loadSqlite(load) });
  } catch (error) {
    if (error instanceof LibraryError && lacking.has(error.problem)) return storeOfNothing(error);
    throw error;
  }
}

const lacking: ReadonlySet<LibraryProblem> = new Set(['no-sqlite', 'read-only', 'not-writable']);

/** A library that holds nothing, and whose sync ends with an error. */
function storeOfNothing(why: LibraryError): LibraryStore {
  const refuse = (): never => {
    throw libraryError(why.problem, why.cause);
  };
  const matrix = () => ({
    ...{ keys: [], names: [], countries: [], years: [] },
    ...{ counts: new Uint8Array(0), marks: new Uint8Array(0) },
  });
  return {
    status: { isKept: false, notice: why.message, readOnly: true, journal: null, setAside: null },
    report: () => null,
    summaries: () => [],
    storedReports: () => [],
    reports: () => ({ items: [], next: null }),
    reportIds: () => [],
    countReports: () => 0,
    groupReports: () => [],
    company: () => null,
    companies: () => ({ items: [], next: null }),
    companyGroups: () => [],
    companyYears: () => [],
    findCompanies: () => [],
    coverage: matrix,
    coverageOf: matrix,
    totals: () => ({ listed: 0, gone: 0, companies: 0, quarantined: 0 }),
    fieldUse: () => ({ counted: 0, total: 0, fields: [] }),
    changes: () => [],
    unseen: () => ({ all: 0, mine: 0 }),
    quarantine: () => [],
    syncRecord: () => emptySyncRecord,
    chains: () => [],
    answers: () => [],
    keepAnswers: () => {},
    markSeen: refuse,
    acquireLease: refuse,
    renewLease: refuse,
    releaseLease: refuse,
    updateSync: refuse,
    beginWalk: refuse,
    applyListPage: refuse,
    applyFeedPage: refuse,
    applyWatchlist: refuse,
    applyReport: refuse,
    countMissing: refuse,
    sweep: refuse,
    poll: () => noChange,
    close: () => {},
  };
}
