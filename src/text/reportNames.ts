import { questionWords } from './concepts.ts';
import { normalForm } from './normalForm.ts';
import type { AskedQuestion } from './question.ts';
import { wordsOf } from './words.ts';

export interface CalledReport {
  readonly sha256: string;
  readonly company: string;
  readonly title: string;
  /** Years that it is about, as its record tells. */
  readonly years: readonly number[];
}

export interface LikelyReports {
  /** By hash, how likely it is. */
  readonly lifts: ReadonlyMap<string, number>;
  /** How likely any other is: 1, and less where a company was named. */
  readonly others: number;
  /** Words of the names of companies that were named: they lead to the reports, and say nothing of a page. */
  readonly nameWords: ReadonlySet<string>;
}

/** How much a company that is named, its year, and words of the title lift a report's pages. */
const gains = { year: 0.6, title: 0.5 };
const notNamed = 0.02;

const namedWords = (text: string) => wordsOf(normalForm(text)).map(({ word }) => word);

/**
 * How likely a question means each report: more so those of a company that it names, of a year, or whose title it uses
 * words of. A name counts by its rare words: `Orlestone` leads to both companies called
 * so, `Orlestone Banking` to one.
 */
export function likelyReports(question: AskedQuestion, reports: readonly CalledReport[]): LikelyReports {
  const asked = new Set(question.words);
  const companies = [...new Set(reports.map(({ company }) => company))];
  const named = namedCompanies(question, companies);
  const likely = new Map<string, number>();
  for (const { sha256, company, title, years } of reports) {
    const isNamed = named.has(company);
    const fits = question.years.some((year) => years.includes(year));
    const byTitle = titleShare(title, company, asked);
    const factor = (1 + (fits ? gains.year : 0)) * (1 + gains.title * byTitle);
    if (isNamed || (named.size === 0 && factor > 1)) likely.set(sha256, Math.max(factor, likely.get(sha256) ?? 0));
  }
  const nameWords = new Set([...named].flatMap(namedWords));
  return { lifts: likely, others: named.size === 0 ? 1 : notNamed, nameWords };
}

/** The companies that are named best, by words that few others have in their names. */
function namedCompanies({ words, capital, topical }: AskedQuestion, companies: readonly string[]): Set<string> {
  const wordsOfName = new Map(companies.map((company) => [company, [...new Set(namedWords(company))]]));
  const holders = new Map<string, number>();
  for (const list of wordsOfName.values()) for (const word of list) holders.set(word, (holders.get(word) ?? 0) + 1);
  const asked = new Set(words);
  let best = 0;
  const scores = companies.map((company) => {
    const list = wordsOfName.get(company) ?? [];
    const hits = list.filter((word) => asked.has(word) && !questionWords.has(word) && word.length > 1);
    const rare = hits.filter((word) => (holders.get(word) ?? 0) <= Math.max(2, companies.length / 100));
    // `water` alone names no company; `Kestrelmoor` does, or a later word of a name that is written as one.
    const names = (word: string) => !topical.has(word) && (word === list[0] || capital.has(word));
    const isName = rare.some(names) || rare.length > 1;
    const score = isName ? hits.reduce((sum, word) => sum + 1 / (holders.get(word) ?? 1), 0) : 0;
    best = Math.max(best, score);
    return [company, score] as const;
  });
  return new Set(scores.flatMap(([company, score]) => (score > 0 && score >= 0.75 * best ? [company] : [])));
}

/** How much of a title's own words are asked for, from 0 to 1. */
function titleShare(title: string, company: string, asked: ReadonlySet<string>): number {
  const ofCompany = new Set(namedWords(company));
  const own = namedWords(title).filter((word) => !ofCompany.has(word) && !/^\d+$/.test(word) && !small.has(word));
  const words = [...new Set(own)];
  return words.length === 0 ? 0 : words.filter((word) => asked.has(word)).length / words.length;
}

/** Words of titles that say nothing; `report` does not, since nearly all are. */
const small: ReadonlySet<string> = new Set([...questionWords, 'report', 'rapport', 'bericht', 'informe']);
