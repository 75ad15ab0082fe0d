import names from '../../../src/demo/data/names.json' with { type: 'json' };
import { Random } from '../../../src/demo/random.ts';
import { createCatalog } from '../../../src/demo/seed/catalog.ts';
import {
  type CompanyProfile,
  demoCompanies,
  firstFiscalYear,
  lastFiscalYear,
  type Publication,
  type YearLabel,
} from '../../../src/demo/seed/companies.ts';
import { placeName } from '../../../src/demo/seed/figures.ts';
import { completeFigi, completeIsin, completeLei } from '../../../src/identifiers/codes.ts';
import kinds from './generated.json' with { type: 'json' };

/** What a service over a seeded catalog is started with: so many companies that it licenses, and two more. */
export function seeded(licensed: number) {
  const catalog = catalogOf(licensed + 2);
  return { catalog, unlicensed: catalog.companies.slice(licensed).map(({ company_key }) => company_key) };
}

/** A catalog of so many companies: those of the demo, and generated ones after them, the same each time. */
export function catalogOf(companies: number) {
  const more = Array.from({ length: Math.max(0, companies - demoCompanies.length) }, (_, index) =>
    // The first two are the companies of the demo that are outside every license.
    generatedProfile(index + 2),
  );
  return createCatalog([...demoCompanies.slice(0, companies), ...more]);
}

type Market = (typeof kinds.markets)[number];
type Trade = (typeof kinds.trades)[number];

const yearLabels: readonly YearLabel[] = ['end', 'end', 'span', 'start'];
const specialtyTypes = ['ESGD', 'TCFD', 'CGOV', 'MSST', 'GRIX', 'CLIM', 'GPGR', 'UNGC', 'WATR', 'BNDI'] as const;

const figiLetters = '0123456789BCDFGHJKLMNPQRSTVWXYZ';

/**
 * An invented company made from its number, 0 to 99,999. Different numbers give different keys, names and
 * identifiers, and none of a company written by hand.
 */
function generatedProfile(index: number): CompanyProfile {
  const random = new Random(1, 'company', index);
  const place = random.pick<Market>(kinds.markets);
  const { alias, trade } = generatedName(index);
  const ticker = tickerOf(index);
  const scope1 = random.int(20, 3000) * random.int(20, 900);
  return {
    company: {
      company_key: `${place.mic}_${ticker}`,
      formerKeys: [],
      company_name: `${alias} ${place.legalForm}`,
      aliases: [alias],
      isin: completeIsin(`${place.code}99${index.toString(36).toUpperCase().padStart(7, '0')}`),
      isinWithheld: place.withheld ?? false,
      lei: random.chance(0.9) ? completeLei(`DEMO00G${index.toString(36).toUpperCase().padStart(11, '0')}`) : null,
      figi: random.chance(0.9)
        ? completeFigi(`BBG9Z9${[...lettersOf(index, figiLetters, 5)].toReversed().join('')}`)
        : null,
      cik: place.code === 'US' ? String(9_950_000 + index) : null,
      fiscal_year_end_month: random.pick(place.yearEnds),
      ...{ ticker, mic: place.mic, exchange: place.exchange, country: place.country, languages: [place.language] },
      ...{ sector: trade.sector, industry: trade.industry, nace_code: trade.nace, naics_code: trade.naics },
    },
    publications: publicationsOf(random),
    coverLead: random.chance(0.1) ? 1 : 0,
    yearLabel: random.pick(yearLabels),
    eu: place.eu ?? false,
    gri: [random.int(2016, 2020), random.chance(0.5) ? random.int(2019, 2024) : null],
    sbti: random.chance(0.5) ? { committed: random.int(2018, 2022), set: random.int(2022, 2026) } : {},
    sdgs: [3, 5, 7, 8, 12, 13].filter(() => random.chance(0.7)),
    ...(random.chance(0.5) && {
      assurance: {
        provider: random.pick(['Marlow & Pike Assurance LLP', 'Ridgeline Verification Services']),
        since: random.int(2017, 2022),
        standard: 'ISAE 3000',
      },
    }),
    emissions: {
      scope1,
      scope2: Math.round(scope1 * (0.2 + random.next())),
      scope3: scope1 * random.int(2, 14),
      yearlyChange: random.next() * 0.06 - 0.05,
    },
  };
}

function publicationsOf(random: Random): Publication[] {
  const since = random.int(firstFiscalYear, 2022);
  const main = random.pick(['SR', 'SR', 'IR', 'AR2']);
  const publications: Publication[] = [{ type: main, from: since }];
  if (main === 'SR' && random.chance(0.4)) publications.push({ type: 'AR1', from: random.int(since, 2023) });
  if (random.chance(0.4)) {
    const type = random.pick(specialtyTypes);
    publications.push({ type, from: random.int(2020, lastFiscalYear) });
  }
  return publications;
}

/** Five letters, the last an X, which no ticker written by hand ends with. */
function tickerOf(index: number): string {
  // 7919 has no common factor with 26^4, so different numbers give different letters.
  return `${lettersOf((index * 7919 + 104_729) % 456_976, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 4)}X`;
}

/** A number written with the given letters, its lowest place first. */
function lettersOf(index: number, letters: string, length: number): string {
  const digits = Array.from({ length }, (_, place) => Math.floor(index / letters.length ** place) % letters.length);
  return digits.map((digit) => letters[digit]).join('');
}

const combinations = names.stems.length * names.endings.length * kinds.trades.length;

/** A name that no other number below 57,120 gives, with its trade. */
function generatedName(index: number): { readonly alias: string; readonly trade: Trade } {
  // 7919 has no common factor with the number of combinations, so that the steps visit each of them once.
  const place = (index * 7919 + 1) % combinations;
  const trade = kinds.trades[Math.floor(place / (names.stems.length * names.endings.length))];
  if (!trade) throw new RangeError(`There is no company number ${index}.`);
  return { alias: `${placeName(place)} ${trade.word}`, trade };
}
