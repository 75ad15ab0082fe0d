import {
  type CompanyGroup,
  type CompanyGroupBy,
  type CompanyQuery,
  type CompanyYear,
  compareGroups,
  type LibraryCompany,
  letterOf,
} from '../companyQuery.ts';
import { readCompanyPosition, writeCompanyPosition } from '../positions.ts';
import type { Listing } from '../reportQuery.ts';
import { type CompanyTable, companyColumns, readCompanyRow } from './companyTable.ts';
import type { Connection } from './connection.ts';
import type { Vocabulary } from './vocabulary.ts';

interface Parts {
  readonly connection: Connection;
  readonly companies: CompanyTable;
  readonly vocabulary: Vocabulary;
}

/** Questions about companies. Lists go on from a position, never from an offset. */
export class CompanyQueries {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  one(key: string): LibraryCompany | null {
    const id = this.#parts.companies.find(key);
    return id === null ? null : withoutId(this.#parts.companies.read(id));
  }

  list(query: CompanyQuery, after: string | undefined, limit: number): Listing<LibraryCompany> {
    const values: (string | number)[] = [];
    const parts = ['(watched > 0 OR listed > 0 OR gone > 0)'];
    for (const name of ['country', 'sector', 'industry'] as const) {
      const wanted = query[name];
      if (!wanted) continue;
      const texts = wanted.filter((value) => value !== null);
      const open = wanted.length > texts.length ? ` OR ${name} IS NULL` : '';
      parts.push(`(${name} IN (${texts.map(() => '?').join(',')})${open})`);
      values.push(...texts);
    }
    const newestFirst = query.sort === 'newest';
    const from = after === undefined ? null : readCompanyPosition(after);
    if (from && newestFirst) {
      parts.push('(newest < ? OR (newest = ? AND (sort_name, id) > (?, ?)))');
      values.push(from.newest, from.newest, from.sort_name, from.id);
    } else if (from) {
      parts.push('(sort_name, id) > (?, ?)');
      values.push(from.sort_name, from.id);
    }
    const order = newestFirst ? 'newest DESC, sort_name, id' : 'sort_name, id';
    const index = newestFirst ? 'companies_by_newest' : 'companies_by_name';
    const letters = query.letter ? new Set(query.letter) : null;
    const rows = this.#parts.connection.all(
      `SELECT ${companyColumns}, sort_name FROM companies INDEXED BY ${index}
       WHERE ${parts.join(' AND ')} ORDER BY ${order} LIMIT ?`,
      ...values,
      letters ? -1 : limit,
    );
    const items: LibraryCompany[] = [];
    for (const row of rows) {
      const sorted = String(row[19]);
      if (letters && !letters.has(letterOf(sorted))) continue;
      const company = readCompanyRow(row);
      const { id, ...rest } = company;
      items.push(rest);
      if (items.length === limit) {
        return { items, next: writeCompanyPosition({ newest: company.newest ?? 0, sort_name: sorted, id }) };
      }
    }
    return { items, next: null };
  }

  groups(by: CompanyGroupBy): CompanyGroup[] {
    const column = by === 'letter' ? 'substr(sort_name, 1, 2)' : by;
    const rows = this.#parts.connection.all(
      `SELECT ${column}, count(*), sum(listed) FROM companies WHERE watched > 0 OR listed > 0 OR gone > 0 GROUP BY 1`,
    );
    const groups = new Map<string | null, { companies: number; reports: number }>();
    for (const [name, companies, reports] of rows) {
      const value = name === null ? null : by === 'letter' ? letterOf(String(name)) : String(name);
      const group = groups.get(value) ?? { companies: 0, reports: 0 };
      groups.set(value, {
        companies: group.companies + Number(companies),
        reports: group.reports + Number(reports),
      });
    }
    return [...groups].map(([value, counts]) => ({ value, ...counts })).sort((a, b) => compareGroups(a.value, b.value));
  }

  /** Latest first, undated last. */
  years(key: string): CompanyYear[] {
    const id = this.#parts.companies.find(key);
    if (id === null) return [];
    return this.#parts.connection
      .all('SELECT fy, listed, gone FROM years WHERE company = ? ORDER BY fy DESC', id)
      .map(([fy, listed, gone]) => ({
        fiscal_year: Number(fy) === 0 ? null : Number(fy),
        listed: Number(listed),
        gone: Number(gone),
      }));
  }

  /** Companies with a word that begins with each typed word; those with most reports first. */
  search(text: string, limit: number): LibraryCompany[] {
    const match = this.#parts.vocabulary.matchCompanies(text);
    if (match === null) return [];
    return this.#parts.connection
      .all(
        `SELECT ${companyColumns} FROM companies WHERE id IN (SELECT rowid FROM company_text WHERE company_text MATCH ?)
         ORDER BY watched > 0 DESC, listed DESC, sort_name LIMIT ?`,
        match,
        limit,
      )
      .flatMap((row) => withoutId(readCompanyRow(row)) ?? []);
  }
}

function withoutId(company: (LibraryCompany & { readonly id: number }) | null): LibraryCompany | null {
  if (!company) return null;
  const { id: _, ...rest } = company;
  return rest;
}
