import { completeIsin } from '../../identifiers/codes.ts';
import { Random } from '../random.ts';
import { generatedName } from './generatedNames.ts';
import {
  type CompanyProfile,
  firstFiscalYear,
  inventedFigi,
  inventedLei,
  lastFiscalYear,
  type Publication,
} from './profile.ts';

interface Market {
  readonly country: string;
  readonly code: string;
  readonly mic: string;
  readonly exchange: string;
  readonly language: string;
  readonly yearEnds: readonly number[];
  readonly withheld?: true;
  readonly eu?: true;
}

const markets: readonly Market[] = [
  market('United States', 'US', 'XNYS', 'New York Stock Exchange', 'en', [12, 12, 6, 9], { withheld: true }),
  market('United States', 'US', 'XNAS', 'Nasdaq', 'en', [12, 12, 9], { withheld: true }),
  market('Canada', 'CA', 'XTSE', 'Toronto Stock Exchange', 'en', [12], { withheld: true }),
  market('United Kingdom', 'GB', 'XLON', 'London Stock Exchange', 'en', [12, 3, 9], { withheld: true }),
  market('Germany', 'DE', 'XETR', 'Xetra', 'de', [12, 12, 9], { eu: true }),
  market('France', 'FR', 'XPAR', 'Euronext Paris', 'fr', [12], { eu: true }),
  market('Netherlands', 'NL', 'XAMS', 'Euronext Amsterdam', 'nl', [12], { eu: true }),
  market('Sweden', 'SE', 'XSTO', 'Nasdaq Stockholm', 'sv', [12], { eu: true }),
  market('Spain', 'ES', 'XMAD', 'Bolsa de Madrid', 'es', [12], { eu: true }),
  market('Italy', 'IT', 'MTAA', 'Euronext Milan', 'it', [12, 6], { eu: true }),
  market('Japan', 'JP', 'XTKS', 'Tokyo Stock Exchange', 'en', [3, 3, 12]),
  market('India', 'IN', 'XNSE', 'National Stock Exchange of India', 'en', [3]),
  market('Australia', 'AU', 'XASX', 'Australian Securities Exchange', 'en', [6, 12]),
  market('Brazil', 'BR', 'BVMF', 'B3', 'pt', [12]),
  market('South Korea', 'KR', 'XKRX', 'Korea Exchange', 'en', [12]),
  market('South Africa', 'ZA', 'XJSE', 'Johannesburg Stock Exchange', 'en', [6, 12, 3]),
];

function market(
  country: string,
  code: string,
  mic: string,
  exchange: string,
  language: string,
  yearEnds: readonly number[],
  more: Pick<Market, 'withheld' | 'eu'> = {},
): Market {
  return { country, code, mic, exchange, language, yearEnds, ...more };
}

const specialtyTypes = ['ESGD', 'TCFD', 'CGOV', 'MSST', 'GRIX', 'CLIM', 'GPGR', 'UNGC', 'WATR', 'BNDI'] as const;

/**
 * An invented company made from its number, 0 to 99,999. Different numbers give different keys, names and
 * identifiers, and none of a company written by hand.
 */
export function generatedProfile(index: number, seed: number): CompanyProfile {
  const random = new Random(seed, 'company', index);
  const place = random.pick(markets);
  const { name, alias, business } = generatedName(index, seed, place.country);
  const ticker = tickerOf(index);
  const scope1 = random.int(20, 3000) * random.int(20, 900);
  return {
    company: {
      company_key: `${place.mic}_${ticker}`,
      formerKeys: [],
      company_name: name,
      aliases: [alias],
      isin: completeIsin(`${place.code}99${index.toString(36).toUpperCase().padStart(7, '0')}`),
      isinWithheld: place.withheld ?? false,
      lei: random.chance(0.9) ? inventedLei(`G${index.toString(36).toUpperCase().padStart(11, '0')}`) : null,
      figi: random.chance(0.9) ? inventedFigi(`9${consonantCode(index, 5)}`) : null,
      cik: place.code === 'US' ? String(9_950_000 + index) : null,
      fiscal_year_end_month: random.pick(place.yearEnds),
      ticker,
      mic: place.mic,
      exchange: place.exchange,
      country: place.country,
      sector: business[0],
      industry: business[1],
      nace_code: business[2],
      naics_code: business[3],
      languages: [place.language],
    },
    publications: publicationsOf(random),
    coverLead: random.chance(0.1) ? 1 : 0,
    yearLabel: random.pick(['end', 'end', 'span', 'start']),
    eu: place.eu ?? false,
    gri: [random.int(2016, 2020), random.chance(0.5) ? random.int(2019, 2024) : null],
    sbti: random.chance(0.5) ? { committed: random.int(2018, 2022), set: random.int(2022, 2026) } : {},
    sdgs: [3, 5, 7, 8, 12, 13].filter(() => random.chance(0.7)),
    assurance: random.chance(0.5)
      ? {
          provider: random.pick(['Marlow & Pike Assurance LLP', 'Ridgeline Verification Services']),
          since: random.int(2017, 2022),
          standard: 'ISAE 3000',
          reasonableSince: null,
        }
      : null,
    emissions: [
      scope1,
      Math.round(scope1 * (0.2 + random.next())),
      scope1 * random.int(2, 14),
      random.next() * 0.06 - 0.05,
    ],
  };
}

function publicationsOf(random: Random): Publication[] {
  const since = random.int(firstFiscalYear, 2022);
  const main = random.pick(['SR', 'SR', 'IR', 'AR2']);
  const publications = [publication(main, since)];
  if (main === 'SR' && random.chance(0.4)) publications.push(publication('AR1', random.int(since, 2023)));
  if (random.chance(0.4)) publications.push(publication(random.pick(specialtyTypes), random.int(2020, lastFiscalYear)));
  return publications;
}

function publication(type: string, from: number): Publication {
  return { type, from, until: lastFiscalYear, every: 1, copies: 1, lang: null };
}

/** Five letters, the last an X, which no ticker written by hand ends with. */
function tickerOf(index: number): string {
  // 7919 has no common factor with 26^4, so different numbers give different letters.
  let rest = (index * 7919 + 104_729) % 456_976;
  let letters = '';
  for (let place = 0; place < 4; place++) {
    letters += String.fromCharCode(65 + (rest % 26));
    rest = Math.floor(rest / 26);
  }
  return `${letters}X`;
}

const figiLetters = '0123456789BCDFGHJKLMNPQRSTVWXYZ';

function consonantCode(index: number, length: number): string {
  let rest = index;
  let code = '';
  for (let place = 0; place < length; place++) {
    code = (figiLetters[rest % figiLetters.length] ?? '0') + code;
    rest = Math.floor(rest / figiLetters.length);
  }
  return code;
}
