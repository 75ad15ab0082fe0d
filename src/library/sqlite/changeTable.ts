import { type ChangeKind, changeKinds, type LoggedChange, type Unseen } from '../store.ts';
import type { Database } from './openDatabase.ts';
import { summaryOf, summarySql } from './reportRow.ts';

const maxLog = 20_000;
const seenName = 'changes.seen';

/** What an update changed; stored as JSON. */
export type ChangeDetails = Pick<LoggedChange, 'fields' | 'renamed'>;

export function logChange(db: Database, kind: ChangeKind, reportId: number, at: number, details: ChangeDetails | null) {
  const sql = 'INSERT INTO changes(at, kind, report_id, details) VALUES (?, ?, ?, ?)';
  const id = db.run(sql, at, changeKinds.indexOf(kind), reportId, details && JSON.stringify(details));
  if (id % 500 === 0) db.run('DELETE FROM changes WHERE seq <= ?', id - maxLog);
}

/** Newest first, after a `seq` that an earlier page ended with. */
export function loggedChanges(
  db: Database,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
): LoggedChange[] {
  const rows = db.all(
    `SELECT c.seq, c.at, c.kind, c.details, ${summarySql} FROM changes c CROSS JOIN reports r ON r.report_id = c.report_id
     CROSS JOIN bodies b ON b.report_id = r.report_id WHERE c.seq < ? ORDER BY c.seq DESC LIMIT ?`,
    before ?? Number.MAX_SAFE_INTEGER,
    limit,
  );
  return rows.map(([seq, at, kind, details, ...report]) => ({
    ...summaryOf(report),
    seq: Number(seq),
    at: Number(at),
    kind: changeKinds[Number(kind)] ?? 'metadata',
    ...(details === null ? { fields: [], renamed: null } : (JSON.parse(String(details)) as ChangeDetails)),
  }));
}

/** Counts {@link loggedChanges} beyond the marker: a report that had to be loaded again may be gone for good. */
export function unseenChanges(db: Database, reportIds: readonly number[]): Unseen {
  const seen = db.kept(seenName);
  const sql = 'SELECT count(*) FROM changes c JOIN reports r ON r.report_id = c.report_id WHERE c.seq > ?';
  const mineSql = `${sql} AND c.report_id IN (SELECT value FROM json_each(?))`;
  return { all: db.number(sql, seen), mine: db.number(mineSql, seen, JSON.stringify(reportIds)) };
}

export function markAllSeen(db: Database): boolean {
  const last = db.number('SELECT max(seq) FROM changes');
  if (last <= db.kept(seenName)) return false;
  db.keep(seenName, last);
  return true;
}
