import { createHash, randomUUID } from 'node:crypto';
import type { QuarantinedRecord } from '../../api/schemas/page.ts';
import { anyChange, isNoChange, joinChanges, type LibraryChange, noChange } from '../libraryChange.ts';
import { libraryError } from '../libraryError.ts';
import { type Chain, readSyncRecord, type SyncRecord, type WalkFilter } from '../sync/syncRecord.ts';
import type { Database } from './openDatabase.ts';

const recordName = 'sync';

export function syncRecord(db: Database): SyncRecord {
  const row = db.get('SELECT value FROM meta WHERE name = ?', recordName);
  return readSyncRecord(row ? JSON.parse(String(row[0])) : null);
}

export function updateRecord(db: Database, patch: Partial<SyncRecord>): void {
  db.keep(recordName, JSON.stringify({ ...syncRecord(db), ...patch }));
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
  const sql = 'SELECT report_id FROM reports WHERE state = 0 AND report_id NOT IN (SELECT report_id FROM marks)';
  return db.all(sql).map(([id]) => Number(id));
}

const generationName = 'sync.generation';

/** Begins a run of the sync and returns its generation. Earlier runs can no longer write. */
export const beginRun = (db: Database): number => db.next(generationName);

/** Throws `lease-lost` unless the generation is the present one. To be called inside the transaction it guards. */
export function checkGeneration(db: Database, generation: number): void {
  if (db.kept(generationName) !== generation) throw libraryError('lease-lost');
}

/** More than this is evidence of a fault on the service's side, not a collection to keep. */
const maxEntries = 10_000;

/** Keeps an unreadable record's raw text, once; returns the id of the report it seems to be about, or null. */
export function setRecordAside(db: Database, record: QuarantinedRecord, source: string, at: number): number | null {
  const raw = JSON.stringify(record.raw) ?? 'null';
  const reportId = quarantinedId(record.raw);
  if (countAside(db) < maxEntries) {
    const digest = createHash('sha256').update(raw).digest('base64');
    db.run(
      'INSERT OR IGNORE INTO quarantine(digest, at, source, report_id, reason, raw) VALUES (?, ?, ?, ?, ?, ?)',
      ...[digest, at, source, reportId, record.reason, raw],
    );
  }
  return reportId;
}

/** Reports that can be read now need no keeping. */
export function releaseRecords(db: Database, reportIds: readonly number[]): void {
  if (countAside(db) === 0) return;
  for (const id of reportIds) db.run('DELETE FROM quarantine WHERE report_id = ?', id);
}

export function countAside(db: Database): number {
  return db.number('SELECT count(*) FROM quarantine');
}

/** The records, newest first: never more than are kept. */
export function recordsAside(db: Database): QuarantinedRecord[] {
  return db
    .all('SELECT raw, reason FROM quarantine ORDER BY id DESC')
    .map(([raw, reason]) => ({ raw: JSON.parse(String(raw)), reason: String(reason) }));
}

/** The id of the report that an unreadable record seems to be about; null when even that can't be read. */
function quarantinedId(raw: unknown): number | null {
  if (typeof raw !== 'object' || raw === null) return null;
  const id = 'report_id' in raw ? raw.report_id : undefined;
  if (typeof id === 'number' && Number.isSafeInteger(id) && id > 0) return id;
  return 'report' in raw ? quarantinedId(raw.report) : null;
}

const maxNotices = 200;

/** What each write changed, for other windows. A window that is too far behind reloads everything. */
export class NoticeTable {
  readonly #db: Database;
  /** Tells this window's notices from others': its own caller was told at once. */
  readonly #self = randomUUID();
  #seen: number;
  #version: number;

  constructor(db: Database) {
    this.#db = db;
    this.#seen = db.number('SELECT max(seq) FROM notices');
    this.#version = this.#dataVersion();
  }

  /** Leaves a notice, inside the transaction that made the change; its number is for {@link passed}. */
  add(change: LibraryChange): number {
    if (isNoChange(change)) return 0;
    const notice = JSON.stringify(change);
    const id = this.#db.run('INSERT INTO notices(window, change) VALUES (?, ?)', this.#self, notice);
    if (id % 50 === 0) this.#db.run('DELETE FROM notices WHERE seq <= ?', id - maxNotices);
    return id;
  }

  /** The transaction that left a notice is kept. The number of one that was undone goes to another window's. */
  passed(notice: number): void {
    if (this.#seen === notice - 1) this.#seen = notice;
  }

  poll(): LibraryChange {
    const version = this.#dataVersion();
    if (version === this.#version) return noChange;
    this.#version = version;
    const rows = this.#db.all('SELECT seq, window, change FROM notices WHERE seq > ? ORDER BY seq', this.#seen);
    if (rows.length === 0) return noChange;
    const missed = Number(rows[0]?.[0]) > this.#seen + 1;
    this.#seen = Number(rows.at(-1)?.[0]);
    if (missed) return anyChange;
    const others = rows.filter(([, window]) => window !== this.#self);
    return joinChanges(others.map(([, , change]) => JSON.parse(String(change)) as LibraryChange));
  }

  #dataVersion(): number {
    return this.#db.number('PRAGMA data_version');
  }
}
