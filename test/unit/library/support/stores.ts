import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as sqlite from 'node:sqlite';
import { DatabaseSync } from 'node:sqlite';
import type { Report } from '../../../../src/api/schemas/report.ts';
import type { LibraryStore } from '../../../../src/library/sqlite/sqliteStore.ts';
import { openSqliteStore } from '../../../../src/library/sqlite/sqliteStore.ts';
import type { WriteResult } from '../../../../src/library/store.ts';

/** A directory that lasts as long as a test. */
export function temporaryDirectory(): { readonly path: string; remove(): void } {
  const path = mkdtempSync(join(tmpdir(), 'report-library-'));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}

/** Opens a library file. */
export function openFile(path: string, now: () => number = () => 1_700_000_000_000): LibraryStore {
  return openSqliteStore({ path, sqlite, now });
}

/** A plain look into a library file. */
export function look(path: string, sql: string): unknown[][] {
  const db = new DatabaseSync(path);
  try {
    const statement = db.prepare(sql);
    statement.setReturnArrays(true);
    return statement.all() as unknown as unknown[][];
  } finally {
    db.close();
  }
}

/** A library that lasts as long as a test. */
export function openInMemory(now: () => number = () => 1_700_000_000_000): LibraryStore {
  return openFile(':memory:', now);
}

/** Brings reports in as a page fetched out of turn. */
export function bring(store: LibraryStore, reports: readonly Report[], asOf: number | null = null): WriteResult {
  return store.applyListPage({ reports, quarantined: [], asOf, chain: null, generation: null });
}

/** Begins a run and puts the library into the phase in which changes are news. */
export function following(store: LibraryStore): number {
  const generation = store.beginRun();
  store.updateSync({ phase: 'following', since: '2026-01-01T00:00:00Z' }, generation);
  return generation;
}
