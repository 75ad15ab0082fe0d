import { breather } from '../base/clock.ts';
import { questionWords } from './concepts.ts';
import { normalForm } from './normalForm.ts';
import { firstRow, type PageStore, placeOfRow, rowsOfPdf, type StoredPdf } from './pages.ts';
import type { Phrase } from './query.ts';
import { type AskedQuestion, readQuestion, withoutWords } from './question.ts';
import { snippetOf } from './snippet.ts';
import type { PageHit } from './textIndex.ts';
import { wordsOf } from './words.ts';

export interface CalledReport {
  readonly sha256: string;
  readonly company: string;
  /** Years that it is about, as its record tells. */
  readonly years: readonly number[];
}

interface RankPages {
  /** The PDFs to look in; what is not among them is never answered. */
  readonly pdfs: readonly StoredPdf[];
  /** What is known of them, by which a question that names a company or a year is led there. */
  readonly reports: readonly CalledReport[];
  /** At most so many pages, the best first. */
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

/** Pages weighed for one question. */
const maxWeighed = 160;
/** The best pages that are read, however few are asked for: demoted pages then leave the same others room. */
const maxRead = 50;
/** Up to so many PDFs are asked one by one, which leaves everything else in the index alone. */
const fewPdfs = 24;
/** Where those have fewer pages than these, all others are looked through as well. */
const enoughPages = 40;

/**
 * The pages that most likely answer a question in plain words, the best first, as FTS5 ranks them by its subjects and
 * their other names, first of all in the reports that it means. By measurements on the demo's reports, weighing
 * nearness, headings and neighbours too adds nothing. Nothing is learnt or sent. Rejects with the signal's reason, or a
 * `TextError`.
 */
export async function rankPages(store: PageStore, text: string, options: RankPages): Promise<PageHit[]> {
  const asked = readQuestion(text);
  const { lifts, others, nameWords } = likelyReports(asked, options.reports);
  const phrases = withoutWords(asked, nameWords).subjects.flatMap((subject) => subject.phrases);
  const match = matchOf(phrases);
  if (match === null) return [];
  const byFirst = new Map(options.pdfs.filter(({ state }) => state === 'text').map((pdf) => [firstRow(pdf), pdf]));
  const liftOf = ({ sha256 }: StoredPdf) => lifts.get(sha256) ?? others;
  const found = await candidates(store, match, byFirst, others < 1 ? lifts : new Map(), options.signal);
  const weighed = [...found].flatMap(([row, score]) => {
    const { first, page } = placeOfRow(row);
    const pdf = byFirst.get(first);
    return pdf ? [{ pdf, page, row, score: score * liftOf(pdf) }] : [];
  });
  const best = weighed.sort(better).slice(0, Math.max(maxRead, options.limit));
  const namesCode = standards.test(text);
  const read = best.flatMap(({ pdf, page, row, score }) => {
    const { label, text: words } = store.page(pdf, page) ?? {};
    if (words === undefined) return [];
    return [{ pdf, page, row, label: label ?? null, words, score: score * dampOf(words, namesCode) }];
  });
  const answered = read.sort(better).slice(0, options.limit);
  return answered.map(({ pdf, page, label, words }) => ({
    ...{ sha256: pdf.sha256, page, label },
    ...snippetOf(words, phrases),
  }));
}

interface Weighed {
  readonly score: number;
  readonly row: number;
}

const better = (a: Weighed, b: Weighed) => b.score - a.score || a.row - b.row;

const standards = /\b(?:gri|esrs)\b/iu;

/** Contents and indexes name everything and answer nothing, unless a disclosure's code is asked for. */
function dampOf(text: string, namesCode: boolean): number {
  if (text.split(/(?:\. ?){6}/).length > 3) return 0.3;
  return !namesCode && text.split(standards).length > 5 ? 0.6 : 1;
}

/** Any page that has anything of what is asked for; null where a question asks for nothing. */
function matchOf(phrases: readonly Phrase[]): string | null {
  const columns = (['text', 'pairs'] as const).flatMap((column) => {
    const own = phrases.filter((phrase) => phrase.column === column);
    const wanted = new Set(own.map(({ words, prefix }) => `"${words.join(' ')}"${prefix ? ' *' : ''}`));
    return wanted.size === 0 ? [] : [`${column} : (${[...wanted].join(' OR ')})`];
  });
  return columns.length === 0 ? null : columns.join(' OR ');
}

const inPdf = 'SELECT rowid, -rank FROM pages WHERE pages MATCH ? AND rowid > ? AND rowid < ? ORDER BY rank LIMIT ?';
const inAll = 'SELECT rowid, -rank FROM pages WHERE pages MATCH ? ORDER BY rank LIMIT ?';

/** The scores of pages, by their rows: of the companies that the question names; of all where those are too few. */
async function candidates(
  store: PageStore,
  match: string,
  byFirst: ReadonlyMap<number, StoredPdf>,
  named: ReadonlyMap<string, number>,
  signal: AbortSignal | undefined,
): Promise<ReadonlyMap<number, number>> {
  const likely = [...byFirst].filter(([, { sha256 }]) => named.has(sha256));
  likely.sort(([, a], [, b]) => (named.get(b.sha256) ?? 0) - (named.get(a.sha256) ?? 0));
  const few = byFirst.size <= fewPdfs ? [...byFirst] : likely.slice(0, fewPdfs);
  const each = Math.max(12, Math.floor(maxWeighed / Math.max(1, few.length)));
  const found = new Map<number, number>();
  const breathe = breather();
  const pause = async () => {
    await breathe();
    signal?.throwIfAborted();
  };
  for (const [first] of few) {
    await pause();
    // As integers: a number would come as one with a fraction, by which the index can't leap.
    const rows = store.db.all(inPdf, match, BigInt(first), BigInt(first + rowsOfPdf), each);
    for (const [row, score] of rows) found.set(Number(row), Number(score));
  }
  if (byFirst.size > few.length && found.size < enoughPages)
    for (const [row, score] of await fromAll(store, match, byFirst, pause)) found.set(row, score);
  return found;
}

async function fromAll(
  store: PageStore,
  match: string,
  byFirst: ReadonlyMap<number, StoredPdf>,
  pause: () => Promise<void>,
) {
  for (let limit = maxWeighed; ; limit *= 8) {
    await pause();
    const rows = store.db.all(inAll, match, limit).map(([row, score]) => [Number(row), Number(score)] as const);
    const wanted = rows.filter(([row]) => byFirst.has(placeOfRow(row).first));
    // Pages of another licence may stand before those that are wanted.
    if (wanted.length >= maxWeighed || rows.length < limit) return wanted.slice(0, maxWeighed);
  }
}

interface LikelyReports {
  /** By hash, how likely it is. */
  readonly lifts: ReadonlyMap<string, number>;
  /** How likely any other is: 1, and less where a company was named. */
  readonly others: number;
  /** Words of the names of companies that were named: they lead to the reports, and say nothing of a page. */
  readonly nameWords: ReadonlySet<string>;
}

/** How much the year that is named lifts a report's pages, and what is left of those of companies that are not. */
const yearGain = 0.6;
const notNamed = 0.02;

const namedWords = (text: string) => wordsOf(normalForm(text)).map(({ word }) => word);

/**
 * How likely a question means each report: more so those of a company or a year that it names. A name counts by its
 * rare words: `Orlestone` leads to both companies called so, `Orlestone Banking` to one.
 */
function likelyReports(question: AskedQuestion, reports: readonly CalledReport[]): LikelyReports {
  const companies = [...new Set(reports.map(({ company }) => company))];
  const named = namedCompanies(question, companies);
  const likely = new Map<string, number>();
  for (const { sha256, company, years } of reports) {
    const isNamed = named.has(company);
    const fits = question.years.some((year) => years.includes(year));
    const factor = fits ? 1 + yearGain : 1;
    if (isNamed || (named.size === 0 && fits)) likely.set(sha256, Math.max(factor, likely.get(sha256) ?? 0));
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
