import { type CompanyQuery, type CompanyYear, type LibraryCompany, letterOf } from '../companyQuery.ts';
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

/** The first letters of names, one after the other, in their order: each is found by one look into the index. */
const firstLetters = `
  WITH RECURSIVE firsts(letter) AS (
    SELECT substr(min(sort_name), 1, 1) FROM companies
    UNION
    SELECT (
      SELECT substr(sort_name, 1, 1) FROM companies
      WHERE sort_name >= char(ifnull(unicode(letter), 0) + 1) ORDER BY sort_name LIMIT 1
    ) FROM firsts WHERE letter IS NOT NULL
  ) SELECT letter FROM firsts WHERE letter IS NOT NULL ORDER BY letter`;

/** From here on, what comes after a letter may be no text by itself. */
const firstSurrogate = 0xd800;

/** Questions about companies. Lists go on from a position, never from an offset. */
export class CompanyQueries {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  one(key: string): LibraryCompany | null {
    const id = this.#parts.companies.find(key);
    const held = id === null ? null : this.#parts.companies.read(id);
    return held && withoutId(held);
  }

  list(query: CompanyQuery, after: string | undefined, limit: number): Listing<LibraryCompany> {
    const values: (string | number)[] = [];
    const parts: string[] = [];
    if (query.letter) {
      // The index holds all that this asks of a name, so that it goes before what needs a look at the row.
      const firsts = this.#firstsOf(new Set(query.letter));
      if (firsts.length === 0) return { items: [], next: null };
      parts.push(`sort_name >= ? AND substr(sort_name, 1, 1) IN (${firsts.map(() => '?').join(',')})`);
      values.push(firsts[0] ?? '', ...firsts);
      const end = (firsts.at(-1)?.codePointAt(0) ?? 0) + 1;
      if (end < firstSurrogate) {
        parts.push('sort_name < ?');
        values.push(String.fromCodePoint(end));
      }
    }
    parts.push('(watched > 0 OR listed > 0 OR gone > 0)');
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
    const rows = this.#parts.connection.all(
      `SELECT ${companyColumns}, sort_name FROM companies INDEXED BY ${index}
       WHERE ${parts.join(' AND ')} ORDER BY ${order} LIMIT ?`,
      ...values,
      limit,
    );
    const items = rows.map((row) => withoutId(readCompanyRow(row)));
    const last = rows.at(-1);
    if (!last || rows.length < limit) return { items, next: null };
    const { id, newest } = readCompanyRow(last);
    return { items, next: writeCompanyPosition({ newest: newest ?? 0, sort_name: String(last[19]), id }) };
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
      .map((row) => withoutId(readCompanyRow(row)));
  }

  /** What names of these groups begin with, in the order of the index. */
  #firstsOf(letters: ReadonlySet<string>): string[] {
    return this.#parts.connection
      .all(firstLetters)
      .map(([first]) => String(first))
      .filter((first) => letters.has(letterOf(first)));
  }
}

function withoutId(company: LibraryCompany & { readonly id: number }): LibraryCompany {
  const { id: _, ...rest } = company;
  return rest;
}
