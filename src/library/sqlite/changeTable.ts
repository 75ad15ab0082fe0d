import { type ChangeKind, changeKinds, type LoggedChange, type Unseen } from '../changeLog.ts';
import type { Connection } from './connection.ts';
import type { MetaTable } from './metaTable.ts';
import type { ReportTable } from './reportTable.ts';
import { readReportRow, reportColumns } from './reportTable.ts';

/** Older entries are forgotten. */
const longestLog = 20_000;
const seenName = 'changes.seen';

/** The log behind "What's New" and the marker of what has been seen. */
export class ChangeTable {
  readonly #connection: Connection;
  readonly #meta: MetaTable;
  readonly #reports: ReportTable;

  constructor(connection: Connection, meta: MetaTable, reports: ReportTable) {
    this.#connection = connection;
    this.#meta = meta;
    this.#reports = reports;
  }

  add(kind: ChangeKind, reportId: number, at: number, fields: readonly string[]): void {
    const { id } = this.#connection.run(
      'INSERT INTO changes(at, kind, report_id, fields) VALUES (?, ?, ?, ?)',
      at,
      changeKinds.indexOf(kind),
      reportId,
      fields.length === 0 ? null : fields.join(' '),
    );
    if (id % 500 === 0) this.#connection.run('DELETE FROM changes WHERE seq <= ?', id - longestLog);
  }

  list(before: number | undefined, limit: number): LoggedChange[] {
    const rows = this.#connection.all(
      `SELECT c.seq, c.at, c.kind, c.fields, ${reportColumns} FROM changes c
       JOIN reports r ON r.report_id = c.report_id JOIN facts f ON f.id = r.facts
       WHERE c.seq < ? ORDER BY c.seq DESC LIMIT ?`,
      before ?? Number.MAX_SAFE_INTEGER,
      limit,
    );
    return rows.map((row) => {
      const held = readReportRow(row.slice(4));
      const report = this.#reports.unpack(held);
      return {
        seq: Number(row[0]),
        at: Number(row[1]),
        kind: changeKinds[Number(row[2])] ?? 'metadata',
        fields: row[3] === null ? [] : String(row[3]).split(' '),
        report_id: report.report_id,
        report_key: report.report_key,
        company_key: report.company_key,
        company_name: report.company_name,
        title: report.report_title,
        fiscal_year: held.fy === 0 ? null : held.fy,
        type: report.report_type,
      };
    });
  }

  unseen(reportIds: readonly number[]): Unseen {
    const seen = this.#seen();
    return {
      all: this.#connection.number('SELECT count(*) FROM changes WHERE seq > ?', seen),
      mine: this.#connection.number(
        'SELECT count(*) FROM changes WHERE seq > ? AND report_id IN (SELECT value FROM json_each(?))',
        seen,
        JSON.stringify(reportIds),
      ),
    };
  }

  /** Moves the marker to the end; true when it moved. */
  markSeen(): boolean {
    const last = this.#connection.number('SELECT max(seq) FROM changes');
    if (last <= this.#seen()) return false;
    this.#meta.write(seenName, last);
    return true;
  }

  #seen(): number {
    return Number(this.#meta.read(seenName) ?? 0);
  }
}
