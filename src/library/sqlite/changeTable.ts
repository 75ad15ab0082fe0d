import { type ChangeKind, changeKinds, type LoggedChange, type Unseen } from '../store.ts';
import type { Database } from './openDatabase.ts';
import { summaryOf } from './reportRow.ts';

/** Older entries are forgotten. */
const maxLog = 20_000;
const seenName = 'changes.seen';

const keyField = 'report_key';

/** How a change of the report key stands among the names of the fields that changed. */
export function renameField(from: string, to: string): string {
  return [keyField, from, to].map(encodeURIComponent).join(':');
}

function readFields(stored: unknown): Pick<LoggedChange, 'fields' | 'renamed'> {
  const fields = stored === null ? [] : String(stored).split(' ');
  const [, from, to] = (fields.find((name) => name.startsWith(`${keyField}:`)) ?? '')
    .split(':')
    .map(decodeURIComponent);
  return {
    fields: fields.map((name) => name.split(':', 1)[0] ?? ''),
    renamed: from !== undefined && to !== undefined ? { from, to } : null,
  };
}

export function logChange(db: Database, kind: ChangeKind, reportId: number, at: number, fields: readonly string[]) {
  const said = fields.length === 0 ? null : fields.join(' ');
  const sql = 'INSERT INTO changes(at, kind, report_id, fields) VALUES (?, ?, ?, ?)';
  const id = db.run(sql, at, changeKinds.indexOf(kind), reportId, said);
  if (id % 500 === 0) db.run('DELETE FROM changes WHERE seq <= ?', id - maxLog);
}

/** Newest first, after a `seq` that an earlier page ended with. */
export function loggedChanges(
  db: Database,
  { before, limit }: { readonly before?: number | undefined; readonly limit: number },
): LoggedChange[] {
  const rows = db.all(
    `SELECT c.seq, c.at, c.kind, c.fields, r.report_id, r.fy, r.state, r.body FROM changes c
     JOIN reports r ON r.report_id = c.report_id WHERE c.seq < ? ORDER BY c.seq DESC LIMIT ?`,
    before ?? Number.MAX_SAFE_INTEGER,
    limit,
  );
  return rows.map(([seq, at, kind, fields, ...report]) => ({
    ...summaryOf(report),
    seq: Number(seq),
    at: Number(at),
    kind: changeKinds[Number(kind)] ?? 'metadata',
    ...readFields(fields),
  }));
}

/** Counts {@link loggedChanges} beyond the marker: a report that had to be loaded anew may be gone for good. */
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
