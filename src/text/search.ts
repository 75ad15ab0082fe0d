import { breather } from '../base/clock.ts';
import { l10n } from '../base/l10n.ts';
import { firstRow, type PageStore, placeOfRow, rowsOfPdf, type StoredPdf } from './pages.ts';
import { matchOf, type PageQuery } from './query.ts';
import { snippetOf } from './snippet.ts';
import { queryError, textError } from './textError.ts';
import type { FindPages, FoundPages, PageHit } from './textIndex.ts';

/** PDFs that a search is narrowed to, by the rows of their pages. */
export class WantedPdfs {
  readonly #byFirst = new Map<number, StoredPdf>();
  /** First rows, newest PDF first. */
  readonly #firsts: number[];

  constructor(pdfs: Iterable<StoredPdf>) {
    for (const pdf of pdfs) if (pdf.state === 'text') this.#byFirst.set(firstRow(pdf), pdf);
    this.#firsts = [...this.#byFirst.keys()].sort((a, b) => a - b);
  }

  /** The PDF whose pages begin above this row, if it is wanted. */
  at(first: number): StoredPdf | undefined {
    return this.#byFirst.get(first);
  }

  /** Where to look next above a row: from the next wanted page over this many wanted PDFs. Null when none is left. */
  window(row: number, pdfs: number): { readonly above: number; readonly to: number } | null {
    const { first } = placeOfRow(row + 1);
    let [low, high] = [0, this.#firsts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#firsts[middle] ?? 0) >= first) high = middle;
      else low = middle + 1;
    }
    const next = this.#firsts[low];
    if (next === undefined) return null;
    const last = this.#firsts[Math.min(low + pdfs, this.#firsts.length) - 1] ?? next;
    return { above: Math.max(row, next), to: last + rowsOfPdf };
  }
}

/** A word's beginning may have so many endings, and more in an index of so many pages. */
const maxEndings = 2000;
const fewPages = 50_000;
const tooManyEndings = l10n.later('Too many words begin like this. Type more letters before the *.');

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

/** PDFs that are looked at in one go at first, and at most: in between others have their turn, and may cancel. */
const firstWindow = 64;
const largestWindow = 4096;
/** After so long (ms) what has been found is shown, and the next part goes on. */
const longestSearch = 100;
const rowsSql = 'SELECT rowid FROM pages WHERE pages MATCH ? AND rowid > ? AND rowid < ? ORDER BY rowid LIMIT ?';

/**
 * Pages that answer the query, newest first; PDFs that are not wanted are skipped. Lets the thread do other work in
 * between; a slow search ends early, once it has a hit. Rejects with a `TextError`, or the signal's reason.
 */
export async function findPages(
  store: PageStore,
  query: PageQuery,
  wanted: WantedPdfs,
  { limit, cursor, signal }: Pick<FindPages, 'limit' | 'cursor'> & { readonly signal?: AbortSignal | undefined },
): Promise<FoundPages> {
  const match = matchOf(query, endingsOf(store));
  const begun = performance.now();
  const breathe = breather();
  const rows: number[] = [];
  let above = cursor === null ? 0 : rowOfCursor(cursor);
  let next: number | null = null;
  for (let pdfs = firstWindow; rows.length <= limit; pdfs = Math.min(pdfs * 2, largestWindow)) {
    await breathe();
    signal?.throwIfAborted();
    const window = wanted.window(above, pdfs);
    if (!window) break;
    const max = limit + 1;
    // As integers: a number would come as one with a fraction, by which the index can't leap.
    const found = store.db
      .all(rowsSql, match, BigInt(window.above), BigInt(window.to), max)
      .map(([row]) => Number(row));
    rows.push(...found.filter((row) => wanted.at(placeOfRow(row).first)));
    above = found.length < max ? window.to - 1 : (found.at(-1) ?? window.to);
    if (rows.length > 0 && performance.now() - begun > longestSearch) {
      next = wanted.window(above, 1) && above;
      break;
    }
  }
  if (rows.length > limit) next = rows[limit - 1] ?? null;
  return {
    hits: rows.slice(0, limit).flatMap((row) => hitAt(store, query, wanted, row)),
    next: next?.toString(36) ?? null,
    terms: [...new Set(query.all.flatMap(({ phrases }) => phrases.map(({ typed }) => typed)))],
  };
}

function rowOfCursor(cursor: string): number {
  const row = Number.parseInt(cursor, 36);
  if (!Number.isSafeInteger(row) || row < 0 || row.toString(36) !== cursor) throw textError('query');
  return row;
}

function hitAt(store: PageStore, query: PageQuery, wanted: WantedPdfs, row: number): PageHit[] {
  const { first, page } = placeOfRow(row);
  const pdf = wanted.at(first);
  const text = pdf && store.page(pdf, page);
  // Another window has deleted it since.
  if (!pdf || !text) return [];
  const phrases = query.all.flatMap(({ phrases }) => phrases);
  return [{ sha256: pdf.sha256, page, label: text.label, ...snippetOf(text.text, phrases) }];
}
