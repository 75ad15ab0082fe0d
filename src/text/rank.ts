import { breather } from '../base/clock.ts';
import { firstRow, type PageStore, placeOfRow, rowsOfPdf, type StoredPdf } from './pages.ts';
import type { Phrase } from './query.ts';
import { type AskedQuestion, readQuestion, withoutWords } from './question.ts';
import { type CalledReport, likelyReports } from './reportNames.ts';
import { PageScorer, type ScoredPage } from './scorer.ts';
import { snippetOf } from './snippet.ts';
import type { PageHit } from './textIndex.ts';

export interface RankPages {
  /** The PDFs to look in; what is not among them is never answered. */
  readonly pdfs: readonly StoredPdf[];
  /** What is known of them, by which a question that names a company, a year or a kind of report is led there. */
  readonly reports: readonly CalledReport[];
  /** At most so many pages, the best first. */
  readonly limit: number;
  readonly signal?: AbortSignal | undefined;
}

/** So many pages are read and weighed for one question. */
const maxWeighed = 160;
/** Up to so many PDFs are asked one by one, which leaves everything else in the index alone. */
const fewPdfs = 24;
/** Where those have fewer pages than these, all others are looked through as well. */
const enoughPages = 40;

/**
 * The pages that most likely answer a question in plain words, the best first: by what it asks about and what else that is
 * called, by how near to one another those words stand, by headings and numbers. Nothing is learnt or sent. Rejects with
 * the signal's reason, or a `TextError`.
 */
export async function rankPages(store: PageStore, text: string, options: RankPages): Promise<PageHit[]> {
  const asked = readQuestion(text);
  const { lifts, others, nameWords } = likelyReports(asked, options.reports);
  const question = withoutWords(asked, nameWords);
  const match = matchOf(question);
  if (match === null) return [];
  const breathe = breather();
  const byFirst = new Map(options.pdfs.filter(({ state }) => state === 'text').map((pdf) => [firstRow(pdf), pdf]));
  const scorer = new PageScorer(question);
  const pages: ScoredPage[] = [];
  for (const row of candidates(store, match, byFirst, others < 1 ? lifts : new Map())) {
    await breathe();
    options.signal?.throwIfAborted();
    const { first, page } = placeOfRow(row);
    const pdf = byFirst.get(first);
    const read = pdf && store.page(pdf, page);
    if (pdf && read) pages.push(scorer.read(pdf.sha256, page, read, lifts.get(pdf.sha256) ?? others));
  }
  const phrases = question.subjects.flatMap((subject) => [...subject.asked, ...subject.phrases]);
  return scorer.best(pages, options.limit).map(({ sha256, page, text: { label, text: words } }) => ({
    ...{ sha256, page, label },
    ...snippetOf(words, phrases),
  }));
}

/** Any page that has anything of what is asked for; null where a question asks for nothing. */
function matchOf({ subjects }: AskedQuestion): string | null {
  const phrases = subjects.flatMap((subject) => [...subject.asked, ...subject.phrases]);
  const of = (column: Phrase['column']) => [
    ...new Set(
      phrases
        .filter((phrase) => phrase.column === column)
        .map(({ words, prefix }) => `"${words.join(' ')}"${prefix ? ' *' : ''}`),
    ),
  ];
  const columns = (['text', 'pairs'] as const).flatMap((column) => {
    const wanted = of(column);
    return wanted.length === 0 ? [] : [`${column} : (${wanted.join(' OR ')})`];
  });
  return columns.length === 0 ? null : columns.join(' OR ');
}

const inPdf = 'SELECT rowid FROM pages WHERE pages MATCH ? AND rowid > ? AND rowid < ? ORDER BY rank LIMIT ?';
const inAll = 'SELECT rowid FROM pages WHERE pages MATCH ? ORDER BY rank LIMIT ?';

/** Rows of pages to weigh: of reports of companies that the question names; of all where those are not enough. */
function candidates(
  store: PageStore,
  match: string,
  byFirst: ReadonlyMap<number, StoredPdf>,
  named: ReadonlyMap<string, number>,
): number[] {
  const likely = [...byFirst].filter(([, { sha256 }]) => named.has(sha256));
  likely.sort(([, a], [, b]) => (named.get(b.sha256) ?? 0) - (named.get(a.sha256) ?? 0));
  const few = byFirst.size <= fewPdfs ? [...byFirst] : likely.slice(0, fewPdfs);
  const each = Math.max(12, Math.floor(maxWeighed / Math.max(1, few.length)));
  // As integers: a number would come as one with a fraction, by which the index can't leap.
  const rows = few.flatMap(([first]) =>
    store.db.all(inPdf, match, BigInt(first), BigInt(first + rowsOfPdf), each).map(([row]) => Number(row)),
  );
  if (byFirst.size > few.length && rows.length < enoughPages) rows.push(...fromAll(store, match, byFirst));
  // In their order, so that pages of one block are taken out of it together.
  return [...new Set(rows)].sort((a, b) => a - b);
}

function fromAll(store: PageStore, match: string, byFirst: ReadonlyMap<number, StoredPdf>): number[] {
  for (let most = maxWeighed; ; most *= 8) {
    const rows = store.db.all(inAll, match, most).map(([row]) => Number(row));
    const wanted = rows.filter((row) => byFirst.has(placeOfRow(row).first));
    // Pages of another licence may stand before those that are wanted.
    if (wanted.length >= maxWeighed || rows.length < most) return wanted.slice(0, maxWeighed);
  }
}
