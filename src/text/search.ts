import { breather } from '../base/clock.ts';
import { l10n } from '../base/l10n.ts';
import { firstRow, type PageStore, placeOfRow, rowsOfPdf, type StoredPdf } from './pages.ts';
import { matchOf, type PageQuery } from './query.ts';
import { snippetOf } from './snippet.ts';
import { queryError, textError } from './textError.ts';
import type { FindPages, FoundPages, PageHit } from './textIndex.ts';

/** A word's beginning may have so many endings, and more in an index of so many pages. */
const maxEndings = 2000;
const fewPages = 50_000;
const tooManyEndings = l10n.later('Too many words start like this. Type more letters before the *.');

function endingsOf(store: PageStore): (beginning: string) => string[] | null {
  return (beginning) => {
    const endings: string[] = [];
    for (let from = beginning; endings.length <= maxEndings; ) {
      const word = store.db.get('SELECT term FROM words WHERE term >= ? LIMIT 1', from)?.[0];
      if (typeof word !== 'string' || !word.startsWith(beginning)) return endings;
      endings.push(word);
      // No word has this character, so that the next one is another word.
      from = `${word}\u0001`;
    }
    if (store.db.number('SELECT sum(pages) FROM docs') <= fewPages) return null;
    throw queryError(tooManyEndings);
  };
}

/** PDFs that are searched in one go at first, and at most: in between other calls are answered, and may cancel. */
const [firstWindow, largestWindow] = [64, 4096];
/** After so many ms the pages found are shown, and the next part continues. */
const longestSearch = 100;
const rowsSql = `SELECT rowid FROM pages WHERE pages MATCH ? AND rowid > ? AND rowid < ?
  AND rowid - rowid % ${rowsOfPdf} IN (SELECT value FROM json_each(?)) ORDER BY rowid LIMIT ?`;

/**
 * Pages of these PDFs that match the query, newest first. Lets the thread do other work in between; a slow search ends
 * early, once it has a hit. Rejects with a `TextError`, or the signal's reason.
 */
export async function findPages(
  store: PageStore,
  query: PageQuery,
  pdfs: Iterable<StoredPdf>,
  { limit, cursor, signal }: Pick<FindPages, 'limit' | 'cursor'> & { readonly signal?: AbortSignal | undefined },
): Promise<FoundPages> {
  const match = matchOf(query, endingsOf(store));
  const byFirst = new Map([...pdfs].filter(({ state }) => state === 'text').map((pdf) => [firstRow(pdf), pdf]));
  const above = cursor === null ? 0 : rowOfCursor(cursor);
  const firsts = [...byFirst.keys()].filter((first) => first + rowsOfPdf - 1 > above).sort((a, b) => a - b);
  const begun = performance.now();
  const breathe = breather();
  const rows: number[] = [];
  let next: number | null = null;
  for (let [at, count] = [0, firstWindow]; at < firsts.length; count = Math.min(2 * count, largestWindow)) {
    await breathe();
    signal?.throwIfAborted();
    const some = firsts.slice(at, at + count);
    const end = (some.at(-1) ?? 0) + rowsOfPdf;
    // As integers: a number would be passed with a fraction, and the index couldn't skip rows.
    const range = [Math.max(above, some[0] ?? 0), end].map((row) => BigInt(row));
    const found = store.db.all(rowsSql, match, ...range, JSON.stringify(some), limit + 1 - rows.length);
    rows.push(...found.map(([row]) => Number(row)));
    at += count;
    if (rows.length > limit) next = rows[limit - 1] ?? null;
    else if (rows.length > 0 && at < firsts.length && performance.now() - begun > longestSearch) next = end - 1;
    if (next !== null) break;
  }
  const phrases = query.all.flatMap((clause) => clause.phrases);
  return {
    hits: rows.slice(0, limit).flatMap((row): PageHit[] => {
      const { first, page } = placeOfRow(row);
      const pdf = byFirst.get(first);
      const read = pdf && store.page(pdf, page);
      // Another window may have deleted it since.
      return pdf && read ? [{ sha256: pdf.sha256, page, label: read.label, ...snippetOf(read.text, phrases) }] : [];
    }),
    next: next?.toString(36) ?? null,
    terms: [...new Set(phrases.map(({ typed }) => typed))],
  };
}

function rowOfCursor(cursor: string): number {
  const row = Number.parseInt(cursor, 36);
  if (!Number.isSafeInteger(row) || row < 0 || row.toString(36) !== cursor) throw textError('query');
  return row;
}
