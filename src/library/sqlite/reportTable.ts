import type { StoredReport } from '../store.ts';
import type { Connection, Row } from './connection.ts';
import { decodeReport, type FilterColumns, reportStates } from './reportRow.ts';
import { idOfDocumentSql, type SearchText } from './searchText.ts';

/** A report in the table. */
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

/** What is written of a report besides its state and stamp. */
export interface WrittenReport extends FilterColumns {
  readonly report_id: number;
  readonly company: number;
  readonly body: string;
}

/** The place of `listed` in `reportStates`. */
export const listed = 0;

const heldColumns = 'r.report_id, r.company, r.fy, r.state, r.changed, r.body';

function readHeld(row: Row): HeldReport {
  return {
    report_id: Number(row[0]),
    company: Number(row[1]),
    fy: Number(row[2]),
    state: Number(row[3]),
    changed: row[4] === null ? null : Number(row[4]),
    body: String(row[5]),
  };
}

/** Rows of the table `reports`, and the ids and keys that lead to them. */
export class ReportTable {
  readonly #connection: Connection;
  readonly #search: SearchText;

  constructor(connection: Connection, search: SearchText) {
    this.#connection = connection;
    this.#search = search;
  }

  read(reportId: number): HeldReport | null {
    const row = this.#connection.get(`SELECT ${heldColumns} FROM reports r WHERE r.report_id = ?`, reportId);
    return row ? readHeld(row) : null;
  }

  /** Those of the given ids that are held, in the order given. */
  readAll(reportIds: readonly number[]): HeldReport[] {
    return this.#connection
      .all(
        `SELECT ${heldColumns} FROM json_each(?) ids CROSS JOIN reports r ON r.report_id = ids.value`,
        JSON.stringify(reportIds),
      )
      .map(readHeld);
  }

  /** The next listed reports after an id, in the order of ids. */
  listedAfter(reportId: number, limit: number): HeldReport[] {
    return this.#connection
      .all(
        `SELECT ${heldColumns} FROM reports r WHERE r.report_id > ? AND r.state = 0 ORDER BY r.report_id LIMIT ?`,
        reportId,
        limit,
      )
      .map(readHeld);
  }

  /** The whole report that goes, or went, by an id or key (RID-1, RID-2); one that is still served before one that is gone. */
  stored(idOrKey: number | string): StoredReport | null {
    const direct = typeof idOrKey === 'number' ? idOrKey : this.#readByKey(idOrKey)?.report_id;
    const first = direct ?? this.#connection.number('SELECT report_id FROM key_aliases WHERE report_key = ?', idOrKey);
    const held = this.#survivorOf(first);
    return held && { ...storedReport(held), askedFor: held.report_id === direct ? null : idOrKey };
  }

  /** Where merges lead from an id, one after the other: the first report that is listed, else the last that is held. */
  #survivorOf(first: number): HeldReport | null {
    const seen = new Set<number>();
    let found: HeldReport | null = null;
    for (let id = first; id !== 0 && !seen.has(id) && found?.state !== listed; ) {
      seen.add(id);
      found = this.read(id) ?? found;
      id = this.#connection.number('SELECT survivor FROM id_aliases WHERE report_id = ?', id);
    }
    return found;
  }

  /** Writes a report, which is listed from now on. */
  write(report: WrittenReport, stamp: number | null): void {
    const { report_id, company, fy, type, lang, level, flags, body } = report;
    this.#connection.run(
      `INSERT OR REPLACE INTO reports(report_id, company, fy, type, class, lang, level, flags, body, state, changed)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, ?)`,
      ...[report_id, company, fy, type, report.class, lang, level, flags, body, stamp],
    );
  }

  setState(reportId: number, state: number, stamp: number | null): void {
    this.#connection.run('UPDATE reports SET state = ?, changed = ? WHERE report_id = ?', state, stamp, reportId);
  }

  /** Notes that an id leads to another report since a merge (RID-1). */
  aliasId(old: number, survivor: number): void {
    this.#connection.run(
      'INSERT INTO id_aliases(report_id, survivor) VALUES (?, ?) ON CONFLICT DO UPDATE SET survivor = excluded.survivor',
      old,
      survivor,
    );
  }

  /** Notes that a key leads to a report since a rename (RID-2). */
  aliasKey(key: string, reportId: number): void {
    this.#connection.run(
      'INSERT INTO key_aliases(report_key, report_id) VALUES (?, ?) ON CONFLICT DO UPDATE SET report_id = excluded.report_id',
      key,
      reportId,
    );
  }

  /** The stamp of a withdrawal that came before its report; null when there was none. */
  tombstone(reportId: number): number | null {
    const row = this.#connection.get('SELECT changed FROM tombstones WHERE report_id = ?', reportId);
    return row ? Number(row[0]) : null;
  }

  /** Keeps a withdrawal, so that an older upsert that arrives late does not bring the report in. */
  bury(reportId: number, stamp: number): void {
    this.#connection.run(
      `INSERT INTO tombstones(report_id, changed) VALUES (?, ?)
       ON CONFLICT DO UPDATE SET changed = max(changed, excluded.changed)`,
      reportId,
      stamp,
    );
  }

  unbury(reportId: number): void {
    this.#connection.run('DELETE FROM tombstones WHERE report_id = ?', reportId);
  }

  /** Marks a report as brought by the present walk. */
  mark(reportId: number): void {
    this.#connection.run('INSERT OR IGNORE INTO marks(report_id) VALUES (?)', reportId);
  }

  /**
   * Keys have no index of their own: their words are in the index of words, and few reports share them all. A key may
   * have gone over to another report: the one that is listed counts, then the newest.
   */
  #readByKey(key: string): HeldReport | null {
    const match = this.#search.reportsWith(key);
    if (match === null) return null;
    const rows = this.#connection.all(
      `SELECT ${heldColumns} FROM report_text t CROSS JOIN reports r ON r.report_id = (t.${idOfDocumentSql})
       WHERE report_text MATCH ? ORDER BY r.state <> 0, t.rowid DESC`,
      match,
    );
    const found = rows.find((row) => decodeReport(0, String(row[5])).report_key === key);
    return found ? readHeld(found) : null;
  }
}

/** A report as it is given out. */
export function storedReport(held: HeldReport): StoredReport {
  return {
    report: decodeReport(held.report_id, held.body),
    state: reportStates[held.state] ?? 'listed',
    fiscal_year: held.fy === 0 ? null : held.fy,
    askedFor: null,
  };
}
