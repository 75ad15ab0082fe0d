import {
  type CompanyGroup,
  type CompanyGroupBy,
  type CompanyQuery,
  type CompanyYear,
  compareGroups,
  type LibraryCompany,
  letterOf,
} from '../companyQuery.ts';
import type { Listing, PageOptions } from '../reportQuery.ts';
import type { LibraryTotals } from '../store.ts';
import { type CompanyRow, companyColumns, findCompany, heldCompany, readCompanyRow } from './companyTable.ts';
import type { Database } from './database.ts';
import { companiesFor } from './searchText.ts';

/** Companies that views show: those on the watchlist, and those with reports. */
export const shownSql = '(watched > 0 OR listed > 0 OR gone > 0)';

const groupColumns: Readonly<Record<CompanyGroupBy, string>> = {
  letter: 'substr(sort_name, 1, 1)',
  country: 'country',
  sector: 'sector',
  industry: 'industry',
};

export function company(db: Database, key: string): LibraryCompany | null {
  const id = findCompany(db, key);
  const held = id === null ? null : heldCompany(db, id);
  return held && withoutId(held);
}

/** In SQL, that a column holds one of these values; null asks for companies of which it is not stated. */
export function isOneOf(column: string, wanted: readonly (string | null)[]) {
  const values = wanted.filter((value) => value !== null);
  const orNone = wanted.includes(null) ? ` OR ${column} IS NULL` : '';
  return { sql: `(${column} IN (${values.map(() => '?').join(',')})${orNone})`, values };
}

/** A list goes on from a position, never from an offset. */
export function listCompanies(
  db: Database,
  query: CompanyQuery,
  { after, limit }: PageOptions,
): Listing<LibraryCompany> {
  const parts: string[] = [shownSql];
  const values: (string | number)[] = [];
  const narrow = (column: string, wanted: readonly (string | null)[] | undefined) => {
    if (!wanted) return;
    const condition = isOneOf(column, wanted);
    parts.push(condition.sql);
    values.push(...condition.values);
  };
  narrow(groupColumns.letter, query.letter && firstsOf(db, new Set(query.letter)));
  for (const name of ['country', 'sector', 'industry'] as const) narrow(name, query[name]);
  const newestFirst = query.sort === 'newest';
  // A position that is none begins anew.
  const [, year = '', afterId, name] = /^(\d+)\.(\d+)\.(.*)$/s.exec(after ?? '') ?? [];
  if (name !== undefined) {
    parts.push(newestFirst ? '(-newest, sort_name, id) > (?, ?, ?)' : '(sort_name, id) > (?, ?)');
    values.push(...(newestFirst ? [-Number(year)] : []), name, Number(afterId));
  }
  const order = newestFirst ? 'newest DESC, sort_name, id' : 'sort_name, id';
  const index = newestFirst ? 'companies_by_newest' : 'companies_by_name';
  const rows = db.all(
    `SELECT ${companyColumns}, sort_name FROM companies INDEXED BY ${index}
     WHERE ${parts.join(' AND ')} ORDER BY ${order} LIMIT ?`,
    ...values,
    limit,
  );
  const items = rows.map((row) => withoutId(readCompanyRow(row)));
  const last = rows.at(-1);
  if (!last || rows.length < limit) return { items, next: null };
  const { id, newest } = readCompanyRow(last);
  return { items, next: `${newest ?? 0}.${id}.${last.at(-1)}` };
}

/** Latest first, undated last. */
export function companyYears(db: Database, key: string): CompanyYear[] {
  const id = findCompany(db, key);
  if (id === null) return [];
  return db
    .all(
      `SELECT fy, sum(state = 0), sum(state <> 0) FROM reports INDEXED BY reports_by_company
       WHERE company = ? GROUP BY fy ORDER BY fy DESC`,
      id,
    )
    .map(([fy, listed, gone]) => ({
      fiscal_year: Number(fy) === 0 ? null : Number(fy),
      listed: Number(listed),
      gone: Number(gone),
    }));
}

/** Companies with a word that begins with each typed word; those with most reports first. */
export function searchCompanies(db: Database, text: string, limit: number): LibraryCompany[] {
  const match = companiesFor(db, text);
  if (match === null) return [];
  return db
    .all(
      `SELECT ${companyColumns} FROM companies WHERE id IN (SELECT rowid FROM company_text WHERE company_text MATCH ?)
       ORDER BY watched > 0 DESC, listed DESC, sort_name LIMIT ?`,
      match,
      limit,
    )
    .map((row) => withoutId(readCompanyRow(row)));
}

/** Over the companies that are shown. */
export function companyTotals(db: Database): Omit<LibraryTotals, 'quarantined'> {
  const row = db.get(`SELECT ifnull(sum(listed), 0), ifnull(sum(gone), 0), count(*) FROM companies WHERE ${shownSql}`);
  return { listed: Number(row?.[0]), gone: Number(row?.[1]), companies: Number(row?.[2]) };
}

export function companyGroups(db: Database, by: CompanyGroupBy): CompanyGroup[] {
  const rows = db.all(`SELECT ${groupColumns[by]}, count(*), sum(listed) FROM companies WHERE ${shownSql} GROUP BY 1`);
  const groups = new Map<string | null, { companies: number; reports: number }>();
  for (const [said, companies, reports] of rows) {
    const value = by === 'letter' ? letterOf(String(said)) : (said as string | null);
    const group = groups.get(value) ?? { companies: 0, reports: 0 };
    groups.set(value, {
      companies: group.companies + Number(companies),
      reports: group.reports + Number(reports),
    });
  }
  return [...groups].map(([value, counts]) => ({ value, ...counts })).sort((a, b) => compareGroups(a.value, b.value));
}

/** What names of these groups begin with. */
function firstsOf(db: Database, letters: ReadonlySet<string>): string[] {
  return db
    .all('SELECT DISTINCT substr(sort_name, 1, 1) FROM companies')
    .map(([first]) => String(first))
    .filter((first) => letters.has(letterOf(first)));
}

function withoutId(company: CompanyRow): LibraryCompany {
  const { id: _, ...rest } = company;
  return rest;
}
