import { statesTwoYears } from '../../api/schemas/reportTypes.ts';
import { CoverageBuilder, type CoverageMatrix, type CoveredCompanies, yearColumns } from '../coverage.ts';
import type { LibraryChange } from '../libraryChange.ts';
import type { ReportQuery } from '../reportQuery.ts';
import type { CompanyTable } from './companyTable.ts';
import type { Connection, Row } from './connection.ts';
import { KeptOfCompanies } from './keptOfCompanies.ts';
import { eachNumber } from './numberList.ts';
import { coverageColumns, type ReportQueries } from './reportQueries.ts';
import type { WordTable } from './wordTable.ts';

interface Parts {
  readonly connection: Connection;
  readonly companies: CompanyTable;
  readonly words: WordTable;
  readonly reports: ReportQueries;
}

/** By company, its reports as {@link placesSql} gives them. */
type Places = ReadonlyMap<number, readonly number[]>;

interface Built extends CoveredCompanies {
  readonly ids: readonly number[];
  /** Rows by company. */
  readonly lines: ReadonlyMap<number, number>;
  readonly cells: CoverageBuilder;
}

type Described = Omit<Built, 'cells' | 'lines'>;

const shown = 'watched > 0 OR listed > 0 OR gone > 0';
const splitSql = `SELECT company, fy, type, state, json_extract(extra, '$.typed.report_fcyear')
  FROM reports INDEXED BY reports_by_split WHERE instr(extra, '"report_fcyear"') > 0`;
const splitOfSomeSql = `${splitSql} AND company IN (SELECT value FROM json_each(?))`;
/**
 * The reports of each company in one text, two numbers a report: its fiscal year, and its type times sixteen, state times
 * four, and answer to `has_file` in one. A row for each report would take several times as long.
 */
const placesSql = `SELECT ids.value, (
    SELECT group_concat(r.fy || ' ' || (r.type * 16 + r.state * 4 + (r.flags & 3)))
    FROM reports r INDEXED BY reports_by_company WHERE r.company = ids.value
  ) FROM json_each(?) ids`;
/** Up to so many companies are asked for one by one. */
const fewCompanies = 1000;

/**
 * Coverage matrices: the whole one is built on first need, kept while nothing changes, patched where little does. It holds
 * ten bytes for each year of a company and its names: with 25,000 companies and 25 years some 12 MB.
 */
