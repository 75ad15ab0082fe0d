import { copyFileSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as sqlite from 'node:sqlite';
import type { LibraryMethods } from '../src/library/library.ts';
import { openSqliteStore } from '../src/library/sqlite/sqliteStore.ts';
import { pageBytes, pageSize } from './libraryPages.ts';

/** A library file of a benchmark's own, in this thread. */
export interface BenchLibrary {
  readonly path: string;
  readonly methods: LibraryMethods;
  /** Brings in page p of the catalog. */
  take(p: number, bytes?: Uint8Array<ArrayBuffer>): void;
  /** Ends the first load. */
  endLoad(): void;
  /** Writes a library like it to another file. */
  copyTo(path: string): void;
  close(): void;
  remove(): void;
}

export function openBenchLibrary(before: (path: string) => void = () => {}): BenchLibrary {
  const directory = mkdtempSync(join(tmpdir(), 'report-library-bench-'));
  const path = join(directory, 'library.db');
  before(path);
  const store = openSqliteStore({ path, sqlite, now: Date.now });
  const generation = store.beginRun();
  const walk = { kind: 'first', startedAt: 0, watchlist: true, unreadable: 0 } as const;
  if (store.totals().listed === 0) store.beginWalk({ phase: 'loading', walk }, [{}], generation);
  return {
    path,
    methods: store,
    take(p, bytes = pageBytes(p)) {
      store.takeReports({
        incoming: { body: bytes, serverTime: null },
        chain: { id: 1, cursor: p === 0 ? null : `cursor ${p}` },
        generation,
      });
    },
    endLoad: () => void store.updateSync({ phase: 'following', walk: null }, generation),
    copyTo(other) {
      const db = new sqlite.DatabaseSync(path);
      db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      db.close();
      copyFileSync(path, other);
    },
    close: () => store.close(),
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

/**
 * A library with so many reports in it. A folder named by `BENCH_LIBRARIES` keeps it, so that the next run need not make
 * a million reports anew; a library of another version of the program must not lie there.
 */
export function filledLibrary(reports: number): BenchLibrary {
  const folder = process.env.BENCH_LIBRARIES;
  const kept = folder === undefined ? null : join(folder, `library-${reports}.db`);
  if (kept !== null && existsSync(kept)) return openBenchLibrary((path) => copyFileSync(kept, path));
  const library = openBenchLibrary();
  for (let p = 0; p * pageSize < reports; p++) library.take(p);
  library.endLoad();
  if (kept !== null) library.copyTo(kept);
  return library;
}
