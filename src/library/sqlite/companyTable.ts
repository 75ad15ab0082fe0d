import type { Company } from '../../api/schemas/company.ts';
import type { Report } from '../../api/schemas/report.ts';
import type { SqlRow } from '../../machine/sqliteFile.ts';
import { companyOf, describedFields, isOtherCompany, type MergeRule, mergeCompany } from '../companyIdentity.ts';
import { type LibraryCompany, sortName } from '../companyQuery.ts';
import type { Database } from './openDatabase.ts';
import { removeCompanyWords, writeCompanyWords } from './searchText.ts';

export type CompanyRow = LibraryCompany & { readonly id: number };

/** Columns of a company in the order that {@link readCompanyRow} takes them. */
export const companyColumns = `id, company_key, ${describedFields.join(', ')}, other, watched, listed, gone, newest`;

const writtenColumns = [...describedFields, 'sort_name', 'other'];
const insertSql = `INSERT INTO companies(${writtenColumns.join(', ')}, company_key)
  VALUES (${writtenColumns.map(() => '?').join(', ')}, ?)`;
const describeSql = `UPDATE companies SET ${writtenColumns.map((column) => `${column} = ?`).join(', ')} WHERE id = ?`;

/** What describes a company, in the order of the written columns. */
function valuesOf(company: Company): (string | number | null)[] {
  return [
    ...describedFields.map((field) => company[field]),
    sortName(company.company_name ?? company.company_key),
    Object.keys(company.other).length === 0 ? null : JSON.stringify(company.other),
  ];
}

/** A company's row; whatever is selected besides comes after these columns. */
export function readCompanyRow(row: SqlRow): CompanyRow {
  const [other, watched, listed, gone, newest] = row.slice(2 + describedFields.length);
  const described = Object.fromEntries(describedFields.map((field, index) => [field, row[2 + index] ?? null]));
  return {
    ...(described as Pick<Company, (typeof describedFields)[number]>),
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

/** Numbers of the last reading of the watchlist that began, and of the latest one that was read to its end. */
const [begunName, endedName] = ['watchlist.begun', 'watchlist.ended'];

/**
 * Begins a reading of the watchlist and gives its number. Several may run at once, in several windows. `watched` holds
 * the number of the latest reading that named the company, 0 for none, so that no reading drops what a later one named.
 */
export function beginWatchlist(db: Database): number {
  const reading = db.kept(begunName) + 1;
  db.keep(begunName, reading);
  return reading;
}

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
    const described = companyOf(report);
    const said = JSON.stringify(described);
    const known = this.#owners.get(said);
    if (known !== undefined) return known;
    const id = this.#owner(described);
    this.#owners.set(said, id);
    return id;
  }

  describe(id: number, report: Report): void {
    const described = companyOf(report);
    const said = JSON.stringify(described);
    if (this.#described.get(id) === said) return;
    this.#described.set(id, said);
    const held = heldCompany(this.#db, id);
    // A report that still carries the former key describes the company as it was.
    if (held?.company_key !== report.company_key) return;
    this.#describe(held, described, held.watched ? 'fill-gaps' : 'replace');
  }

  touch(id: number): void {
    this.#touched.add(id);
  }

  /**
   * Counts the reports of touched companies anew; call it before a transaction ends. The counts are stored, because
   * computing them for all companies, or sorting those by newest year, would take 150 ms at 1,000,000 reports.
   */
  flush(): void {
    for (const id of this.#touched)
      this.#db.run(
        `UPDATE companies SET (listed, gone, newest) = (
           SELECT ifnull(sum(state = 0), 0), ifnull(sum(state <> 0), 0), ifnull(max(iif(state = 0, fy, 0)), 0)
           FROM reports INDEXED BY reports_by_company WHERE company = ?1) WHERE id = ?1`,
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
    removeCompanyWords(this.#db, from);
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
    removeCompanyWords(this.#db, id);
    this.#forget();
  }

  /** Numbers of companies have changed. */
  #forget(): void {
    this.#owners.clear();
    this.#described.clear();
  }

  #owner(described: Company): number {
    const id = findCompany(this.#db, described.company_key);
    if (id === null) return this.#insert(described);
    const held = heldCompany(this.#db, id);
    if (held && held.company_key !== described.company_key && isOtherCompany(held, described)) {
      // A key that one company left behind has been given to another.
      this.#db.run('DELETE FROM company_aliases WHERE company_key = ?', described.company_key);
      return this.#insert(described);
    }
    return id;
  }

  #insert(company: Company): number {
    const id = this.#db.run(insertSql, ...valuesOf(company), company.company_key);
    writeCompanyWords(this.#db, id, company);
    return id;
  }

  #describe(held: CompanyRow, incoming: Company, rule: MergeRule): boolean {
    const merged = mergeCompany(held, incoming, rule);
    if (merged === held) return false;
    this.#db.run(describeSql, ...valuesOf(merged), held.id);
    writeCompanyWords(this.#db, held.id, merged);
    return true;
  }
}
