import { breather } from '../base/clock.ts';
import { normalForm } from './normalForm.ts';
import { firstRow, type PageStore, placeOfRow, rowsOfPdf, type StoredPdf } from './pages.ts';
import { type Phrase, parseQuery, standsAt } from './query.ts';
import data from './questionWords.json' with { type: 'json' };
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
  /** The PDFs to search; no other is answered. */
  readonly pdfs: readonly StoredPdf[];
  /** What is known of them, by which a question that names a company or a year finds their pages. */
  readonly reports: readonly CalledReport[];
  /** At most so many pages, the best first. */
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

/** Longest part of a question that is read, in characters, and most subjects in it. */
const [longest, maxSubjects] = [1000, 24];
/** Pages compared of reports that a question names alike, and how many of named companies suffice. */
const [maxCompared, enoughPages] = [160, 40];
/** How the year that is named changes the score of a report's pages, and how being of no named company does. */
const [ofYear, notNamed] = [1.6, 0.02];

/**
 * The pages that most likely answer a question in plain words, the best first: FTS5's bm25 over the question's words
 * without stop words, and other names of the same things; first of all in the reports of the company and the year that
 * it names. Rejects with the signal's reason, or a `TextError`.
 */
export async function rankPages(store: PageStore, text: string, options: RankPages): Promise<PageHit[]> {
  const question = readQuestion(text);
  const { subjects, years } = question;
  const named = namedCompanies(question, options.reports);
  // The name of a company leads to its reports and says nothing of a page.
  const ofNames = new Set([...named].flatMap(foldedWords));
  const others = subjects.filter(({ typed }) => !ofNames.has(typed));
  const phrases = (others.length > 0 ? others : subjects).flatMap((subject) => subject.phrases);
  // Pages with anything of what is asked for.
  const match = [...new Set(phrases.map(queryOf))].join(' OR ');
  if (match === '') return [];
  const reports = Map.groupBy(options.reports, ({ sha256 }) => sha256);
  const isNamed = ({ sha256 }: StoredPdf) => reports.get(sha256)?.some(({ company }) => named.has(company)) ?? false;
  const weightOf = (pdf: StoredPdf) => {
    const isOfYear = reports.get(pdf.sha256)?.some((report) => report.years.some((year) => years.includes(year)));
    return (named.size === 0 || isNamed(pdf) ? 1 : notNamed) * (isOfYear ? ofYear : 1);
  };
  const groups = Map.groupBy(options.pdfs, weightOf);
  const scored: { pdf: StoredPdf; page: number; score: number }[] = [];
  const breathe = breather();
  for (const [weight, pdfs] of [...groups].sort(([a], [b]) => b - a)) {
    await breathe();
    options.signal?.throwIfAborted();
    if (weight < 1 && scored.length >= enoughPages) break;
    const byFirst = new Map(pdfs.map((pdf) => [firstRow(pdf), pdf]));
    for (const [rowid, score] of store.db.all(rankSql, match, JSON.stringify([...byFirst.keys()]))) {
      const { first, page } = placeOfRow(Number(rowid));
      const pdf = byFirst.get(first);
      if (pdf) scored.push({ pdf, page, score: Number(score) * weight });
    }
  }
  scored.sort((a, b) => b.score - a.score);
  return scored.slice(0, options.limit).flatMap(({ pdf, page }) => {
    const read = store.page(pdf, page);
    return read ? [{ sha256: pdf.sha256, page, label: read.label, ...snippetOf(read.text, phrases) }] : [];
  });
}

const queryOf = ({ column, words, prefix }: Phrase) => `${column} : "${words.join(' ')}"${prefix ? ' *' : ''}`;

/** Pages of the given PDFs alone; negated, so that SQLite scores no page of another PDF. */
const rankSql = `SELECT rowid, -bm25(pages) AS score FROM pages WHERE pages MATCH ?
  AND rowid - rowid % ${rowsOfPdf} IN (SELECT value FROM json_each(?)) ORDER BY score DESC, rowid LIMIT ${maxCompared}`;

const foldedWords = (text: string) => wordsOf(normalForm(text)).map(({ word }) => word);

