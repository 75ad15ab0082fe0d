import type { Report } from '../../api/schemas/report.ts';
import { pack } from '../packing/pack.ts';
import type { PackedReport } from '../packing/packedReport.ts';
import { SharedFacts } from '../packing/sharedFacts.ts';
import { unpack, unpackForList } from '../packing/unpack.ts';
import { type LastFacts, unpackSummary } from '../packing/unpackSummary.ts';
import type { ReportState, ReportSummary } from '../reportQuery.ts';
import type { Connection, Row } from './connection.ts';
import type { WordTable } from './wordTable.ts';

/** States by the number they are stored as. */
export const reportStates: readonly ReportState[] = ['listed', 'withdrawn', 'removed'];

/** A row of the table, with the facts it refers to. */
export interface HeldReport extends PackedReport {
  readonly company: number;
  readonly factsId: number;
  readonly state: number;
  /** Stamp of the last change from the feed, or null. */
  readonly changed: number | null;
}

/** Columns of a report in the order that {@link readReportRow} takes them, for a query that joins `facts AS f`. */
export const reportColumns =
  'r.report_id, r.company, r.facts, r.fy, r.type, r.class, r.lang, r.level, r.flags, r.state, r.changed, r.sha, r.hash, r.body, r.extra, f.json';

export function readReportRow(row: Row): HeldReport {
  return {
    report_id: Number(row[0]),
    company: Number(row[1]),
    factsId: Number(row[2]),
    fy: Number(row[3]),
    type: Number(row[4]),
    class: Number(row[5]),
    lang: Number(row[6]),
    level: Number(row[7]),
    flags: Number(row[8]),
    state: Number(row[9]),
    changed: row[10] === null ? null : Number(row[10]),
    sha: (row[11] ?? null) as Uint8Array | null,
    hash: (row[12] ?? null) as Uint8Array | null,
    body: String(row[13]),
    extra: row[14] === null ? null : String(row[14]),
    facts: String(row[15]),
  };
}

/** Rows of the table `reports`. */
export class ReportTable {
  readonly #connection: Connection;
  readonly #words: WordTable;
  readonly #facts = new SharedFacts();

  constructor(connection: Connection, words: WordTable) {
    this.#connection = connection;
    this.#words = words;
  }

  read(reportId: number): HeldReport | null {
    const row = this.#connection.get(
      `SELECT ${reportColumns} FROM reports r JOIN facts f ON f.id = r.facts WHERE r.report_id = ?`,
      reportId,
    );
    return row ? readReportRow(row) : null;
  }

  pack(report: Report): PackedReport {
    return pack(report, this.#words, this.#facts);
  }

  unpack(packed: PackedReport): Report {
    return unpack(packed, this.#words);
  }

  /** Those of the given ids that are held, in the order given. */
  readAll(reportIds: readonly number[]): HeldReport[] {
    return this.#connection
      .all(
        `SELECT ${reportColumns} FROM json_each(?) ids CROSS JOIN reports r ON r.report_id = ids.value
         CROSS JOIN facts f ON f.id = r.facts`,
        JSON.stringify(reportIds),
      )
      .map(readReportRow);
  }

  /** What a list shows of those of the given ids that are held, in the order given. */
  summaries(reportIds: readonly number[]): ReportSummary[] {
    const last: LastFacts = { json: '', facts: [] };
    return this.readAll(reportIds).map((held) =>
      unpackSummary(held, reportStates[held.state] ?? 'listed', this.#words, last),
    );
  }

  /** The next listed reports after an id, in the order of ids; what a list needs of them. */
  listedAfter(reportId: number, limit: number): Report[] {
    return this.#connection
      .all(
        `SELECT ${reportColumns} FROM reports r CROSS JOIN facts f ON f.id = r.facts
         WHERE r.report_id > ? AND r.state = 0 ORDER BY r.report_id LIMIT ?`,
        reportId,
        limit,
      )
      .map((row) => this.unpackForList(readReportRow(row)));
  }

  /** What a list needs of a report. */
  unpackForList(packed: PackedReport): Report {
    return unpackForList(packed, this.#words);
  }

  insert(packed: PackedReport, company: number, facts: number, state: number, changed: number | null): void {
    this.#connection.run(
      'INSERT INTO reports VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
      packed.report_id,
      company,
      facts,
      packed.fy,
      packed.type,
      packed.class,
      packed.lang,
      packed.level,
      packed.flags,
      state,
      changed,
      packed.sha,
      packed.hash,
      packed.body,
      packed.extra,
    );
  }

  update(packed: PackedReport, company: number, facts: number, state: number, changed: number | null): void {
    this.#connection.run(
      `UPDATE reports SET company = ?, facts = ?, fy = ?, type = ?, class = ?, lang = ?, level = ?, flags = ?, state = ?,
         changed = ?, sha = ?, hash = ?, body = ?, extra = ? WHERE report_id = ?`,
      company,
      facts,
      packed.fy,
      packed.type,
      packed.class,
      packed.lang,
      packed.level,
      packed.flags,
      state,
      changed,
      packed.sha,
      packed.hash,
      packed.body,
      packed.extra,
      packed.report_id,
    );
  }

  setState(reportId: number, state: number, changed: number | null): void {
    this.#connection.run('UPDATE reports SET state = ?, changed = ? WHERE report_id = ?', state, changed, reportId);
  }
}

/** Whether two packed reports hold the same, bit for bit. */
export function isSamePacked(a: PackedReport, b: PackedReport): boolean {
  return (
    a.body === b.body &&
    a.facts === b.facts &&
    a.extra === b.extra &&
    a.fy === b.fy &&
    a.type === b.type &&
    a.class === b.class &&
    a.lang === b.lang &&
    a.level === b.level &&
    a.flags === b.flags &&
    isSameBytes(a.sha, b.sha) &&
    isSameBytes(a.hash, b.hash)
  );
}

function isSameBytes(a: Uint8Array | null, b: Uint8Array | null): boolean {
  return a === b || (a !== null && b !== null && Buffer.compare(a, b) === 0);
}
