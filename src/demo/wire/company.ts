import type { DemoCompany } from '../catalogue.ts';

/** The Company object on the wire (COM-3). */
export type WireCompany = Readonly<Record<string, string | number | null>> & { readonly company_key: string };

/** What a licensed client may read of a company; a withheld ISIN is null (COM-2). */
export function wireCompany(company: DemoCompany): WireCompany {
  return {
    company_key: company.company_key,
    company_name: company.company_name,
    isin: company.isinWithheld ? null : company.isin,
    lei: company.lei,
    figi: company.figi,
    cik: company.cik,
    fiscal_year_end_month: company.fiscal_year_end_month,
    ticker: company.ticker,
    mic: company.mic,
    exchange: company.exchange,
    country: company.country,
    sector: company.sector,
    industry: company.industry,
  };
}
