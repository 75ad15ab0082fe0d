import type { Company } from '../api/schemas/company.ts';

/** A company on this machine, from the watchlist or from its reports. */
export interface LibraryCompany extends Company {
  /** True while the watchlist names it. */
  readonly watched: boolean;
  /** Reports the service serves. */
  readonly listed: number;
  /** Reports that are no longer served but still readable. */
  readonly gone: number;
  /** Latest fiscal year of a listed report, or null. */
  readonly newest: number | null;
}

/** Which companies, and in what order. Values of one member OR, different members AND. */
export interface CompanyQuery {
  readonly country?: readonly (string | null)[] | undefined;
  readonly sector?: readonly (string | null)[] | undefined;
  readonly industry?: readonly (string | null)[] | undefined;
  /** First letters of the sorted name, as {@link CompanyGroup} gives them. */
  readonly letter?: readonly string[] | undefined;
  /** `name` by default; `newest` puts the latest fiscal year first. */
  readonly sort?: 'name' | 'newest' | undefined;
}

/** Companies that share a country, a sector, an industry or a first letter. */
export interface CompanyGroup {
  readonly value: string | null;
  readonly companies: number;
  readonly reports: number;
}

export const companyGroupings = ['country', 'sector', 'industry', 'letter'] as const;
export type CompanyGroupBy = (typeof companyGroupings)[number];

/** A fiscal year of a company; null for undated. */
export interface CompanyYear {
  readonly fiscal_year: number | null;
  readonly listed: number;
  readonly gone: number;
}

/** How a name is compared and sorted: without accents, case or leading space. */
export function sortName(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .trim();
}

/** The group a company belongs to in an alphabetical list: its first letter, `#` for anything else. */
export function letterOf(name: string): string {
  const first = name.slice(0, 1).toUpperCase();
  return /\p{L}/u.test(first) ? first : '#';
}

/** Groups in reading order, what is not stated last, and `#` after the letters. */
export function compareGroups(a: string | null, b: string | null): number {
  const rank = (value: string | null) => (value === null ? 2 : value === '#' ? 1 : 0);
  const [x, y] = [sortName(a ?? ''), sortName(b ?? '')];
  return Math.sign(rank(a) - rank(b)) || (x < y ? -1 : x > y ? 1 : 0);
}
