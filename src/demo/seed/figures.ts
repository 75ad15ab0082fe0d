import names from '../data/names.json' with { type: 'json' };
import { hashNumber, Random } from '../random.ts';
import { type CompanyProfile, firstFiscalYear } from './companies.ts';

/** A company's figures of a fiscal year. They are the same whichever report states them. */
export type YearFigures = Readonly<ReturnType<typeof figuresOf>>;

/** A steady course with a little noise, and a dip in 2020 and 2021. Unknown before the first fiscal year. */
export function figuresOf({ company, emissions }: CompanyProfile, fiscalYear: number) {
  const { scope1, scope2, scope3, yearlyChange } = emissions;
  const years = fiscalYear - firstFiscalYear;
  const dip = fiscalYear === 2020 ? 0.91 : fiscalYear === 2021 ? 0.96 : 1;
  const random = new Random('emissions', company.company_key, fiscalYear);
  const course = compound(years, () => yearlyChange) * dip;
  const around = () => course * (0.985 + random.next() * 0.03);
  const renewable = Math.min(96, Math.max(3, Math.round(12 + years * (2 - yearlyChange * 90))));
  const scope2Location = Math.round(scope2 * around());

  const size = 300 + (hashNumber(`size ${company.company_key}`) % 9000);
  const growth = new Random('growth', company.company_key);
  const grown = compound(years, () => growth.next() * 0.12 - 0.03);
  const revenue = Math.round(size * currencyOf(company.country).perEuro * grown);
  return {
    fiscalYear,
    // Emissions in tonnes of CO2 equivalent, energy in GWh, renewable in percent of electricity, water in thousands of
    // cubic meters, waste in tonnes; revenue and result in millions of the company's currency.
    scope1: Math.round(scope1 * around()),
    scope2Location,
    scope2Market: Math.round(scope2Location * (1 - renewable / 130)),
    scope3: Math.round(scope3 * around()),
    energy: Math.max(1, Math.round(((scope1 * 4.1 + scope2 * 2.6) / 1000) * around())),
    renewable,
    water: Math.max(2, Math.round(((scope1 + scope2) / 210) * around())),
    waste: Math.max(40, Math.round(((scope1 + scope2) / 55) * around())),
    revenue,
    result: Math.round(revenue * (0.05 + random.next() * 0.09)),
    employees: Math.round(size * (2.2 + (scope1 % 7) / 3) * (0.7 + grown * 0.3)),
  };
}

function compound(years: number, change: () => number): number {
  let course = 1;
  for (let year = 0; year < years; year++) course *= 1 + change();
  return course;
}

/** Code of a country's currency, and about how many of it make a euro. */
export function currencyOf(country: string): { readonly code: string; readonly perEuro: number } {
  return names.currencies.find((each) => each.country === country) ?? { code: 'EUR', perEuro: 1 };
}

/** The values of a table in a fiscal year, one for each row in `words.*.json`; they add up to the year's figures. */
const tables = {
  emissions({ scope1, scope2Location, scope2Market, scope3 }) {
    return [scope1, scope2Location, scope2Market, scope3, scope1 + scope2Market + scope3];
  },
  resources: ({ energy, renewable, water }) => [energy, renewable, water],
  figures: ({ revenue, result, employees }) => [revenue, result, employees],
  scope3: ({ scope3 }, random) => shares(scope3, weights(random, 10)),
  energy: ({ energy }, random) => shares(energy * 1000, weights(random, 5)),
  waste: ({ waste }, random) => shares(waste, weights(random, 5)),
  workforce({ employees, fiscalYear }, random) {
    const since = fiscalYear - firstFiscalYear;
    const women = random.int(18, 55);
    const managers = random.int(12, women);
    const partTime = random.int(3, 24);
    const turnover = random.int(4, 16) + (fiscalYear % 3);
    const hours = random.int(9, 30) + since;
    return [employees, women + (since >> 2), managers + (since >> 1), partTime, turnover, hours, 14 - since];
  },
  income({ revenue, result }, random) {
    const selling = Math.round(revenue * (0.08 + random.next() * 0.12));
    const research = Math.round(revenue * random.next() * 0.06);
    const gross = result + selling + research;
    return [revenue, revenue - gross, gross, selling, research, result];
  },
  balance({ revenue }, random) {
    const total = Math.round(revenue * (0.8 + random.next()));
    return [...shares(total, weights(random, 5)), ...shares(total, weights(random, 4)), total];
  },
} satisfies Readonly<Record<string, (year: YearFigures, random: Random) => readonly number[]>>;

export type DetailTable = keyof typeof tables;

export function detailsOf({ company }: CompanyProfile, table: DetailTable, year: YearFigures): readonly number[] {
  return tables[table](year, new Random(table, company.company_key));
}

/** Sites with place, kind (in `words.*.json`) and their part of employees, energy, emissions, water and waste. */
export function sitesOf({ company }: CompanyProfile, count: number, year: YearFigures) {
  const random = new Random('sites', company.company_key);
  const sizes = Array.from({ length: count }, () => 0.1 + random.next() ** 3);
  const totals = [year.employees, year.energy * 1000, year.scope1 + year.scope2Market, year.water * 1000, year.waste];
  const weighed = () => sizes.map((size) => size * (0.7 + random.next() * 0.6));
  const columns = totals.map((total) => shares(total, weighed()));
  const first = random.int(0, 2_379);
  return sizes.map((_, index) => ({
    kind: random.int(0, 4),
    place: placeName(first + index * 71),
    values: columns.map((column) => column[index] ?? 0),
  }));
}

/** A name like a place's, of 2,380; with a trade or a kind of site it names nothing that we know of. */
export function placeName(index: number): string {
  const { stems, endings } = names;
  return `${stems[index % stems.length]}${endings[Math.floor(index / stems.length) % endings.length]}`;
}

function weights(random: Random, count: number): number[] {
  return Array.from({ length: count }, () => 0.1 + random.next());
}

/** Whole numbers that are to each other as the weights are, and whose sum is the total. */
function shares(total: number, parts: readonly number[]): number[] {
  const sum = parts.reduce((all, part) => all + part, 0);
  let given = 0;
  let before = 0;
  return parts.map((part, index) => {
    before += part;
    const share = (index === parts.length - 1 ? total : Math.round((total * before) / sum)) - given;
    given += share;
    return share;
  });
}
