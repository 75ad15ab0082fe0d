import type { CoverageMatrix } from '../companyQuery.ts';
import type { LibraryChange } from '../libraryChange.ts';
import type { CompanyTable } from './companyTable.ts';
import type { Connection } from './connection.ts';

interface Built {
  readonly companies: readonly { readonly company_key: string; readonly name: string | null }[];
  readonly years: readonly number[];
  readonly counts: Uint16Array;
}

/** The whole coverage matrix, built on first need, kept while nothing changes, patched where little does. */
export class CoverageCache {
  readonly #connection: Connection;
  readonly #companies: CompanyTable;
  #built: Built | null = null;
  readonly #stale = new Set<string>();

  constructor(connection: Connection, companies: CompanyTable) {
    this.#connection = connection;
    this.#companies = companies;
    connection.onRollback(() => this.forget());
  }

  forget(): void {
    this.#built = null;
    this.#stale.clear();
  }

  /** To be told of every write, own or another window's. */
  note(change: LibraryChange): void {
    if (!this.#built) return;
    if (change.companies === 'many' || change.renamed.length > 0) this.forget();
    else for (const key of change.companies) this.#stale.add(key);
  }

  /** A copy, fit to be handed over. */
  all(): CoverageMatrix {
    if (this.#built && this.#stale.size > 0) this.#patch(this.#built);
    this.#built ??= this.#build();
    this.#stale.clear();
    return { ...this.#built, counts: this.#built.counts.slice() };
  }

  of(keys: readonly string[]): CoverageMatrix {
    const ids = keys.map((key) => this.#companies.find(key));
    const asked = JSON.stringify(ids.filter((id) => id !== null));
    const names = new Map(
      this.#connection
        .all('SELECT id, name FROM companies WHERE id IN (SELECT value FROM json_each(?))', asked)
        .map(([id, name]) => [Number(id), name === null ? null : String(name)] as const),
    );
    const cells = this.#connection.all(
      'SELECT company, fy, listed FROM years WHERE listed > 0 AND company IN (SELECT value FROM json_each(?))',
      asked,
    );
    const years = [...new Set(cells.map(([, fy]) => Number(fy)))].sort((a, b) => a - b);
    const column = new Map(years.map((fy, index) => [fy, index]));
    const counts = new Uint16Array(keys.length * years.length);
    for (const [company, fy, listed] of cells) {
      const at = column.get(Number(fy)) ?? 0;
      ids.forEach((id, row) => {
        if (id === company) counts[row * years.length + at] = Number(listed);
      });
    }
    const companies = keys.map((company_key, row) => ({ company_key, name: names.get(ids[row] ?? -1) ?? null }));
    return { companies, years, counts };
  }

  #build(): Built {
    const connection = this.#connection;
    const rows = connection.all(
      'SELECT id, company_key, name FROM companies WHERE watched > 0 OR listed > 0 OR gone > 0 ORDER BY sort_name, id',
    );
    const years = connection
      .all('SELECT DISTINCT fy FROM years WHERE listed > 0 ORDER BY fy')
      .map(([fy]) => Number(fy));
    const column = new Map(years.map((fy, index) => [fy, index]));
    const line = new Map(rows.map((row, index) => [Number(row[0]), index]));
    const counts = new Uint16Array(rows.length * years.length);
    for (const [company, fy, listed] of connection.all('SELECT company, fy, listed FROM years WHERE listed > 0')) {
      const at = line.get(Number(company));
      const year = column.get(Number(fy));
      if (at !== undefined && year !== undefined) counts[at * years.length + year] = Number(listed);
    }
    return {
      companies: rows.map((row) => ({ company_key: String(row[1]), name: row[2] === null ? null : String(row[2]) })),
      years,
      counts,
    };
  }

  /** Reads the rows of changed companies again; a company or year that was not there asks for a new matrix. */
  #patch(built: Built): void {
    const lines = new Map(built.companies.map(({ company_key }, index) => [company_key, index]));
    for (const key of this.#stale) {
      const line = lines.get(key);
      const id = this.#companies.find(key);
      const held = id === null ? null : this.#companies.read(id);
      const row = id === null ? [] : this.#yearsOf(id);
      const fits = row.every(([fy]) => built.years.includes(fy));
      if (line === undefined || !held || held.company_name !== built.companies[line]?.name || !fits) {
        this.forget();
        return;
      }
      built.counts.fill(0, line * built.years.length, (line + 1) * built.years.length);
      for (const [fy, listed] of row) built.counts[line * built.years.length + built.years.indexOf(fy)] = listed;
    }
  }

  #yearsOf(company: number): (readonly [number, number])[] {
    return this.#connection
      .all('SELECT fy, listed FROM years WHERE company = ? AND listed > 0', company)
      .map(([fy, listed]) => [Number(fy), Number(listed)] as const);
  }
}
