import { isHolderGone } from '../../machine/leaseHolder.ts';
import { libraryError } from '../libraryError.ts';
import { type Chain, readSyncRecord, type SyncRecord, type WalkFilter } from '../sync/syncRecord.ts';
import type { Database } from './database.ts';

const recordName = 'sync';

const missingSql =
  'FROM reports r WHERE state = 0 AND NOT EXISTS (SELECT 1 FROM marks m WHERE m.report_id = r.report_id)';

export function syncRecord(db: Database): SyncRecord {
  const row = db.get('SELECT value FROM meta WHERE name = ?', recordName);
  return readSyncRecord(row ? JSON.parse(String(row[0])) : null);
}

export function updateRecord(db: Database, patch: Partial<SyncRecord>): void {
  const value = JSON.stringify({ ...syncRecord(db), ...patch });
  db.run('INSERT OR REPLACE INTO meta(name, value) VALUES (?, ?)', recordName, value);
}

export function chainsOfWalk(db: Database): Chain[] {
  return db
    .all('SELECT id, filter, cursor, done, pages, reports FROM chains ORDER BY id')
    .map(([id, filter, cursor, done, pages, reports]) => ({
      id: Number(id),
      filter: JSON.parse(String(filter)) as WalkFilter,
      cursor: cursor === null ? null : String(cursor),
      done: Number(done) === 1,
      pages: Number(pages),
      reports: Number(reports),
    }));
}

export function beginChains(db: Database, filters: readonly WalkFilter[]): void {
  endWalk(db);
  const sql = 'INSERT INTO chains(id, filter) VALUES (?, ?)';
  for (const [index, filter] of filters.entries()) db.run(sql, index + 1, JSON.stringify(filter));
}

export function advanceChain(db: Database, id: number, cursor: string | null, done: boolean, reports: number): void {
  const sql = 'UPDATE chains SET cursor = ?, done = ?, pages = pages + 1, reports = reports + ? WHERE id = ?';
  db.run(sql, cursor, done ? 1 : 0, reports, id);
}

export function endWalk(db: Database): void {
  db.exec('DELETE FROM chains; DELETE FROM marks');
}

export function missingReports(db: Database): number[] {
  return db.all(`SELECT report_id ${missingSql}`).map(([id]) => Number(id));
}

export function countMissing(db: Database): number {
  return db.number(`SELECT count(*) ${missingSql}`);
}

/**
 * Takes the lease, the right to write sync progress, when it is free, expired, or already this holder's, and gives its
 * generation, which rises with every taking; null when another holds it.
 */
export function acquireLease(db: Database, holder: string, ttl: number, now: number): number | null {
  const row = db.get('SELECT holder, generation, expires FROM lease');
  // A clock set back leaves a lease far in the future; one longer than any lease lasts is not believed.
  const running = row !== undefined && Number(row[2]) > now && Number(row[2]) <= now + maxLease;
  if (running && row[0] !== holder && !isHolderGone(String(row[0]))) return null;
  const generation = Number(row?.[1] ?? 0) + 1;
  const sql = 'INSERT OR REPLACE INTO lease(one, holder, generation, expires) VALUES (1, ?, ?, ?)';
  db.run(sql, holder, generation, now + Math.min(ttl, maxLease));
  return generation;
}

export function renewLease(db: Database, generation: number, ttl: number, now: number): void {
  checkLease(db, generation);
  db.run('UPDATE lease SET expires = ?', now + Math.min(ttl, maxLease));
}

export function releaseLease(db: Database, generation: number): void {
  db.run('UPDATE lease SET expires = 0 WHERE generation = ?', generation);
}

/** Throws `lease-lost` unless the generation is the present one. To be called inside the transaction it guards. */
export function checkLease(db: Database, generation: number): void {
  if (db.number('SELECT generation FROM lease') !== generation) throw libraryError('lease-lost');
}

/** ms. */
const maxLease = 10 * 60_000;