const namesIn = (text: string): Phrase[] =>
  text.split(/[|,]/).flatMap((name) => {
    const words = foldedWords(name);
    const phrase = { column: 'text', words, prefix: name.trim().endsWith('*'), typed: words.join(' ') } as const;
    return words.length > 0 ? phrase : [];
  });

/**
 * Names of things, each with all names of the same thing. A line of the table has the names of one thing: English |
 * German | French | Spanish | Italian | Dutch | Swedish | Portuguese, alternatives separated by commas, empty where a
 * language has a word of one before. `*` leaves the end of a word open. After `=`: the codes of reporting standards
 * that ask for the thing. A question about a code finds pages about the thing, but not the other way round.
 */
const synonyms = data.synonyms.flatMap((line) => {
  const [names = '', codes = ''] = line.split('=');
  const phrases = namesIn(names);
  return [...phrases, ...namesIn(codes)].map((phrase) => ({ phrase, phrases: [phrase, ...phrases] }));
});

const stopWords: ReadonlySet<string> = new Set(Object.values(data.stopWords).flatMap((words) => words.split(' ')));

/** What a question asks for, each thing with all its names; its words; and the years that it names. */
function readQuestion(question: string) {
  // Of a fiscal year such as `2021/22` the later year counts.
  const text = normalForm(question.slice(0, longest)).replace(fiscalYear, (_, century, end) => century + end);
  const found = wordsOf(text);
  const words = found.map(({ word }) => word.replace(/^fy(?=\d{2}(?:\d{2})?$)/, ''));
  const subjects: { readonly typed: string; readonly phrases: readonly Phrase[] }[] = [];
  const topical = new Set<string>();
  for (let at = 0; at < words.length && subjects.length < maxSubjects; ) {
    const word = words[at] ?? '';
    const known = synonyms.filter(({ phrase }) => standsAt(words, at, phrase));
    const length = Math.max(0, ...known.map(({ phrase }) => phrase.words.length));
    for (const { phrase, phrases } of known)
      if (phrase.words.length === length) subjects.push({ typed: phrase.typed, phrases });
    for (const each of words.slice(at, at + length)) topical.add(each);
    if (length === 0 && !isYear(word) && !stopWords.has(word)) {
      // The index has Chinese, Japanese and Korean as pairs of characters, which a query knows.
      const pairs = found[at]?.isRun && parseQuery(word.slice(0, 32)).all.flatMap(({ phrases }) => phrases);
      subjects.push({ typed: word, phrases: pairs || [{ column: 'text', words: [word], prefix: false, typed: word }] });
    }
    at += Math.max(1, length);
  }
  const capital = new Set(found.filter(({ start }) => /^\p{Lu}/u.test(text.slice(start))).map(({ word }) => word));
  return { subjects, words, capital, topical, years: words.filter(isYear).map(Number) };
}

type Question = ReturnType<typeof readQuestion>;
const fiscalYear = /\b(19|20)\d{2}\s?[/–-]\s?(?:19|20)?(\d{2})\b/g;
const isYear = (word: string) => /^(?:19|20)\d{2}$/.test(word);

/** The companies that are named best, by words that few others have in their names. */
function namedCompanies({ words, capital, topical }: Question, reports: readonly CalledReport[]): Set<string> {
  const companies = new Map(reports.map(({ company }) => [company, [...new Set(foldedWords(company))]]));
  const holders = new Map<string, number>();
  for (const list of companies.values()) for (const word of list) holders.set(word, (holders.get(word) ?? 0) + 1);
  const scores = [...companies].map(([company, list]) => {
    const hits = list.filter((word) => words.includes(word) && !stopWords.has(word) && word.length > 1);
    const rare = hits.filter((word) => (holders.get(word) ?? 0) <= Math.max(2, companies.size / 100));
    // `water` alone names no company; `Kestrelmoor` does, or a later word of a name that is written as one.
    const isName = (word: string) => !topical.has(word) && (word === list[0] || capital.has(word));
    const isNamed = rare.some(isName) || rare.length > 1;
    return [company, isNamed ? hits.reduce((sum, word) => sum + 1 / (holders.get(word) ?? 1), 0) : 0] as const;
  });
  const best = Math.max(...scores.map(([, score]) => score));
  return new Set(scores.flatMap(([company, score]) => (score > 0 && score >= 0.75 * best ? [company] : [])));
}
