import {
  type CompanyLetter,
  type CompanyQuery,
  type CompanyYear,
  compareLetters,
  type LibraryCompany,
  letterOf,
} from '../companyQuery.ts';
import type { Listing, PageOptions } from '../reportQuery.ts';
import type { LibraryTotals } from '../store.ts';
import { type CompanyRow, companyColumns, findCompany, heldCompany, readCompanyRow } from './companyTable.ts';
import type { Database } from './openDatabase.ts';
import { companiesFor } from './searchText.ts';

/** Companies that views show: those on the watchlist, and those with reports. */
export const shownSql = '(watched > 0 OR listed > 0 OR gone > 0)';

export function company(db: Database, key: string): LibraryCompany | null {
  const id = findCompany(db, key);
  const held = id === null ? null : heldCompany(db, id);
  return held && withoutId(held);
}

/** By name. A list goes on from a position, never from an offset. */
export function listCompanies(
  db: Database,
  { letter }: CompanyQuery,
  { after, limit }: PageOptions,
): Listing<LibraryCompany> {
  const parts: string[] = [shownSql];
  const values: (string | number)[] = [];
  if (letter !== undefined) {
    parts.push('substr(sort_name, 1, 1) IN (SELECT value FROM json_each(?))');
    values.push(JSON.stringify(firstsOf(db, letter)));
  }
  // An invalid cursor restarts from the first page.
  const [, afterId, name] = /^(\d+)\.(.*)$/s.exec(after ?? '') ?? [];
  if (name !== undefined) {
    parts.push('(sort_name, id) > (?, ?)');
    values.push(name, Number(afterId));
  }
  const rows = db.all(
    `SELECT ${companyColumns}, sort_name FROM companies INDEXED BY companies_by_name
     WHERE ${parts.join(' AND ')} ORDER BY sort_name, id LIMIT ?`,
    ...values,
    limit,
  );
  const items = rows.map((row) => withoutId(readCompanyRow(row)));
  const last = rows.at(-1);
  if (!last || rows.length < limit) return { items, next: null };
  return { items, next: `${readCompanyRow(last).id}.${last.at(-1)}` };
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

/** The first letters of the companies that are shown, each with how many begin with it. */
export function companyLetters(db: Database): CompanyLetter[] {
  const counts = new Map<string, number>();
  for (const [first, companies] of db.all(
    `SELECT substr(sort_name, 1, 1), count(*) FROM companies WHERE ${shownSql} GROUP BY 1`,
  )) {
    const letter = letterOf(String(first));
    counts.set(letter, (counts.get(letter) ?? 0) + Number(companies));
  }
  return [...counts]
    .map(([letter, companies]) => ({ letter, companies }))
    .sort((a, b) => compareLetters(a.letter, b.letter));
}

/** The characters that names of this letter begin with. */
function firstsOf(db: Database, letter: string): string[] {
  return db
    .all('SELECT DISTINCT substr(sort_name, 1, 1) FROM companies')
    .map(([first]) => String(first))
    .filter((first) => letterOf(first) === letter);
}

function withoutId(company: CompanyRow): LibraryCompany {
  const { id: _, ...rest } = company;
  return rest;
}
