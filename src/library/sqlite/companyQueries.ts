import type { LibraryCompany } from '../companyQuery.ts';
import { type CompanyLetter, type CompanyQuery, type CompanyYear, compareLetters } from '../companyQuery.ts';
import type { Listing, PageOptions } from '../reportQuery.ts';
import type { LibraryTotals } from '../store.ts';
import { type CompanyRow, companyColumns, findCompany, heldCompany, readCompanyRow } from './companyTable.ts';
import type { Database } from './openDatabase.ts';
import { companiesWith } from './searchText.ts';

/** Companies that views show: those on the watchlist, and those with reports. */
export const shownSql = '(watched > 0 OR listed > 0 OR gone > 0)';

export function company(db: Database, key: string): LibraryCompany | null {
  const id = findCompany(db, key);
  const held = id === null ? null : heldCompany(db, id);
  return held && withoutId(held);
}

/** By name. A list continues after a position, never at an offset. */
export function listCompanies(
  db: Database,
  { letter }: CompanyQuery,
  { after, limit }: PageOptions,
): Listing<LibraryCompany> {
  // An invalid position restarts from the first page.
  const [, afterId, name] = /^(\d+)\.(.*)$/s.exec(after ?? '') ?? [];
  const rows = db
    .all(
      `SELECT ${companyColumns}, sort_name FROM companies INDEXED BY companies_by_name
       WHERE ${shownSql} ${letter === undefined ? '' : 'AND letter = ?'}
       ${name === undefined ? '' : 'AND (sort_name, id) > (?, ?)'} ORDER BY sort_name, id LIMIT ?`,
      ...[...(letter === undefined ? [] : [letter]), ...(name === undefined ? [] : [name, Number(afterId)]), limit],
    )
    .map((row) => ({ company: readCompanyRow(row), name: row.at(-1) }));
  const last = rows.length < limit ? undefined : rows.at(-1);
  return {
    items: rows.map((row) => withoutId(row.company)),
    next: last ? `${last.company.id}.${last.name}` : null,
  };
}

/** Latest first, undated last. */
export function companyYears(db: Database, key: string): CompanyYear[] {
  const sql = 'SELECT fy, sum(state = 0), sum(state <> 0) FROM reports WHERE company = ? GROUP BY fy ORDER BY fy DESC';
  return db
    .all(sql, findCompany(db, key))
    .map(([fy, listed, gone]) => ({ fiscal_year: Number(fy) || null, listed: Number(listed), gone: Number(gone) }));
}

/** Companies with a word that begins with each typed word; those with most reports first. */
export function searchCompanies(db: Database, text: string, limit: number): LibraryCompany[] {
  const match = companiesWith(db, text);
  if (match === null) return [];
  const sql = `SELECT ${companyColumns} FROM companies WHERE ${match.sql}
    ORDER BY watched > 0 DESC, listed DESC, sort_name LIMIT ?`;
  return db.all(sql, ...match.values, limit).map((row) => withoutId(readCompanyRow(row)));
}

/** Over the companies that are shown. */
export function companyTotals(db: Database): Omit<LibraryTotals, 'quarantined'> {
  const row = db.get(`SELECT ifnull(sum(listed), 0), ifnull(sum(gone), 0), count(*) FROM companies WHERE ${shownSql}`);
  return { listed: Number(row?.[0]), gone: Number(row?.[1]), companies: Number(row?.[2]) };
}

/** The first letters of the companies that are shown, each with how many begin with it. */
export function companyLetters(db: Database): CompanyLetter[] {
  return db
    .all(`SELECT letter, count(*) FROM companies WHERE ${shownSql} GROUP BY letter`)
    .map(([letter, companies]) => ({ letter: String(letter), companies: Number(companies) }))
    .sort((a, b) => compareLetters(a.letter, b.letter));
}

function withoutId({ id: _, ...company }: CompanyRow): LibraryCompany {
  return company;
}
