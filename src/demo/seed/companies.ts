import { completeFigi, completeIsin, completeLei } from '../../identifiers/codes.ts';
import { parseCompanyKey } from '../../identifiers/reportKey.ts';
import type { DemoCompany } from '../catalogue.ts';
import rows from '../data/companies.json' with { type: 'json' };
import usual from '../data/usual.json' with { type: 'json' };

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

/** How a company names and dates its fiscal years. */
export type YearLabel = 'end' | 'start' | 'span';

/** What is told of a company's habits, in `companies.json` or by chance, beside its names and identifiers. */
interface Habits {
  /** Cover year less fiscal year. */
  readonly coverLead: number;
  readonly yearLabel: YearLabel;
  /** True where the EU's rules apply (Taxonomy, ESRS). */
  readonly eu: boolean;
  /** First fiscal years in which GRI is referenced, and reported in accordance with; null means never. */
  readonly gri: readonly (number | null)[];
  /** First fiscal years of a commitment to science-based targets, of targets set, of the commitment's removal. */
  readonly sbti: { readonly committed?: number; readonly set?: number; readonly removed?: number };
  readonly sdgs: readonly number[];
  /** The assurer, the first fiscal year it assures, and how; limited assurance before `reasonableSince`. */
  readonly assurance: {
    readonly provider: string;
    readonly since: number;
    readonly standard: string;
    readonly reasonableSince?: number;
  } | null;
  /** Emissions in the first fiscal year, tonnes of CO2 equivalent, and their yearly change. */
  readonly emissions: {
    readonly scope1: number;
    readonly scope2: number;
    readonly scope3: number;
    readonly yearlyChange: number;
  };
  /** Reports up to this fiscal year are scans: images of pages, without text. */
  readonly scannedUntil: number;
}

/** Everything from which a company's reports follow. */
export interface CompanyProfile extends Habits {
  readonly company: DemoCompany;
  readonly publications: readonly Publication[];
}

/** A company in `companies.json`: without defaults, and with its identifiers cut to what is not computed. */
interface CompanySeed extends Partial<Omit<Habits, 'sdgs' | 'emissions'>>, Pick<Habits, 'sdgs' | 'emissions'> {
  /**
   * Of the ISIN the first 11 characters, of the LEI up to 12 distinctive letters or digits, of the FIGI 6 consonants or
   * digits; market and ticker are in the key.
   */
  readonly company: Omit<DemoCompany, keyof typeof usual.company | 'mic' | 'ticker'> & Partial<typeof usualCompany>;
  readonly publications: readonly (Partial<Publication> & Pick<Publication, 'type'>)[];
}

/** What is left out of `companies.json`: an unlisted company without identifiers, and the most usual habits. */
const usualCompany: Pick<DemoCompany, keyof typeof usual.company> = usual.company;
const usualHabits = usual.habits as Omit<Habits, 'sdgs' | 'emissions'>;

/** Fiscal years of the catalogue, both included. */
export const firstFiscalYear = 2016;
export const lastFiscalYear = 2025;

/** The companies written by hand, all of them invented, in the order in which a small catalogue takes them. */
export const handWrittenCompanies: readonly CompanyProfile[] = (rows as readonly CompanySeed[]).map(profileOf);

/** An LEI of a registrar that does not exist, so that it is nobody's; its check digits are right. */
export function inventedLei(entity: string): string {
  return completeLei(`DEMO00${entity.padStart(12, '0')}`);
}

/** A FIGI from a range far beyond what has been given out; its check digit is right. */
export function inventedFigi(six: string): string {
  return completeFigi(`BBG9Z${six}`);
}

/** A publication of every year until the last, unless told otherwise. */
export function publicationOf(given: Partial<Publication> & Pick<Publication, 'type'>): Publication {
  return { from: firstFiscalYear, until: lastFiscalYear, every: 1, copies: 1, lang: null, ...given };
}

function profileOf({ company: given, publications, ...habits }: CompanySeed): CompanyProfile {
  const company = { ...usualCompany, ...given };
  const parts = parseCompanyKey(company.company_key);
  return {
    ...usualHabits,
    ...habits,
    company: {
      ...company,
      isin: company.isin && completeIsin(company.isin),
      lei: company.lei && inventedLei(company.lei),
      figi: company.figi && inventedFigi(company.figi),
      ticker: parts?.listed ? parts.ticker : null,
      mic: parts?.listed ? parts.mic : null,
    },
    publications: publications.map(publicationOf),
  };
}
