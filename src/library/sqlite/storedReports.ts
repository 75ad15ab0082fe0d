import type { StoredReport } from '../store.ts';
import type { Connection } from './connection.ts';
import type { ReportQueries } from './reportQueries.ts';
import { type HeldReport, type ReportTable, reportStates } from './reportTable.ts';

interface Parts {
  readonly connection: Connection;
  readonly reports: ReportTable;
  readonly queries: ReportQueries;
}

/** Whole reports, by the ids and keys that they have or had. */
export class StoredReports {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  one(idOrKey: number | string): StoredReport | null {
    const direct = typeof idOrKey === 'number' ? this.#stored(idOrKey) : this.#storedByKey(idOrKey);
    if (direct) return direct;
    const { connection } = this.#parts;
    const row =
      typeof idOrKey === 'number'
        ? connection.get('SELECT survivor FROM id_aliases WHERE report_id = ?', idOrKey)
        : connection.get('SELECT report_id FROM key_aliases WHERE report_key = ?', idOrKey);
    const held = row ? this.#stored(Number(row[0])) : null;
    return held ? { ...held, askedFor: idOrKey } : null;
  }

  /** In the order given; ids that are not held are left out. */
  all(reportIds: readonly number[]): StoredReport[] {
    return this.#parts.reports.readAll(reportIds).map((held) => this.#given(held));
  }

  #stored(id: number): StoredReport | null {
    const held = this.#parts.reports.read(id);
    return held && this.#given(held);
  }

  #given(held: HeldReport): StoredReport {
    return {
      report: this.#parts.reports.unpack(held),
      state: reportStates[held.state] ?? 'listed',
      fiscal_year: held.fy === 0 ? null : held.fy,
      askedFor: null,
    };
  }

  /** Keys have no index of their own: their words are in the index of words, and few reports share them all. */
  #storedByKey(key: string): StoredReport | null {
    if (key.trim() === '') return null;
    for (const id of this.#parts.queries.ids({ text: key, state: 'all' })) {
      const held = this.#stored(id);
      if (held?.report.report_key === key) return held;
    }
    return null;
  }
}
