import { hashOf, Random } from '../random.ts';
import { emissionsOf } from './emissions.ts';
import type { CompanyProfile } from './profile.ts';
import { firstFiscalYear } from './profile.ts';

/** Financial key figures of a fiscal year; revenue and result in millions of the company's currency. */
export interface FinancialYear {
  readonly fiscalYear: number;
  readonly revenue: number;
  readonly result: number;
  readonly employees: number;
}

const currencies: Readonly<Record<string, readonly [code: string, perEuro: number]>> = {
  'United States': ['USD', 1],
  Canada: ['CAD', 1.4],
  Brazil: ['BRL', 5],
  Switzerland: ['CHF', 1],
  'United Kingdom': ['GBP', 0.9],
  Sweden: ['SEK', 11],
  Denmark: ['DKK', 7],
  Japan: ['JPY', 150],
  'South Korea': ['KRW', 1400],
  India: ['INR', 85],
  Australia: ['AUD', 1.6],
  'South Africa': ['ZAR', 19],
  'United Arab Emirates': ['AED', 4],
};

export function currencyOf(country: string): string {
  return currencies[country]?.[0] ?? 'EUR';
}

/** The same figures whichever report states them. */
export function financialsOf(
  profile: Pick<CompanyProfile, 'company' | 'emissions'>,
  fiscalYear: number,
): FinancialYear {
  const { company } = profile;
  const size = 300 + (hashOf(`size ${company.company_key}`) % 9000);
  let course = 1;
  for (let year = firstFiscalYear; year < fiscalYear; year++) {
    course *= 1 + (new Random('growth', company.company_key, year).next() * 0.12 - 0.03);
  }
  const random = new Random('result', company.company_key, fiscalYear);
  const revenue = Math.round(size * (currencies[company.country]?.[1] ?? 1) * course);
  const people = size * (2.2 + (emissionsOf(profile, firstFiscalYear).scope1 % 7) / 3);
  return {
    fiscalYear,
    revenue,
    result: Math.round(revenue * (0.05 + random.next() * 0.09)),
    employees: Math.round(people * (0.7 + course * 0.3)),
  };
}