export class CoverageCache {
  readonly #parts: Parts;
  readonly #kept: KeptOfCompanies<Built>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#kept = new KeptOfCompanies(parts.connection);
  }

  /** To be told of every write, own or another window's. */
  note(change: LibraryChange): void {
    this.#kept.note(change);
  }

  /** A copy, fit to be handed over. */
  all(): CoverageMatrix {
    const built =
      this.#present() ??
      this.#kept.keep(
        this.#build(
          this.#companies(`SELECT id, company_key, name, country FROM companies WHERE ${shown} ORDER BY sort_name, id`),
          this.#parts.reports.coverage({ state: 'all' }),
        ),
      );
    const { cells, keys, names, countries } = built;
    return { keys, names, countries, years: cells.years, counts: cells.counts.slice(), marks: cells.marks.slice() };
  }

  /** Of some companies, in the order of their keys; a key that is not held has an empty row. */
  of(keys: readonly string[]): CoverageMatrix {
    const ids = keys.map((key) => this.#parts.companies.find(key) ?? -1);
    const built = this.#present();
    const isKept = built && ids.every((id) => id === -1 || built.lines.has(id));
    return isKept ? rowsOf(built, keys, ids) : this.#ofFile(keys, ids);
  }

  #ofFile(keys: readonly string[], ids: readonly number[]): CoverageMatrix {
    const known = this.#described(ids);
    const places = this.#placesOf(known.keys());
    const placed = ids.map((id) => known.get(id));
    const companies = {
      ids,
      keys,
      names: placed.map((row) => text(row?.[2])),
      countries: placed.map((row) => text(row?.[3])),
    };
    const cells = new CoverageBuilder(ids.length, yearColumns(yearsOf(places)));
    this.#place(cells, linesOf(ids), places);
    return handedOver({ ...companies, cells });
  }

  /** The whole matrix as it is now; null when it has not been built, or must be built anew. */
  #present(): Built | null {
    return this.#kept.present((built, stale) => this.#patch(built, stale));
  }

  /** Of the companies that have a report which a query finds. */
  found(query: ReportQuery): CoverageMatrix {
    const rows = this.#parts.reports.coverage({ ...query, state: query.state ?? 'all' });
    const ids = new Set<number>();
    for (const row of rows) eachNumber(row[coverageColumns.members], (member) => ids.add(Math.floor(member / 4)));
    const companies = this.#companies(
      'SELECT id, company_key, name, country FROM companies WHERE id IN (SELECT value FROM json_each(?)) ORDER BY sort_name, id',
      JSON.stringify([...ids]),
    );
    return handedOver(this.#build(companies, rows));
  }

  #companies(sql: string, ...values: string[]): Described {
    const rows = this.#parts.connection.all(sql, ...values);
    return {
      ids: rows.map((row) => Number(row[0])),
      keys: rows.map((row) => String(row[1])),
      names: rows.map((row) => text(row[2])),
      countries: rows.map((row) => text(row[3])),
    };
  }

  #described(ids: readonly number[]): Map<number, Row> {
    const rows = this.#parts.connection.all(
      'SELECT id, company_key, name, country FROM companies WHERE id IN (SELECT value FROM json_each(?))',
      JSON.stringify(ids),
    );
    return new Map(rows.map((row) => [Number(row[0]), row]));
  }

  #build(companies: Described, rows: readonly Row[]): Built {
    const cells = new CoverageBuilder(companies.ids.length, yearColumns(rows.map(([fy]) => Number(fy))));
    const lines = linesOf(companies.ids);
    this.#fill(cells, lines, rows);
    return { ...companies, lines, cells };
  }

  #fill(cells: CoverageBuilder, lines: ReadonlyMap<number, number>, rows: readonly Row[]): void {
    const { words } = this.#parts;
    const { stride } = cells;
    for (const row of rows) {
      const at = cells.offset(Number(row[0]), words.text(Number(row[1])));
      if (at === undefined) continue;
      const listed = Number(row[2]) === 0;
      eachNumber(row[coverageColumns.members], (member) => {
        const line = lines.get(Math.floor(member / 4));
        // The two low bits are the answer to `has_file`; 2 is a plain no.
        if (line !== undefined) cells.add(at + line * stride, listed, member % 4 !== 2);
      });
    }
    this.#markSplit(cells, lines);
  }

  /** The reports of companies by their ids; see {@link placesSql}. */
  #placesOf(ids: Iterable<number>): Places {
    const rows = this.#parts.connection.all(placesSql, JSON.stringify([...ids]));
    return new Map(
      rows.map(([id, list]) => {
        const numbers: number[] = [];
        eachNumber(list, (number) => numbers.push(number));
        return [Number(id), numbers];
      }),
    );
  }

  #place(cells: CoverageBuilder, lines: ReadonlyMap<number, number>, places: Places): void {
    const { words } = this.#parts;
    for (const [id, numbers] of places) {
      const line = lines.get(id);
      if (line === undefined) continue;
      for (let index = 0; index < numbers.length; index += 2) {
        const code = numbers[index + 1] ?? 0;
        const at = cells.offset(numbers[index] ?? 0, words.text(Math.floor(code / 16)));
        if (at !== undefined) cells.add(at + line * cells.stride, (code & 12) === 0, (code & 3) !== 2);
      }
    }
    this.#markSplit(cells, lines);
  }

  #markSplit(cells: CoverageBuilder, lines: ReadonlyMap<number, number>): void {
    const { connection, words } = this.#parts;
    const { stride } = cells;
    const few = lines.size <= fewCompanies ? JSON.stringify([...lines.keys()]) : null;
    const split = few === null ? connection.all(splitSql) : connection.all(splitOfSomeSql, few);
    for (const [company, fy, type, state, fcyear] of split) {
      const line = lines.get(Number(company));
      const at = cells.offset(Number(fy), words.text(Number(type)));
      if (line === undefined || at === undefined || Number(state) !== 0) continue;
      // A query's rows may not hold this report: only what was counted is marked.
      const counted = (cells.counts[at + line * stride] ?? 0) > 0;
      if (counted && statesTwoYears(text(fcyear))) cells.split(at + line * stride);
    }
  }

  /** Reads the rows of changed companies again; false when a company or year that was not there asks for a new matrix. */
  #patch(built: Built, stale: readonly string[]): boolean {
    const ids = stale.map((key) => this.#parts.companies.find(key) ?? -1);
    const described = this.#described(ids);
    const changed = new Map<number, number>();
    for (const id of ids) {
      const line = built.lines.get(id);
      const row = described.get(id);
      if (line === undefined || !row || String(row[1]) !== built.keys[line]) return false;
      if (text(row[2]) !== built.names[line] || text(row[3]) !== built.countries[line]) return false;
      changed.set(id, line);
    }
    const places = this.#placesOf(changed.keys());
    for (const year of yearsOf(places)) if (!built.cells.has(year)) return false;
    for (const line of changed.values()) built.cells.clear(line);
    this.#place(built.cells, changed, places);
    return true;
  }
}

/** The fiscal years in which companies have reports. */
function yearsOf(places: Places): Set<number> {
  const years = new Set<number>();
  for (const numbers of places.values()) {
    for (let index = 0; index < numbers.length; index += 2) years.add(numbers[index] ?? 0);
  }
  return years;
}

/** Rows of the whole matrix, in the columns that a matrix of these companies alone would have. */
function rowsOf(
  { lines, cells, names, countries }: Built,
  keys: readonly string[],
  ids: readonly number[],
): CoverageMatrix {
  const placed = ids.map((id) => lines.get(id));
  const rows = placed.map((line) => (line === undefined ? null : cells.row(line)));
  const used = new Set<number>();
  for (const row of rows) for (const year of row?.years ?? []) used.add(year);
  const some = new CoverageBuilder(ids.length, yearColumns(used));
  for (const [line, row] of rows.entries()) if (row) some.copy(line, row);
  return handedOver({
    keys,
    names: placed.map((line) => (line === undefined ? null : (names[line] ?? null))),
    countries: placed.map((line) => (line === undefined ? null : (countries[line] ?? null))),
    cells: some,
  });
}

function linesOf(ids: readonly number[]): Map<number, number> {
  return new Map(ids.map((id, index) => [id, index]));
}

function handedOver({ cells, keys, names, countries }: Omit<Built, 'ids' | 'lines'>): CoverageMatrix {
  return { keys, names, countries, years: cells.years, counts: cells.counts, marks: cells.marks };
}

function text(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}
