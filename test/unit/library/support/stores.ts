import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as sqlite from 'node:sqlite';
import { DatabaseSync } from 'node:sqlite';
import type { Company } from '../../../../src/api/schemas/company.ts';
import type { Change, Report } from '../../../../src/api/schemas/report.ts';
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

/** An upsert as the feed tells it, unless something else is said. */
export function changeOf(given: Report, changes: Partial<Change> = {}): Change {
  const { report_id, report_key, company_key, content_sha256 } = given;
  const told = { report_id, report_key, company_key, content_sha256, changed_at: null };
  return { change: 'upsert', ...told, report: given, other: {}, ...changes };
}

/** A withdrawal as the feed tells it. */
export function withdrawalOf(given: Report, changed_at: string | null = null): Change {
  return changeOf(given, { change: 'withdrawn', changed_at, content_sha256: null, report: null });
}

/** Brings changes in as the last page of the feed. */
export function feed(store: LibraryStore, generation: number, changes: readonly Change[]): WriteResult {
  return store.applyFeedPage({ changes, quarantined: [], cursor: 'c', atEnd: true, generation });
}

/** Brings companies in as the whole watchlist. */
export function watch(store: LibraryStore, companies: readonly Company[]): void {
  store.applyWatchlist({ reading: store.beginWatchlist(), companies, last: true });
}

/** All items of a list, page by page. */
export function allOf<T>(
  pageAfter: (after: string | undefined) => { readonly items: readonly T[]; readonly next: string | null },
): T[] {
  const all: T[] = [];
  for (let after: string | undefined; ; ) {
    const { items, next } = pageAfter(after);
    all.push(...items);
    if (next === null) return all;
    after = next;
  }
}
