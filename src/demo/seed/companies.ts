import type { DemoCompany } from '../catalog.ts';
import rows from '../data/companies.json' with { type: 'json' };

/** Fiscal years of the catalog, both included. */
export const firstFiscalYear = 2016;
export const lastFiscalYear = 2025;

/** A kind of report that a company publishes. What is left out: every fiscal year, once, in its first language. */
export interface Publication {
  readonly type: string;
  /** First and last fiscal year. */
  readonly from?: number;
  readonly until?: number;
  /** Years between two issues. */
  readonly every?: number;
  /** How many of them a year; the second one gets a suffix. */
  readonly copies?: number;
  /** One or two language codes, separated by a semicolon. */
  readonly lang?: string;
}

/** How a company names its fiscal years: by the year of their end or their beginning, or by both. */
export type YearLabel = 'end' | 'start' | 'span';

/** Everything from which a company's reports follow. */
export interface CompanyProfile {
  readonly company: DemoCompany;
  readonly publications: readonly Publication[];
  /** Cover year less fiscal year, 0 by default. */
  readonly coverLead?: number;
  readonly yearLabel?: YearLabel;
  /** True where the EU's rules apply (Taxonomy, ESRS). */
  readonly eu?: boolean;
  /** First fiscal years in which GRI is referenced, and reported in accordance with; null means never. */
  readonly gri?: readonly (number | null)[];
  /** First fiscal years of a commitment to science-based targets, of targets set, of the commitment's removal. */
  readonly sbti?: { readonly committed?: number; readonly set?: number; readonly removed?: number };
  readonly sdgs: readonly number[];
  /** The assurer, the first fiscal year it assures, and how; limited assurance before `reasonableSince`. */
  readonly assurance?: {
    readonly provider: string;
    readonly since: number;
    readonly standard: string;
    readonly reasonableSince?: number;
  };
  /** Emissions in the first fiscal year, tonnes of CO2 equivalent, and their yearly change. */
  readonly emissions: {
    readonly scope1: number;
    readonly scope2: number;
    readonly scope3: number;
    readonly yearlyChange: number;
  };
  /** Reports up to this fiscal year are scans: images of pages, without text. */
  readonly scannedUntil?: number;
}

/** How many companies the demo licenses; the others are there to be outside. */
export const licensedCompanies = 24;

/** The companies of the demo, all of them invented. */
export const demoCompanies: readonly CompanyProfile[] = rows as readonly CompanyProfile[];
