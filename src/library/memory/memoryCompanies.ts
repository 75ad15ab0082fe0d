import {
  type CompanyGroup,
  type CompanyGroupBy,
  type CompanyQuery,
  type CompanyYear,
  compareGroups,
  type LibraryCompany,
  letterOf,
  sortName,
} from '../companyQuery.ts';
import type { Listing } from '../reportQuery.ts';
import { companyText } from '../searchWords.ts';
import { containsAll, wordsOf } from './matches.ts';
import type { MemoryCompany, MemoryTables } from './memoryTables.ts';

/** Questions about companies in memory. */
export class MemoryCompanies {
  readonly #tables: MemoryTables;

  constructor(tables: MemoryTables) {
    this.#tables = tables;
  }

  one(key: string): LibraryCompany | null {
    const company = this.#tables.findCompany(key);
    return company ? this.#counted(company) : null;
  }

  /** By name. */
  all(): LibraryCompany[] {
    return [...this.#tables.companies.values()]
      .map((company) => this.#counted(company))
      .filter((company) => company.watched || company.listed > 0 || company.gone > 0)
      .sort(byName);
  }

  list(query: CompanyQuery, after: string | undefined, limit: number): Listing<LibraryCompany> {
    const found = this.all().filter(
      (company) =>
        (['country', 'sector', 'industry'] as const).every((name) => query[name]?.includes(company[name]) ?? true) &&
        (query.letter?.includes(letterOf(nameOf(company))) ?? true),
    );
    if (query.sort === 'newest') found.sort((a, b) => (b.newest ?? 0) - (a.newest ?? 0) || byName(a, b));
    // Few enough to be found again by key.
    const start = after === undefined ? 0 : found.findIndex(({ company_key }) => company_key === after) + 1;
    const items = found.slice(start, start + limit);
    return { items, next: items.length === limit ? (items.at(-1)?.company_key ?? null) : null };
  }

  groups(by: CompanyGroupBy): CompanyGroup[] {
    const groups = new Map<string | null, { companies: number; reports: number }>();
    for (const company of this.all()) {
      const value = by === 'letter' ? letterOf(nameOf(company)) : company[by];
      const group = groups.get(value) ?? { companies: 0, reports: 0 };
      groups.set(value, { companies: group.companies + 1, reports: group.reports + company.listed });
    }
    return [...groups].map(([value, counts]) => ({ value, ...counts })).sort((a, b) => compareGroups(a.value, b.value));
  }

  years(key: string): CompanyYear[] {
    const company = this.#tables.findCompany(key);
    const years = new Map<number, { listed: number; gone: number }>();
    for (const id of company?.reports ?? []) {
      const held = this.#tables.reports.get(id);
      if (!held) continue;
      const year = years.get(held.fy) ?? { listed: 0, gone: 0 };
      year[held.state === 'listed' ? 'listed' : 'gone']++;
      years.set(held.fy, year);
    }
    return [...years]
      .sort(([a], [b]) => b - a)
      .map(([fy, counts]) => ({ fiscal_year: fy === 0 ? null : fy, ...counts }));
  }

  search(text: string, limit: number): LibraryCompany[] {
    const typed = wordsOf(text);
    if (typed.length === 0) return [];
    return this.all()
      .filter((company) => containsAll(wordsOf(companyText(company)), typed))
      .sort((a, b) => Number(b.watched) - Number(a.watched) || b.listed - a.listed || byName(a, b))
      .slice(0, limit);
  }

  #counted(company: MemoryCompany): LibraryCompany {
    let listed = 0;
    let gone = 0;
    let newest = 0;
    for (const id of company.reports) {
      const held = this.#tables.reports.get(id);
      if (held?.state !== 'listed') gone++;
      else {
        listed++;
        newest = Math.max(newest, held.fy);
      }
    }
    return { ...company.described, watched: company.watched, listed, gone, newest: newest === 0 ? null : newest };
  }
}

function nameOf(company: LibraryCompany): string {
  return sortName(company.company_name ?? company.company_key);
}

function byName(a: LibraryCompany, b: LibraryCompany): number {
  const x = nameOf(a);
  const y = nameOf(b);
  return x < y ? -1 : x > y ? 1 : a.company_key < b.company_key ? -1 : 1;
}
