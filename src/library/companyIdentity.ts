import type { Company } from '../api/schemas/company.ts';
import type { Report } from '../api/schemas/report.ts';

export function companyOf(report: Report): Company {
  return {
    company_key: report.company_key,
    company_name: report.company_name,
    isin: report.company_isin,
    lei: report.company_lei,
    figi: report.company_figi,
    cik: null,
    fiscal_year_end_month: null,
    ticker: report.company_ticker,
    mic: report.company_mic,
    exchange: report.company_exchange,
    country: report.company_country,
    sector: report.company_sector,
    industry: report.company_industry,
    other: {},
  };
}

type Named = Pick<Company, 'company_name' | 'isin' | 'lei' | 'figi'>;

/** Whether two descriptions agree in the first of these that both carry; null when they share none. */
function agree(a: Named, b: Named, names: readonly (keyof Named)[]): boolean | null {
  const name = names.find((name) => a[name] !== null && b[name] !== null);
  return name === undefined ? null : a[name] === b[name];
}

/**
 * Whether two descriptions are of one company. The name decides only when they share no identifier. Used when a report
 * turns up under another company key: a renamed company keeps its identifiers, a misattributed report does not (COM-1).
 */
export function isSameCompany(a: Named, b: Named): boolean {
  return agree(a, b, ['lei', 'figi', 'isin', 'company_name']) ?? false;
}

/** Whether two descriptions can't be of one company: they carry different identifiers. */
export function isOtherCompany(a: Named, b: Named): boolean {
  return agree(a, b, ['lei', 'figi', 'isin']) === false;
}

/** What describes a company besides its key and what the interface does not name. */
export const describedFields = [
  'company_name',
  'isin',
  'lei',
  'figi',
  'cik',
  'fiscal_year_end_month',
  'ticker',
  'mic',
  'exchange',
  'country',
  'sector',
  'industry',
] as const satisfies readonly (keyof Company)[];

/**
 * How a new description and the held one combine. `newer-wins` keeps what the new one leaves open, `replace` keeps
 * nothing. `fill-gaps` only adds: the watchlist knows a company better than its reports do.
 */
export type MergeRule = 'newer-wins' | 'fill-gaps' | 'replace';

/** Combines two descriptions of a company; returns the held one itself when nothing changes. */
export function mergeCompany<T extends Company>(held: T, incoming: Company, rule: MergeRule): T {
  const described = describedFields.map((name) => {
    // Reports carry neither the CIK nor the month, so their silence about these says nothing.
    const isWhole = rule === 'replace' && name !== 'cik' && name !== 'fiscal_year_end_month';
    const [first, second] = rule === 'fill-gaps' ? [held, incoming] : [incoming, held];
    return [name, isWhole ? incoming[name] : (first[name] ?? second[name])];
  });
  const other = rule === 'newer-wins' ? incoming.other : held.other;
  const merged: T = { ...held, ...Object.fromEntries(described), other };
  return JSON.stringify(merged) === JSON.stringify(held) ? held : merged;
}
