import { isDeepStrictEqual } from 'node:util';
import type { Company } from '../../api/schemas/company.ts';
import type { Report } from '../../api/schemas/report.ts';
import type { SqlRow } from '../../machine/sqliteFile.ts';
import { type LibraryCompany, letterOf, sortName } from '../companyQuery.ts';
import type { Database } from './openDatabase.ts';
import { companyWords } from './searchText.ts';

/** What describes a company besides its key and the fields that the interface does not name. */
const identifiers = ['lei', 'figi', 'isin'] as const;
const described = [
  ...(['company_name', ...identifiers, 'ticker', 'mic', 'exchange', 'country', 'sector', 'industry'] as const),
  ...(['cik', 'fiscal_year_end_month'] as const),
] satisfies readonly (keyof Company)[];
type Described = (typeof described)[number];

/** The field of a report that says it; reports never state the last two. */
const reportFields = described.map((name) => [name, name === 'company_name' ? name : `company_${name}`] as const);

export function companyOf(report: Report): Company {
  const fields: Readonly<Record<string, unknown>> = { ...report };
  const values = reportFields.map(([name, field]) => [name, fields[field] ?? null]);
  return { company_key: report.company_key, ...(Object.fromEntries(values) as Pick<Company, Described>), other: {} };
}

type Named = Pick<Company, 'company_name' | (typeof identifiers)[number]>;

/** Whether two descriptions agree in the first of these that both state; null when they share none. */
function agree(a: Named, b: Named, names: readonly (keyof Named)[]): boolean | null {
  const name = names.find((name) => a[name] !== null && b[name] !== null);
  return name === undefined ? null : a[name] === b[name];
}

/** Whether two descriptions are of one company: a renamed company keeps its identifiers (COM-1). Names decide last. */
export function isSameCompany(a: Named, b: Named): boolean {
  return agree(a, b, [...identifiers, 'company_name']) ?? false;
}

/** How a new description combines with the held one. The watchlist knows a company better than its reports do. */
export type MergeRule = 'newer-wins' | 'fill-gaps' | 'replace';

/** Combines two descriptions of a company; returns the held one itself when nothing changes. */
export function mergeCompany<T extends Company>(held: T, incoming: Company, rule: MergeRule): T {
  const [first, second] = rule === 'fill-gaps' ? [held, incoming] : [incoming, held];
  const values = described.map((name) => {
    const isWhole = rule === 'replace' && name !== 'cik' && name !== 'fiscal_year_end_month';
    return [name, isWhole ? incoming[name] : (first[name] ?? second[name])];
  });
  const merged: T = { ...held, ...Object.fromEntries(values), other: (rule === 'newer-wins' ? incoming : held).other };
  return isDeepStrictEqual(merged, held) ? held : merged;
}

export type CompanyRow = LibraryCompany & { readonly id: number };

/** Columns of a company in the order that {@link readCompanyRow} takes them. */
export const companyColumns = `id, company_key, ${described.join(', ')}, other, watched, listed, gone, newest`;

const writtenColumns = [...described, 'sort_name', 'letter', 'words', 'other'];
const insertSql = `INSERT INTO companies(${writtenColumns.join(', ')}, company_key)
  VALUES (${writtenColumns.map(() => '?').join(', ')}, ?)`;
const describeSql = `UPDATE companies SET ${writtenColumns.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`;

/** What describes a company, in the order of the written columns. */
function valuesOf(company: Company): (string | number | null)[] {
  const name = sortName(company.company_name ?? company.company_key);
  return [
    ...described.map((field) => company[field]),
    ...[name, letterOf(name), companyWords(company)],
    Object.keys(company.other).length === 0 ? null : JSON.stringify(company.other),
  ];
}

/** A company's row; whatever is selected besides comes after these columns. */
export function readCompanyRow(row: SqlRow): CompanyRow {
  const [other, watched, listed, gone, newest] = row.slice(2 + described.length);
  const fields = Object.fromEntries(described.map((field, index) => [field, row[2 + index] ?? null]));
  return {
    ...(fields as Pick<Company, Described>),
    id: Number(row[0]),
    company_key: String(row[1]),
    other: other === null ? {} : JSON.parse(String(other)),
    watched: Number(watched) > 0,
    listed: Number(listed),
    gone: Number(gone),
    newest: Number(newest) > 0 ? Number(newest) : null,
  };
}

/** The company that goes, or went, by a key. */
export function findCompany(db: Database, key: string): number | null {
  const row =
    db.get('SELECT id FROM companies WHERE company_key = ?', key) ??
    db.get('SELECT company FROM company_aliases WHERE company_key = ?', key);
  return row ? Number(row[0]) : null;
}

export function heldCompany(db: Database, id: number): CompanyRow | null {
  const row = db.get(`SELECT ${companyColumns} FROM companies WHERE id = ?`, id);
  return row ? readCompanyRow(row) : null;
}

/** The number of the latest reading of the watchlist that was read to its end. */
const endedName = 'watchlist.ended';

/** Begins a reading of the watchlist and returns its number, so that it never drops what a later reading named. */
export const beginWatchlist = (db: Database): number => db.next('watchlist.begun');

