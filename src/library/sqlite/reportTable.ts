import type { SqlRow } from '../../machine/sqliteFile.ts';
import type { FormerKey, StoredReport } from '../store.ts';
import type { Database } from './openDatabase.ts';
import { decodeReport, type FilterColumns, hashPrefix, reportStates } from './reportRow.ts';
import { idOfDocumentSql, reportsWith } from './searchText.ts';

export interface HeldReport {
  readonly report_id: number;
  readonly company: number;
  /** 0 when undated. */
  readonly fy: number;
  /** A place in `reportStates`. */
  readonly state: number;
  /** Stamp of the last change from the feed, or null. */
  readonly changed: number | null;
  readonly body: string;
}

export interface WrittenReport extends FilterColumns {
  readonly report_id: number;
  readonly company: number;
  readonly body: string;
}

/** The place of `listed` in `reportStates`. */
export const listed = 0;

const heldColumns = 'r.report_id, r.company, r.fy, r.state, r.changed, r.body';

function readHeld([report_id, company, fy, state, changed, body]: SqlRow): HeldReport {
  return {
    report_id: Number(report_id),
    company: Number(company),
    fy: Number(fy),
    state: Number(state),
    changed: changed === null ? null : Number(changed),
    body: String(body),
  };
}

export function heldReport(db: Database, reportId: number): HeldReport | null {
  const row = db.get(`SELECT ${heldColumns} FROM reports r WHERE r.report_id = ?`, reportId);
  return row ? readHeld(row) : null;
}

/** Those of the given ids that are held, whole and in the order given. */
export function storedReports(db: Database, reportIds: readonly number[]): StoredReport[] {
  const sql = `SELECT ${heldColumns} FROM json_each(?) ids CROSS JOIN reports r ON r.report_id = ids.value`;
  return db.all(sql, JSON.stringify(reportIds)).map((row) => stored(readHeld(row)));
}

/** The whole report with an id or key, present or former (RID-1, RID-2); a served one before one that is gone. */
export function storedReport(db: Database, idOrKey: number | string): StoredReport | null {
  const direct = typeof idOrKey === 'number' ? idOrKey : idOfKey(db, idOrKey);
  const first = direct ?? db.number('SELECT report_id FROM key_aliases WHERE report_key = ?', idOrKey);
  const held = survivorOf(db, first);
  return held && { ...stored(held), askedFor: held.report_id === direct ? null : idOrKey };
}

/** Where merges lead from an id, one after the other: the first report that is listed, else the last that is held. */
function survivorOf(db: Database, first: number): HeldReport | null {
  const seen = new Set<number>();
  let found: HeldReport | null = null;
  for (let id = first; id !== 0 && !seen.has(id) && found?.state !== listed; ) {
    seen.add(id);
    found = heldReport(db, id) ?? found;
    id = db.number('SELECT survivor FROM id_aliases WHERE report_id = ?', id);
  }
  return found;
}

/**
 * Keys have no index of their own: their words are in the index of words, and few reports share them all. A key may
 * have gone over to another report: the one that is listed counts, then the newest.
 */
function idOfKey(db: Database, key: string): number | undefined {
  const match = reportsWith(key);
  if (match === null) return undefined;
  const rows = db.all(
    `SELECT r.report_id, r.body FROM report_text t CROSS JOIN reports r ON r.report_id = (t.${idOfDocumentSql})
     WHERE report_text MATCH ? ORDER BY r.state <> 0, t.rowid DESC`,
    match,
  );
  const found = rows.find(([id, body]) => decodeReport(Number(id), String(body)).report_key === key);
  return found && Number(found[0]);
}

/** The reports of a company, listed or gone, whose PDF has this published hash; by id. */
export function reportsOfPdf(db: Database, sha256: string, companyKey: string): HeldReport[] {
  const plain = (text: string | null) => text?.trim().toLowerCase();
  return db
    .all(`SELECT ${heldColumns} FROM reports r WHERE r.hash = ? ORDER BY 1`, plain(sha256)?.slice(0, hashPrefix) ?? '')
    .map(readHeld)
    .filter(({ report_id, body }) => {
      const { content_sha256, company_key } = decodeReport(report_id, body);
      return plain(content_sha256) === plain(sha256) && company_key === companyKey;
    });
}

function stored(held: HeldReport): StoredReport {
  return {
    report: decodeReport(held.report_id, held.body),
    state: reportStates[held.state] ?? 'listed',
    fiscal_year: held.fy === 0 ? null : held.fy,
    askedFor: null,
  };
}

export function writeReport(db: Database, report: WrittenReport, stamp: number | null): void {
  const { report_id, company, fy, type, lang, level, flags, title, published, pages, filesize, hash, body } = report;
  db.run(
    `INSERT OR REPLACE INTO reports(report_id, company, fy, type, class, lang, level, flags,
       title, published, pages, filesize, hash, body, state, changed)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)`,
    ...[report_id, company, fy, type, report.class, lang, level, flags],
    ...[title, published, pages, filesize, hash, body, stamp],
  );
}

export function setState(db: Database, reportId: number, state: number, stamp: number | null): void {
  db.run('UPDATE reports SET state = ?, changed = ? WHERE report_id = ?', state, stamp, reportId);
}

/** Notes that an id leads to another report since a merge (RID-1). */
export function aliasId(db: Database, old: number, survivor: number): void {
  db.run('INSERT OR REPLACE INTO id_aliases(report_id, survivor) VALUES (?, ?)', old, survivor);
}

/** The former keys of these reports (RID-2), each with the report that it leads to. */
export function formerKeys(db: Database, reportIds: readonly number[]): FormerKey[] {
  const sql = 'SELECT report_key, report_id FROM key_aliases WHERE report_id IN (SELECT value FROM json_each(?))';
  return db
    .all(sql, JSON.stringify(reportIds))
    .map(([report_key, report_id]) => ({ report_key: String(report_key), report_id: Number(report_id) }));
}

/** Notes that a key leads to a report since a rename (RID-2). */
export function aliasKey(db: Database, key: string, reportId: number): void {
  db.run('INSERT OR REPLACE INTO key_aliases(report_key, report_id) VALUES (?, ?)', key, reportId);
}

/** The stamp of a withdrawal that came before its report; null when there was none. */
export function tombstone(db: Database, reportId: number): number | null {
  const row = db.get('SELECT changed FROM tombstones WHERE report_id = ?', reportId);
  return row ? Number(row[0]) : null;
}

/** Keeps a withdrawal, so that an older upsert that arrives late does not bring the report in. */
export function bury(db: Database, reportId: number, stamp: number): void {
  const kept = Math.max(stamp, tombstone(db, reportId) ?? stamp);
  db.run('INSERT OR REPLACE INTO tombstones(report_id, changed) VALUES (?, ?)', reportId, kept);
}

/** Marks a report as brought by the present walk. */
export function markReport(db: Database, reportId: number): void {
  db.run('INSERT OR IGNORE INTO marks(report_id) VALUES (?)', reportId);
}
