import type { Company } from '../../../src/api/schemas/company.ts';
import type { LookupEntry, ResolveEntry } from '../../../src/panels/lookups.ts';
import type { ResultsAbout } from '../../../src/panels/results.ts';

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

/** What stands above the results. */
export const sampleAbout: ResultsAbout = {
  words: '8 identifiers from column isin of portfolio.csv, 7 different · 1 request',
  kept: 'Kept answers: 3, since Nov 21, 2026, 9:14 AM',
  writeBack: 'portfolio.csv',
  canDownload: true,
};

const known = {
  report_key: 'XFRA_NWK_2024_SR',
  title: 'Sustainability Report 2023/24',
  company_name: nordwerk.company_name,
  fiscal_year: 2024,
  type: 'Sustainability Report',
  has_file: true,
  withdrawn: false,
};

/** A report key of each kind, in input order. */
export const lookedUpSample: readonly LookupEntry[] = [
  { query: 'XFRA_NWK_2024_SR', result: { report_id: 1, canonical_report_key: null }, problem: null, known },
  { query: 'XFRA_OLD_2024_SR', result: { report_id: 1, canonical_report_key: known.report_key }, problem: null, known },
  { query: 'XNYS_CDRL_2021_AR1', result: { report_id: 7, canonical_report_key: null }, problem: null, known: null },
  {
    query: 'XFRA_NWK_0_CODE',
    result: { report_id: 9, canonical_report_key: null },
    problem: null,
    known: {
      ...known,
      report_key: 'XFRA_NWK_0_CODE',
      title: '<b>Code</b> \u202Egnp',
      fiscal_year: null,
      has_file: false,
      withdrawn: true,
    },
  },
  { query: 'XFRA_NWK_1901_SR', result: { report_id: null, canonical_report_key: null }, problem: null, known: null },
  { query: 'annual report', result: null, problem: 'A report key looks like XPAR_ABCD_2024_SR.', known: null },
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
