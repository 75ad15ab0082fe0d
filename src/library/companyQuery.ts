import type { Company } from '../api/schemas/company.ts';

/** A company on this machine, from the watchlist or from its reports. */
export interface LibraryCompany extends Company {
  readonly watched: boolean;
  /** Reports the service serves. */
  readonly listed: number;
  /** Reports that are no longer served but still readable. */
  readonly gone: number;
  /** Latest fiscal year of a listed report, or null. */
  readonly newest: number | null;
}

/** Which companies; all by default. */
export interface CompanyQuery {
  /** First letter of the sorted name, as {@link CompanyLetter} gives it. */
  readonly letter?: string | undefined;
}

export interface CompanyLetter {
  readonly letter: string;
  readonly companies: number;
}

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

/** Where a company belongs in an alphabetical list: its first letter, `#` for anything else. */
export function letterOf(name: string): string {
  const first = name.slice(0, 1).toUpperCase();
  return /\p{L}/u.test(first) ? first : '#';
}

/** Letters in reading order, `#` after them. */
export function compareLetters(a: string, b: string): number {
  const [x, y] = [sortName(a), sortName(b)];
  return Math.sign(Number(a === '#') - Number(b === '#')) || (x < y ? -1 : x > y ? 1 : 0);
}
