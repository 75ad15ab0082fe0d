import { completeFigi, completeIsin, completeLei } from '../../identifiers/codes.ts';
import { parseCompanyKey } from '../../identifiers/reportKey.ts';
import type { DemoCompany } from '../catalogue.ts';

/** A kind of report that a company publishes for every fiscal year from `from` to `until`. */
export interface Publication {
  readonly type: string;
  readonly from: number;
  readonly until: number;
  /** Years between two issues; 1 unless told. */
  readonly every: number;
  /** How many of them a year; the second one gets a suffix. */
  readonly copies: number;
  /** One or two language codes, separated by a semicolon; the company's first language unless told. */
  readonly lang: string | null;
}

/** Who assures the reports, from which fiscal year on, and how. */
export interface AssuranceHabit {
  readonly provider: string;
  readonly since: number;
  readonly standard: string;
  /** Reasonable assurance from this fiscal year on; limited before. */
  readonly reasonableSince: number | null;
}

/** How a company names and dates its fiscal years. */
export type YearLabel = 'end' | 'start' | 'span';

/** Everything from which a company's reports follow. */
export interface CompanyProfile {
  readonly company: DemoCompany;
  readonly publications: readonly Publication[];
  /** Cover year less fiscal year. */
  readonly coverLead: number;
  readonly yearLabel: YearLabel;
  /** True where the EU's rules apply (Taxonomy, ESRS). */
  readonly eu: boolean;
  /** First fiscal years in which GRI is referenced, and reported in accordance with; null means never. */
  readonly gri: readonly [referenced: number | null, accordance: number | null];
  /** First fiscal years of a commitment to science-based targets, of targets set, of the commitment's removal. */
  readonly sbti: { readonly committed?: number; readonly set?: number; readonly removed?: number };
  readonly sdgs: readonly number[];
  readonly assurance: AssuranceHabit | null;
  /** Scope 1, 2 and 3 emissions in the first fiscal year, tonnes of CO2 equivalent, and their yearly change. */
  readonly emissions: readonly [scope1: number, scope2: number, scope3: number, yearlyChange: number];
}

/** How a company is written down by hand. */
export interface CompanyRow {
  readonly key: string;
  readonly name: string;
  readonly formerKeys?: readonly string[];
  readonly aliases?: readonly string[];
  /** First 11 characters of the ISIN. */
  readonly isin?: string;
  readonly isinWithheld?: boolean;
  /** Up to 12 letters or digits that tell the LEI apart. */
  readonly lei?: string;
  /** 6 consonants or digits that tell the FIGI apart. */
  readonly figi?: string;
  readonly cik?: string;
  readonly fiscalYearEnd: number;
  readonly exchange?: string;
  readonly country: string;
  readonly business: readonly [sector: string, industry: string, nace: string, naics: string];
  readonly languages: readonly string[];
  readonly publishes: readonly PublicationRow[];
  readonly coverLead?: number;
  readonly yearLabel?: YearLabel;
  readonly eu?: boolean;
  readonly gri?: readonly [number | null, number | null];
  readonly sbti?: CompanyProfile['sbti'];
  readonly sdgs: readonly number[];
  readonly assurance?: readonly [provider: string, since: number, standard: string, reasonableSince?: number];
  readonly emissions: CompanyProfile['emissions'];
}

export type PublicationRow = readonly [
  type: string,
  from?: number | undefined,
  until?: number | undefined,
  more?: { readonly every?: number; readonly copies?: number; readonly lang?: string },
];

/** Fiscal years of the catalogue, both included. */
export const firstFiscalYear = 2016;
export const lastFiscalYear = 2025;

/** An LEI of a registrar that does not exist, so that it is nobody's; its check digits are right. */
export function inventedLei(entity: string): string {
  return completeLei(`DEMO00${entity.padStart(12, '0')}`);
}

/** A FIGI from a range far beyond what has been given out; its check digit is right. */
export function inventedFigi(six: string): string {
  return completeFigi(`BBG9Z${six}`);
}

export function profileOf(row: CompanyRow): CompanyProfile {
  const parts = parseCompanyKey(row.key);
  const [sector, industry, nace_code, naics_code] = row.business;
  return {
    company: {
      company_key: row.key,
      formerKeys: [...(row.formerKeys ?? [])],
      company_name: row.name,
      aliases: [...(row.aliases ?? [])],
      isin: row.isin === undefined ? null : completeIsin(row.isin),
      isinWithheld: row.isinWithheld ?? false,
      lei: row.lei === undefined ? null : inventedLei(row.lei),
      figi: row.figi === undefined ? null : inventedFigi(row.figi),
      cik: row.cik ?? null,
      fiscal_year_end_month: row.fiscalYearEnd,
      ticker: parts?.listed ? parts.ticker : null,
      mic: parts?.listed ? parts.mic : null,
      exchange: row.exchange ?? null,
      country: row.country,
      sector,
      industry,
      nace_code,
      naics_code,
      languages: [...row.languages],
    },
    publications: row.publishes.map(([type, from, until, more]) => ({
      type,
      from: from ?? firstFiscalYear,
      until: until ?? lastFiscalYear,
      every: more?.every ?? 1,
      copies: more?.copies ?? 1,
      lang: more?.lang ?? null,
    })),
    coverLead: row.coverLead ?? 0,
    yearLabel: row.yearLabel ?? 'end',
    eu: row.eu ?? false,
    gri: row.gri ?? [null, null],
    sbti: row.sbti ?? {},
    sdgs: row.sdgs,
    assurance: row.assurance
      ? {
          provider: row.assurance[0],
          since: row.assurance[1],
          standard: row.assurance[2],
          reasonableSince: row.assurance[3] ?? null,
        }
      : null,
    emissions: row.emissions,
  };
}
