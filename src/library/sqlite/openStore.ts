import type { SqliteModule } from '../../machine/sqliteFile.ts';
import type { LibraryMethods } from '../library.ts';
import { noChange } from '../libraryChange.ts';
import { LibraryError, type LibraryProblem, libraryError } from '../libraryError.ts';
import { emptySyncRecord } from '../sync/syncRecord.ts';
import { type DatabaseOptions, loadLibrarySqlite } from './openDatabase.ts';
import { type LibraryStore, openSqliteStore } from './sqliteStore.ts';

/** Methods that write. They wait until all questions are answered. A library that holds nothing refuses them. */
const writes = [
  ...(['countMissing', 'markSeen', 'beginRun', 'updateSync', 'beginWalk', 'beginWatchlist'] as const),
  ...(['applyWatchlist', 'sweep', 'applyReport', 'takeReports', 'takeChanges', 'replayQuarantine'] as const),
] satisfies readonly (keyof LibraryMethods)[];

export const isWrite = (method: string): boolean => writes.some((name) => name === method);

const noBytes = new Uint8Array(0);

/** What a library that holds nothing answers. */
const emptyAnswers: {
  readonly [Name in Exclude<keyof LibraryMethods, (typeof writes)[number]>]: ReturnType<LibraryMethods[Name]>;
} = {
  ...{ report: null, storedReports: [], formerKeys: [], summaries: [] },
  ...{ reports: { items: [], next: null }, reportIds: [], countReports: 0, groupReports: [] },
  ...{ reportsOfHashes: [], publishedElsewhere: { published: [], complete: false } },
  ...{ reportsAt: [], idsBetween: { ids: [], whole: true }, factCounts: [] },
  ...{ company: null, companies: { items: [], next: null }, companyLetters: [], companyYears: [], findCompanies: [] },
  coverage: { keys: [], names: [], countries: [], years: [], counts: noBytes, pdfs: noBytes, marks: noBytes },
  fieldUse: { counted: 0, total: 0, fields: [] },
  totals: { listed: 0, gone: 0, companies: 0, quarantined: 0 },
  ...{ changes: [], unseen: { all: 0, mine: 0 }, syncRecord: emptySyncRecord, chains: [] },
  ...{ answers: [], keepAnswers: undefined },
};

/** Where a library is kept, and what loads `node:sqlite` if not the host. */
export interface OpenStoreOptions extends Pick<DatabaseOptions, 'path' | 'now'> {
  readonly load?: (() => Promise<SqliteModule>) | undefined;
}

/** Opens the library at a path. Without SQLite, or a path that can be written, it is empty and refuses to sync. */
export async function openStore({ path, now, load }: OpenStoreOptions): Promise<LibraryStore> {
  try {
    return openSqliteStore({ path, now, sqlite: await loadLibrarySqlite(load) });
  } catch (error) {
    if (error instanceof LibraryError && lacking.has(error.problem)) return storeOfNothing(error);
    throw error;
  }
}

const lacking: ReadonlySet<LibraryProblem> = new Set(['no-sqlite', 'not-writable']);

function storeOfNothing(why: LibraryError): LibraryStore {
  const refuse = (): never => {
    throw libraryError(why.problem, why.cause);
  };
  const answers = Object.entries(emptyAnswers).map(([name, answer]) => [name, () => answer]);
  return {
    ...Object.fromEntries([...answers, ...writes.map((name) => [name, refuse])]),
    status: { notice: why.message, setAside: null },
    file: null,
    poll: () => noChange,
    close: () => {},
  };
}
