import * as z from 'zod/mini';
import { recognize } from '../identifiers/recognize.ts';
import type { LibraryCompany } from '../library/companyQuery.ts';
import type { LibraryStore } from '../library/sqlite/sqliteStore.ts';
import { plain } from './facts.ts';
import { fits, fitting, toolOf } from './tool.ts';

const maxCompanies = 10;

export const findCompaniesTool = toolOf({
  name: 'find_companies',
  title: 'Find Companies',
  description:
    'Finds companies in the local library by name, company_key, ISIN, LEI, FIGI, CIK, ticker or MIC:TICKER. Several matches are all returned with ambiguous=true: ask the user instead of guessing. Then call reportlibrary_find_reports with company_key.',
  input: z.strictObject({
    queries: z
      .array(z.string().check(z.minLength(1), z.maxLength(300)))
      .check(z.minLength(1), z.maxLength(maxCompanies), z.describe('Names, keys or identifiers')),
  }),
  run({ queries }, { library }) {
    const found = queries.map((query) => [query, matches(library, query.trim())] as const);
    const first = (count: number, limit: number) => ({
      results: found.slice(0, count).map(([query, companies]) => resultOf(query, companies, limit)),
      ...(count < found.length && { unanswered: found.length - count, more: 'Call again with the last queries.' }),
    });
    const whole = fitting(maxCompanies, (limit) => first(found.length, limit));
    // The names of many companies may be too long for one answer even so.
    return fits(whole) ? whole : fitting(found.length, (count) => first(count, 1));
  },
});

function resultOf(query: string, found: readonly LibraryCompany[], limit: number) {
  const companies = found.slice(0, limit).map(companyRow);
  return {
    query: plain(query),
    matched: found.length > 0,
    ambiguous: found.length > 1,
    companies,
    ...(found.length > limit && { more: 'Further companies match: ask with more of the name, or one at a time.' }),
  };
}

/** Identifiers whose text has to be the company's own, not the beginning of it. */
const exact = { isin: 'isin', lei: 'lei', figi: 'figi', cik: 'cik' } as const;
const manyAlike = 50;

function matches(library: LibraryStore, query: string): readonly LibraryCompany[] {
  const held = library.company(query);
  if (held) return [held];
  const { kind, value } = recognize(query);
  const found = library.findCompanies(value.replace(/^.*:/, ''), manyAlike);
  if (kind === 'ticker') {
    return found.filter(({ mic, ticker }) => `${mic}:${ticker}`.toUpperCase() === value);
  }
  if (!(kind in exact)) return sameName(found, query);
  const field = exact[kind as keyof typeof exact];
  const number = (text: string | null) => (field === 'cik' ? (text ?? '').replace(/^0+/, '') : text?.toUpperCase());
  return found.filter((company) => number(company[field]) === number(value));
}

/** A name that is one company's whole name is that company. */
function sameName(found: readonly LibraryCompany[], query: string): readonly LibraryCompany[] {
  const same = found.filter(({ company_name }) => company_name?.toLowerCase() === query.toLowerCase());
  return same.length > 0 ? same : found;
}

function companyRow(company: LibraryCompany) {
  const { listed, newest, isin, lei, figi, cik, mic, ticker, country, sector, industry } = company;
  const identifiers = { isin, lei, figi, cik, mic, ticker };
  const known = Object.entries(identifiers).flatMap(([name, value]) => (value === null ? [] : [[name, plain(value)]]));
  return {
    company_key: plain(company.company_key),
    name: plain(company.company_name),
    ...Object.fromEntries(known),
    country: plain(country),
    sector: plain(sector),
    industry: plain(industry),
    reports: listed,
    newest_fiscal_year: newest,
  };
}