/** Ends a reading, and gives the keys of the companies that are no longer watched. */
export function endWatchlist(db: Database, reading: number): string[] {
  if (reading <= db.kept(endedName)) return [];
  db.keep(endedName, reading);
  const dropped = db.all('SELECT company_key FROM companies WHERE watched > 0 AND watched < ?', reading);
  db.run('UPDATE companies SET watched = 0 WHERE watched > 0 AND watched < ?', reading);
  return dropped.map(([key]) => String(key));
}

/** What one transaction does to companies, the keys they go or went by, and which of them the watchlist names. */
export class CompanyWrites {
  readonly #db: Database;
  /** Companies by how a report describes them: most reports of a page repeat what another said. */
  readonly #owners = new Map<string, number>();
  /** What each was last told of itself. */
  readonly #described = new Map<number, string>();
  readonly #touched = new Set<number>();

  constructor(db: Database) {
    this.#db = db;
  }

  /** The company that a report belongs to, made as needed. */
  ofReport(report: Report): number {
    const company = companyOf(report);
    const description = JSON.stringify(company);
    const known = this.#owners.get(description);
    if (known !== undefined) return known;
    const id = this.#owner(company);
    this.#owners.set(description, id);
    return id;
  }

  describe(id: number, report: Report): void {
    const company = companyOf(report);
    const description = JSON.stringify(company);
    if (this.#described.get(id) === description) return;
    this.#described.set(id, description);
    const held = heldCompany(this.#db, id);
    // A report that still carries the former key describes the company as it was.
    if (held?.company_key !== report.company_key) return;
    this.#describe(held, company, held.watched ? 'fill-gaps' : 'replace');
  }

  touch(id: number): void {
    this.#touched.add(id);
  }

  /** Counts the reports of touched companies; call it last. Counting all on demand would take 150 ms. */
  flush(): void {
    for (const id of this.#touched)
      this.#db.run(
        `UPDATE companies SET (listed, gone, newest) = (
           SELECT ifnull(sum(state = 0), 0), ifnull(sum(state <> 0), 0), ifnull(max(iif(state = 0, fy, 0)), 0)
           FROM reports WHERE company = ?1) WHERE id = ?1`,
        id,
      );
  }

  /** Keeps an item of a reading of the watchlist; true when it changed something. */
  watch(company: Company, reading: number): boolean {
    // A later reading has said already what is watched.
    if (reading < this.#db.kept(endedName)) return false;
    const id = this.#owner(company);
    const held = heldCompany(this.#db, id);
    if (!held) return false;
    const changed = this.#describe(held, company, 'newer-wins');
    this.#db.run('UPDATE companies SET watched = max(watched, ?) WHERE id = ?', reading, id);
    return changed || !held.watched;
  }

  /** Hands everything of one company to another that turned out to be the same, and leaves the former's key behind. */
  merge(from: number, into: number): void {
    const db = this.#db;
    const former = heldCompany(this.#db, from);
    const watched = db.number('SELECT watched FROM companies WHERE id = ?', from);
    const present = heldCompany(this.#db, into);
    if (!former || !present) return;
    db.run('UPDATE reports SET company = ? WHERE company = ?', into, from);
    db.run('UPDATE company_aliases SET company = ? WHERE company = ?', into, from);
    db.run('DELETE FROM companies WHERE id = ?', from);
    this.#describe(present, former, 'fill-gaps');
    if (former.watched) db.run('UPDATE companies SET watched = max(watched, ?) WHERE id = ?', watched, into);
    db.run('INSERT OR REPLACE INTO company_aliases(company_key, company) VALUES (?, ?)', former.company_key, into);
    this.touch(into);
    this.#forget();
  }

  /** Removes a company that nothing refers to any more: no report, no watchlist. */
  dropIfEmpty(id: number): void {
    const held = heldCompany(this.#db, id);
    if (!held || held.watched || this.#db.get('SELECT 1 FROM reports WHERE company = ? LIMIT 1', id)) return;
    this.#db.run('DELETE FROM companies WHERE id = ?', id);
    this.#db.run('DELETE FROM company_aliases WHERE company = ?', id);
    this.#forget();
  }

  /** Numbers of companies have changed. */
  #forget(): void {
    this.#owners.clear();
    this.#described.clear();
  }

  #owner(company: Company): number {
    const id = findCompany(this.#db, company.company_key);
    const held = id === null ? null : heldCompany(this.#db, id);
    if (!held) return this.#insert(company);
    if (held.company_key === company.company_key || agree(held, company, identifiers) !== false) return held.id;
    // A key that one company left behind has been given to another.
    this.#db.run('DELETE FROM company_aliases WHERE company_key = ?', company.company_key);
    return this.#insert(company);
  }

  #insert(company: Company): number {
    return this.#db.run(insertSql, ...valuesOf(company), company.company_key);
  }

  #describe(held: CompanyRow, incoming: Company, rule: MergeRule): boolean {
    const merged = mergeCompany(held, incoming, rule);
    if (merged === held) return false;
    this.#db.run(describeSql, ...valuesOf(merged), held.id);
    return true;
  }
}
