import type { SqlRow } from '../../machine/sqliteFile.ts';
import type { FormerKey, StoredReport } from '../store.ts';
import type { Database } from './openDatabase.ts';
import { decodeReport, type filterColumns, reportStates } from './reportRow.ts';
import { documentSql, reportsWith } from './searchText.ts';

export interface HeldReport {
  readonly report_id: number;
  readonly company: number;
  /** 0 when undated. */
  readonly fy: number;
  /** An index of `reportStates`. */
  readonly state: number;
  /** Stamp of the last change from the feed, or null. */
  readonly changed: number | null;
  readonly body: string;
}

export const listed = 0;

const heldColumns = 'r.report_id, r.company, r.fy, r.state, r.changed, b.body';
const withBody = 'CROSS JOIN bodies b ON b.report_id = r.report_id';

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
  const row = db.get(`SELECT ${heldColumns} FROM reports r ${withBody} WHERE r.report_id = ?`, reportId);
  return row ? readHeld(row) : null;
}

/** Those of the given ids that are held, whole and in the order given. */
export function storedReports(db: Database, reportIds: readonly number[]): StoredReport[] {
  const sql = `SELECT ${heldColumns} FROM json_each(?) ids CROSS JOIN reports r ON r.report_id = ids.value ${withBody}`;
  return db.all(sql, JSON.stringify(reportIds)).map((row) => stored(readHeld(row)));
}

/** The whole report with an id or key, present or former (RID-1, RID-2); a listed one before one that is gone. */
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

/** Keys have no index: that of words finds them. A listed report comes first, then the newest. */
function idOfKey(db: Database, key: string): number | undefined {
  const match = reportsWith(key);
  if (match === null) return undefined;
  const rows = db.all(
    `SELECT r.report_id FROM report_text t CROSS JOIN reports r ON r.doc = t.rowid ${withBody}
     WHERE report_text MATCH ? AND b.body ->> 'report_key' = ? ORDER BY r.state <> 0, t.rowid DESC LIMIT 1`,
    ...[match, key],
  );
  return rows[0] && Number(rows[0][0]);
}

function stored(held: HeldReport): StoredReport {
  return {
    report: decodeReport(held.report_id, held.body),
    state: reportStates[held.state] ?? 'listed',
    fiscal_year: held.fy === 0 ? null : held.fy,
    askedFor: null,
  };
}

/** Writes a listed report, over an earlier version of it. */
export function writeReport(
  db: Database,
  report: Omit<HeldReport, 'state'>,
  columns: ReturnType<typeof filterColumns>,
): void {
  const { report_id, company, changed, body } = report;
  const row = { ...{ report_id, company }, ...columns, ...{ state: listed, changed } };
  db.run(
    `INSERT OR REPLACE INTO reports(doc, ${Object.keys(row).join(', ')})
     VALUES (${documentSql}, ${Object.keys(row).map(() => '?')})`,
    ...[columns.fy, report_id, ...Object.values(row)],
  );
  db.run('INSERT OR REPLACE INTO bodies(report_id, body) VALUES (?, ?)', report_id, body);
}

export function setState(db: Database, reportId: number, state: number, stamp: number | null): void {
  db.run('UPDATE reports SET state = ?, changed = ? WHERE report_id = ?', state, stamp, reportId);
}

/** Notes that an id leads to another report since a merge (RID-1). */
export function aliasId(db: Database, old: number, survivor: number): void {
  db.run('INSERT OR REPLACE INTO id_aliases(report_id, survivor) VALUES (?, ?)', old, survivor);
}

/** A gone report leads to a listed one of its company with the same PDF: they were merged (RID-1). */
export function followSamePdf(db: Database, reportId: number): void {
  const pdfOf = (body: string) => `lower(trim(${body} ->> 'content_sha256')) || ' ' || (${body} ->> 'company_key')`;
  const reports = db.all(
    `SELECT r.report_id, r.state FROM reports o CROSS JOIN bodies ob ON ob.report_id = o.report_id
     CROSS JOIN reports r ON r.hash = o.hash ${withBody}
     WHERE o.report_id = ? AND ${pdfOf('b.body')} = ${pdfOf('ob.body')} ORDER BY r.report_id`,
    reportId,
  );
  const survivor = reports.find(([, state]) => state === listed);
  if (!survivor) return;
  for (const [id, state] of reports) if (state !== listed) aliasId(db, Number(id), Number(survivor[0]));
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

export function markReport(db: Database, reportId: number): void {
  db.run('INSERT OR IGNORE INTO marks(report_id) VALUES (?)', reportId);
}
