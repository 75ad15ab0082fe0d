import type { Connection } from './connection.ts';

/** Counts of reports per company and fiscal year, kept rather than computed; gathered over a transaction. */
export class YearTally {
  readonly #connection: Connection;
  readonly #pending = new Map<number, Map<number, { listed: number; gone: number }>>();

  constructor(connection: Connection) {
    this.#connection = connection;
    connection.onRollback(() => this.#pending.clear());
  }

  /** Notes that a company has so many reports more or less in a fiscal year. */
  note(company: number, fy: number, kind: 'listed' | 'gone', by: 1 | -1): void {
    let years = this.#pending.get(company);
    if (!years) {
      years = new Map();
      this.#pending.set(company, years);
    }
    let year = years.get(fy);
    if (!year) {
      year = { listed: 0, gone: 0 };
      years.set(fy, year);
    }
    year[kind] += by;
  }

  /** Writes what was noted. To be called before a transaction ends, and before companies are merged. */
  flush(): void {
    const connection = this.#connection;
    for (const [company, years] of this.#pending) {
      let moved = false;
      for (const [fy, { listed, gone }] of years) {
        if (listed === 0 && gone === 0) continue;
        moved = true;
        connection.run(
          `INSERT INTO years(company, fy, listed, gone) VALUES (?, ?, ?, ?)
           ON CONFLICT(company, fy) DO UPDATE SET listed = listed + excluded.listed, gone = gone + excluded.gone`,
          company,
          fy,
          listed,
          gone,
        );
        if (listed < 0 || gone < 0) {
          connection.run('DELETE FROM years WHERE company = ? AND fy = ? AND listed = 0 AND gone = 0', company, fy);
        }
      }
      if (moved) this.total(company);
    }
    this.#pending.clear();
  }

  /** Brings a company's totals in line with its years. */
  total(company: number): void {
    this.#connection.run(
      `UPDATE companies SET (listed, gone, newest) = (
         SELECT ifnull(sum(listed), 0), ifnull(sum(gone), 0), ifnull(max(iif(listed > 0, fy, 0)), 0)
         FROM years WHERE company = ?1) WHERE id = ?1`,
      company,
    );
  }
}
