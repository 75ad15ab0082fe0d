import type { Company } from '../../api/schemas/company.ts';
import type { Report } from '../../api/schemas/report.ts';
import { companyOf, isOtherCompany, type MergeRule, mergeCompany } from '../companyIdentity.ts';
import { type LibraryCompany, sortName } from '../companyQuery.ts';
import type { Connection, Row } from './connection.ts';
import type { SearchText } from './searchText.ts';

/** Columns of a company in the order that {@link readCompanyRow} takes them. */
export const companyColumns =
  'id, company_key, name, isin, lei, figi, cik, fye_month, ticker, mic, exchange, country, sector, industry, other, watched, listed, gone, newest';

const insertSql = `INSERT INTO companies(company_key, name, sort_name, isin, lei, figi, cik, fye_month, ticker, mic, exchange,
  country, sector, industry, other) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const describeSql = `UPDATE companies SET name = ?, sort_name = ?, isin = ?, lei = ?, figi = ?, cik = ?, fye_month = ?, ticker = ?,
  mic = ?, exchange = ?, country = ?, sector = ?, industry = ?, other = ? WHERE id = ?`;

/** What describes a company, in the order of both. */
function valuesOf(company: Company): (string | number | null)[] {
  return [
    company.company_name,
    sortName(company.company_name ?? company.company_key),
    company.isin,
    company.lei,
    company.figi,
    company.cik,
    company.fiscal_year_end_month,
    company.ticker,
    company.mic,
    company.exchange,
    company.country,
    company.sector,
    company.industry,
    Object.keys(company.other).length === 0 ? null : JSON.stringify(company.other),
  ];
}

/** A company's row. */
export function readCompanyRow(row: Row): LibraryCompany & { readonly id: number } {
  const text = (index: number) => (row[index] ?? null) as string | null;
  return {
    id: Number(row[0]),
    company_key: String(row[1]),
    company_name: text(2),
    isin: text(3),
    lei: text(4),
    figi: text(5),
    cik: text(6),
    fiscal_year_end_month: (row[7] ?? null) as number | null,
    ticker: text(8),
    mic: text(9),
    exchange: text(10),
    country: text(11),
    sector: text(12),
    industry: text(13),
    other: row[14] === null ? {} : JSON.parse(String(row[14])),
    watched: Number(row[15]) > 0,
    listed: Number(row[16]),
    gone: Number(row[17]),
    newest: Number(row[18]) > 0 ? Number(row[18]) : null,
  };
}

/** Companies, the keys they go or went by, and what reports say of them. */
export class CompanyTable {
  readonly #connection: Connection;
  readonly #search: SearchText;
  readonly #ids = new Map<string, number>();
  /** Ids of facts by their JSON; most pages repeat what earlier ones said. */
  readonly #facts = new Map<string, { readonly key: string; readonly id: number; readonly company: number }>();

  constructor(connection: Connection, search: SearchText) {
    this.#connection = connection;
    this.#search = search;
    connection.onRollback(() => this.forget());
  }

  /** Forgets what was remembered: another window may have renamed companies. */
  forget(): void {
    this.#ids.clear();
    this.#facts.clear();
  }

  /** The company that goes, or went, by a key. */
  find(key: string): number | null {
    const known = this.#ids.get(key);
    if (known !== undefined) return known;
    const row =
      this.#connection.get('SELECT id FROM companies WHERE company_key = ?', key) ??
      this.#connection.get('SELECT company FROM company_aliases WHERE company_key = ?', key);
    if (!row) return null;
    this.#ids.set(key, Number(row[0]));
    return Number(row[0]);
  }

  read(id: number): (LibraryCompany & { readonly id: number }) | null {
    const row = this.#connection.get(`SELECT ${companyColumns} FROM companies WHERE id = ?`, id);
    return row ? readCompanyRow(row) : null;
  }

  /** The company of a report and the stored facts that it states, made or corrected as needed. */
  ofReport(report: Report, json: string): { readonly company: number; readonly facts: number } {
    // The facts are those of the metadata; the key that counts is the typed one.
    const remembered = this.#facts.get(json);
    if (remembered?.key === report.company_key) return { company: remembered.company, facts: remembered.id };
    const described = companyOf(report);
    const company = this.#owner(described);
    const row = this.#connection.get('SELECT id FROM facts WHERE company = ? AND json = ?', company, json);
    const id = row
      ? Number(row[0])
      : this.#connection.run('INSERT INTO facts(company, json) VALUES (?, ?)', company, json).id;
    const held = this.read(company);
    // A report that still carries the former key describes the company as it was.
    if (!row && held && held.company_key === report.company_key) {
      this.#describe(held, described, held.watched ? 'fill-gaps' : 'replace');
    }
    if (this.#facts.size > 20_000) this.#facts.clear();
    this.#facts.set(json, { key: report.company_key, id, company });
    return { company, facts: id };
  }

  /** Keeps an item of the watchlist; true when it changed something. */
  watch(company: Company): boolean {
    const id = this.#owner(company);
    const held = this.read(id);
    if (!held) return false;
    const changed = this.#describe(held, company, 'newer-wins');
    this.#connection.run('UPDATE companies SET watched = 1 WHERE id = ?', id);
    return changed || !held.watched;
  }

  /** Hands everything of one company to another that turned out to be the same, and leaves the former's key behind. */
  merge(from: number, into: number): void {
    const connection = this.#connection;
    const former = this.read(from);
    const present = this.read(into);
    if (!former || !present) return;
    connection.run('UPDATE reports SET company = ? WHERE company = ?', into, from);
    connection.run('UPDATE facts SET company = ? WHERE company = ?', into, from);
    connection.run('UPDATE company_aliases SET company = ? WHERE company = ?', into, from);
    connection.run(
      `INSERT INTO years(company, fy, listed, gone) SELECT ?, fy, listed, gone FROM years WHERE company = ?
       ON CONFLICT(company, fy) DO UPDATE SET listed = listed + excluded.listed, gone = gone + excluded.gone`,
      into,
      from,
    );
    connection.run('DELETE FROM years WHERE company = ?', from);
    connection.run('DELETE FROM companies WHERE id = ?', from);
    this.#search.removeCompany(from, former);
    this.#describe(present, former, 'fill-gaps');
    if (former.watched) connection.run('UPDATE companies SET watched = 1 WHERE id = ?', into);
    this.#alias(former.company_key, into);
  }

  /** Removes a company that nothing refers to any more: no report, no watchlist. */
  dropIfEmpty(id: number): boolean {
    const held = this.read(id);
    if (!held || held.watched || this.#connection.get('SELECT 1 FROM reports WHERE company = ? LIMIT 1', id)) {
      return false;
    }
    this.#connection.run('DELETE FROM companies WHERE id = ?', id);
    this.#connection.run('DELETE FROM facts WHERE company = ?', id);
    this.#connection.run('DELETE FROM years WHERE company = ?', id);
    this.#connection.run('DELETE FROM company_aliases WHERE company = ?', id);
    this.#search.removeCompany(id, held);
    this.forget();
    return true;
  }

  #owner(described: Company): number {
    const id = this.find(described.company_key);
    if (id === null) return this.#insert(described);
    const held = this.read(id);
    if (held && held.company_key !== described.company_key && isOtherCompany(held, described)) {
      // A key that one company left behind has been given to another.
      this.#connection.run('DELETE FROM company_aliases WHERE company_key = ?', described.company_key);
      return this.#insert(described);
    }
    return id;
  }

  #insert(company: Company): number {
    const { id } = this.#connection.run(insertSql, company.company_key, ...valuesOf(company));
    this.#ids.set(company.company_key, id);
    this.#search.addCompany(id, company);
    return id;
  }

  #describe(held: LibraryCompany & { readonly id: number }, incoming: Company, rule: MergeRule): boolean {
    const merged = mergeCompany(held, incoming, rule);
    if (merged === held) return false;
    this.#connection.run(describeSql, ...valuesOf(merged), held.id);
    this.#search.removeCompany(held.id, held);
    this.#search.addCompany(held.id, merged);
    return true;
  }

  #alias(key: string, id: number): void {
    this.#connection.run(
      'INSERT INTO company_aliases(company_key, company) VALUES (?, ?) ON CONFLICT DO UPDATE SET company = excluded.company',
      key,
      id,
    );
    this.forget();
  }
}
