import type { Company } from '../../../src/api/schemas/company.ts';
import type { ResolveEntry } from '../../../src/protocol/resolveView.ts';

const nordwerk: Company = {
  company_key: 'XFRA_NWK',
  company_name: 'Nordwerk Antriebstechnik SE',
  isin: 'DE000NWK0014',
  lei: '529900NWKANTRIEB0X47',
  figi: 'BBG00NWK1234',
  cik: null,
  fiscal_year_end_month: 3,
  ticker: 'NWK',
  mic: 'XFRA',
  exchange: 'Frankfurt Stock Exchange',
  country: 'Germany',
  sector: 'Industrials',
  industry: 'Electrical Components & Equipment',
  other: {},
};

const cedarline: Company = {
  ...nordwerk,
  company_key: 'XNYS_CDRL',
  company_name: 'Cedarline Logistics Inc.',
  isin: null,
  cik: '0001998877',
  ticker: 'CDRL',
  mic: 'XNYS',
  country: 'United States',
};

/** An entry of each kind, in input order. */
export const resolvedSample: readonly ResolveEntry[] = [
  entry('DE000NWK0014', 'isin', nordwerk),
  entry('XNYS:CDRL', 'ticker', cedarline),
  entry('FR0000999999', 'isin', null, { matched: true, entitled: false }),
  entry('Atlas Group', 'name', null, { ambiguous: true }),
  entry('529900UNKNOWN00000XX', 'lei', null),
  { query: 'DE000NWK0015', result: null, problem: 'the check digit of this ISIN does not fit' },
  entry('=HYPERLINK("http://x","y")', 'name', null),
  entry('Nordwerk | <b>x</b> \u202Egnp', 'alias_v9', nordwerk),
];

/** Many entries, repeating the sample. */
export function manyResolved(count: number): ResolveEntry[] {
  return Array.from({ length: count }, (_, index) => resolvedSample[index % resolvedSample.length] as ResolveEntry);
}

function entry(
  query: string,
  identifier_type: string,
  company: Company | null,
  told: { matched?: boolean; entitled?: boolean; ambiguous?: boolean } = {},
): ResolveEntry {
  const matched = told.matched ?? company !== null;
  const entitled = told.entitled ?? (company === null ? null : true);
  const result = { query, identifier_type, matched, entitled, ambiguous: told.ambiguous ?? false, company, other: {} };
  return { query, result, problem: null };
}
