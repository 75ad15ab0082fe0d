import type { LibraryCompany } from '../companyQuery.ts';
import { libraryError } from '../libraryError.ts';
import { libraryVersion } from '../libraryName.ts';
import { type ChangeKind, changeKinds } from '../store.ts';
import { companyColumns, readCompanyRow } from './companyTable.ts';
import { Database, withSqliteErrors } from './database.ts';
import { reportsOfHashes } from './hashQueries.ts';
import { loadLibrarySqlite } from './openDatabase.ts';
import { syncRecord } from './syncTables.ts';

export interface StoredBody {
  readonly report_id: number;
  readonly body: string;
}

export interface ChangeEntry {
  readonly seq: number;
  /** ms since the epoch. */
  readonly at: number;
  readonly kind: ChangeKind;
  readonly report_id: number;
  readonly fields: string | null;
}

/** Everything in a library's file, for reading all of it in order and in pages. Calls may throw a `LibraryError`. */
export type LibrarySnapshot = Awaited<ReturnType<typeof openSnapshot>>;

/** How long a call may wait for a window that writes, ms. */
const patience = 5000;

/**
 * Opens a library's file for reading alone. With a write-ahead log all calls see the same moment; without one a long
 * look would keep every window from writing, so `hasChanged` tells when the pages may not fit together.
 * Throws a `LibraryError`, `corrupt` for a file of another version.
 */
export async function openSnapshot(path: string) {
  const sqlite = await loadLibrarySqlite();
  const db = new Database(withSqliteErrors(() => new sqlite.DatabaseSync(path, { readOnly: true, timeout: patience })));
  try {
    if (db.number('PRAGMA user_version') !== libraryVersion) throw libraryError('corrupt');
    const isOneMoment = db.get('PRAGMA journal_mode')?.[0] === 'wal';
    if (isOneMoment) db.exec('BEGIN');
    const { cursor, phase } = syncRecord(db);
    const version = () => db.number('PRAGMA data_version');
    const before = version();
    return {
      /** Where the change feed goes on after these rows; null before the first reading of it. */
      cursor,
      /** False while the first load is not through. */
      isComplete: phase === 'following',
      /** Listed reports by the year they are filed under, 0 for undated. */
      years: () =>
        db
          .all('SELECT fy, count(*) FROM reports INDEXED BY reports_by_filter WHERE state = 0 GROUP BY fy ORDER BY fy')
          .map(([year, reports]) => ({ year: Number(year), reports: Number(reports) })),
      /** Listed reports of a year behind an id, by id. */
      bodies: (year: number, after: number, limit: number): StoredBody[] =>
        db
          .all(
            `SELECT report_id, body FROM reports INDEXED BY reports_by_newest
             WHERE fy = ? AND report_id > ? AND state = 0 ORDER BY report_id LIMIT ?`,
            ...[year, after, limit],
          )
          .map(([report_id, body]) => ({ report_id: Number(report_id), body: String(body) })),
      /** Companies behind a number of this file's own, by that number. */
      companies: (after: number, limit: number): (LibraryCompany & { readonly id: number })[] =>
        db
          .all(`SELECT ${companyColumns} FROM companies WHERE id > ? ORDER BY id LIMIT ?`, after, limit)
          .map(readCompanyRow),
      /** What's New behind an entry, oldest first. */
      changes: (after: number, limit: number): ChangeEntry[] =>
        db
          .all('SELECT seq, at, kind, report_id, fields FROM changes WHERE seq > ? ORDER BY seq LIMIT ?', after, limit)
          .map(([seq, at, kind, report_id, fields]) => ({
            ...{ seq: Number(seq), at: Number(at), kind: changeKinds[Number(kind)] ?? 'metadata' },
            ...{ report_id: Number(report_id), fields: fields === null ? null : String(fields) },
          })),
      /** Listed reports whose PDF is published with one of these hashes, in lower case. */
      reportsOfHashes: (sha256s: readonly string[]) => reportsOfHashes(db, sha256s),
      counts: () => ({
        companies: db.number('SELECT count(*) FROM companies'),
        changes: db.number('SELECT count(*) FROM changes'),
      }),
      hasChanged: (): boolean => !isOneMoment && version() !== before,
      close: () => db.close(),
    };
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Tells whether anyone has written to a library's file since this was made. */
export async function watchWrites(path: string) {
  const sqlite = await loadLibrarySqlite();
  const db = new Database(withSqliteErrors(() => new sqlite.DatabaseSync(path, { readOnly: true, timeout: patience })));
  const version = () => db.number('PRAGMA data_version');
  const before = version();
  return { haveCome: (): boolean => version() !== before, close: () => db.close() };
}
