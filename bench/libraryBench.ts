import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as sqlite from 'node:sqlite';
import { type LibraryMethods, methodsOf } from '../src/library/libraryMethods.ts';
import { Connection } from '../src/library/sqlite/connection.ts';
import { mergeWords } from '../src/library/sqlite/loadEnd.ts';
import { SqliteStore } from '../src/library/sqlite/sqliteStore.ts';
import { pageBytes, pageSize } from './libraryPages.ts';

/** A library file of a benchmark's own, in this thread. */
export interface BenchLibrary {
  readonly path: string;
  readonly methods: LibraryMethods;
  /** Brings in page p of the catalogue. */
  take(p: number, bytes?: Uint8Array): void;
  /** Ends the first load: what a library gets only then is made. */
  endLoad(): void;
  /** What another thread does after that. */
  mergeWords(): void;
  close(): void;
  remove(): void;
}

export function openBenchLibrary(indexes: 'late' | 'from the start' = 'late'): BenchLibrary {
  const directory = mkdtempSync(join(tmpdir(), 'report-library-bench-'));
  const path = join(directory, 'library.db');
  const store = new SqliteStore({ path, sqlite, now: Date.now });
  const methods = methodsOf(store);
  const lease = store.acquireLease('bench', 600_000);
  if (!lease) throw new Error('The lease was not free.');
  // Ended before it has begun, a load leaves all indexes.
  if (indexes === 'from the start') store.updateSync({ phase: 'following' }, lease.generation);
  const walk = { kind: 'first', startedAt: 0, proven: true, watchlist: true, unreadable: 0 } as const;
  store.beginWalk({ phase: 'loading', walk }, [{}], lease.generation);
  return {
    path,
    methods,
    take(p, bytes = pageBytes(p)) {
      methods.takeReports({
        incoming: { bytes, serverTime: null },
        chain: { id: 1, cursor: p === 0 ? null : `cursor ${p}` },
        generation: lease.generation,
      });
    },
    endLoad: () => void store.updateSync({ phase: 'following', walk: null }, lease.generation),
    mergeWords() {
      const connection = new Connection(new sqlite.DatabaseSync(path));
      for (let first = true; mergeWords(connection, first); first = false);
      connection.close();
    },
    close: () => store.close(),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/** A library with so many reports in it. */
export function filledLibrary(reports: number): BenchLibrary {
  const library = openBenchLibrary();
  for (let p = 0; p * pageSize < reports; p++) library.take(p);
  library.endLoad();
  library.mergeWords();
  return library;
}
