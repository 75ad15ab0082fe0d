import { type ChangeKind, changeKinds, type LoggedChange, type Unseen } from '../store.ts';
import type { Connection } from './connection.ts';
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

/** The log behind "What's New" and the marker of what has been seen. */
export class ChangeTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  add(kind: ChangeKind, reportId: number, at: number, fields: readonly string[]): void {
    const id = this.#connection.run(
      'INSERT INTO changes(at, kind, report_id, fields) VALUES (?, ?, ?, ?)',
      at,
      changeKinds.indexOf(kind),
      reportId,
      fields.length === 0 ? null : fields.join(' '),
    );
    if (id % 500 === 0) this.#connection.run('DELETE FROM changes WHERE seq <= ?', id - maxLog);
  }

  list(before: number | undefined, limit: number): LoggedChange[] {
    const rows = this.#connection.all(
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

  /** Counts what {@link list} gives beyond the marker: a report that had to be loaded anew may be gone for good. */
  unseen(reportIds: readonly number[]): Unseen {
    const seen = this.#seen();
    const unseenSql = 'SELECT count(*) FROM changes c JOIN reports r ON r.report_id = c.report_id WHERE c.seq > ?';
    return {
      all: this.#connection.number(unseenSql, seen),
      mine: this.#connection.number(
        `${unseenSql} AND c.report_id IN (SELECT value FROM json_each(?))`,
        seen,
        JSON.stringify(reportIds),
      ),
    };
  }

  /** Moves the marker to the end; true when it moved. */
  markSeen(): boolean {
    const last = this.#connection.number('SELECT max(seq) FROM changes');
    if (last <= this.#seen()) return false;
    this.#connection.run('INSERT OR REPLACE INTO meta(name, value) VALUES (?, ?)', seenName, String(last));
    return true;
  }

  #seen(): number {
    return this.#connection.number('SELECT value FROM meta WHERE name = ?', seenName);
  }
}
