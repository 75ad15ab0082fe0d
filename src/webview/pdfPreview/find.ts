import type { PlacedText } from '../../base/placedText.ts';
import type { ShownTexts } from './pageTexts.ts';

/** A search in the preview. */
export interface Search {
  readonly text: string;
  readonly matchCase: boolean;
  /** What is found in place of the text, each by itself. */
  readonly terms?: readonly string[] | undefined;
}

/** A part of a page's text that was found: from its first unit up to but without `end`. */
export interface Hit {
  /** From 1. */
  readonly page: number;
  readonly placed: PlacedText;
  readonly start: number;
  readonly end: number;
}

/** Characters that are found by a plainer one. */
const plainer = new Map([
  ...[...'‘’‚‛'].map((mark) => [mark, "'"] as const),
  ...[...'“”„‟'].map((mark) => [mark, '"'] as const),
  ...[...'‐‑−'].map((mark) => [mark, '-'] as const),
  ['⁄', '/'],
  ['ς', 'σ'],
]);

/** Accents, and what lengthens or points letters, which are found with and without. */
const accents = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/g;

/** Stands for accents that are characters of their own, so that a folded text keeps its length. */
const dropped = '\u0300';

/** A text in the form that is compared, each unit at its old position. */
function fold(text: string, matchCase: boolean): string {
  return text.replace(/[A-Z]|[^\0-\x7f]/gu, (character) => {
    const plain = plainer.get(character) ?? character;
    const bare = (matchCase ? plain : plain.toLowerCase()).normalize('NFD').replace(accents, '').normalize('NFC');
    if (bare === '') return dropped.repeat(character.length);
    return bare.length === character.length ? bare : character;
  });
}

const raisedDigits = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const isLetter = (character: string) => /\p{L}/u.test(character);
const isMark = (character: string) => /\p{P}/u.test(character);
const isDigit = (character: string) => /\d/.test(character);

/**
 * Where words end that begin at a position of a text; undefined where they don't. Blanks beside punctuation, and
 * hyphens between letters, may be there or not: a hyphen at a line's end may be the word's own. Raised digits are
 * skipped, or are the digits of a unit, but never those of a number.
 */
function endOf(words: string, text: string, start: number): number | undefined {
  let [at, before] = [start, ''];
  for (const [index, own] of words.split('').entries()) {
    const raised = isLetter(before) && isDigit(own) ? raisedDigits[Number(own)] : own;
    const fits = () => at < text.length && (text[at] === own || text[at] === raised);
    const from = at;
    while (before !== '' && !fits() && isSkipped(before, text[at] ?? '', own)) at += 1;
    if (fits()) [at, before] = [at + 1, own];
    else if (own === '-' && isLetter(before) && isLetter(words[index + 1] ?? '')) at = from;
    else return undefined;
  }
  return at;
}

/** Whether a character on the page can be skipped between two characters of the search. */
function isSkipped(before: string, next: string, own: string): boolean {
  if (next === ' ') return isMark(before) || isMark(own);
  if (next === '-') return isLetter(before) && isLetter(own);
  return next === dropped || (next !== '' && raisedDigits.includes(next) && !isDigit(own));
}

const foldedTexts = [new WeakMap<PlacedText, string>(), new WeakMap<PlacedText, string>()] as const;

/** All that a search finds in the text of a page. */
export function hitsIn(page: number, placed: PlacedText, { text, terms = [text], matchCase }: Search): Hit[] {
  const known = foldedTexts[matchCase ? 1 : 0];
  const folded = known.get(placed) ?? fold(placed.text, matchCase);
  known.set(placed, folded);
  const found = terms.flatMap((term) => {
    const plain = fold(term, matchCase).replaceAll(dropped, '').replace(/\s+/g, ' ').trim();
    const words = plain.replace(/ ?(\p{P}) ?/gu, '$1');
    const spans: [start: number, end: number][] = [];
    let at = words === '' ? -1 : folded.indexOf(words.charAt(0));
    while (at !== -1) {
      const end = endOf(words, folded, at);
      if (end !== undefined) spans.push([at, end]);
      at = folded.indexOf(words.charAt(0), end ?? at + 1);
    }
    return spans;
  });
  let covered = 0;
  return found
    .sort((a, b) => a[0] - b[0] || b[1] - a[1])
    .flatMap(([start, end]) => {
      if (start < covered) return [];
      covered = end;
      return [{ page, placed, start, end }];
    });
}

/** How long (ms) pages are searched before other work gets a turn. */
const turn = 8;

/** Searches the pages one after another, starting with the visible page, and moves between the hits. */
export class Finder {
  readonly #texts: ShownTexts;
  readonly #changed: () => void;
  readonly #show: (hit: Hit) => void;
  #end = new AbortController();
  /** In the order of the search, which begins with the page in view. */
  #found: Hit[] = [];
  #firstPage = 1;
  /** Where to go once the hit there is found. */
  #owed: 'next' | 'previous' | undefined;
  selected: Hit | undefined;
  isSearching = false;
  /** How many pages could not be read, and why the last one. */
  unread: { readonly pages: number; readonly reason: unknown } = { pages: 0, reason: undefined };

  /** @param changed called when the hits changed, or the search ended */
  constructor(texts: ShownTexts, changed: () => void, show: (hit: Hit) => void) {
    this.#texts = texts;
    this.#changed = changed;
    this.#show = show;
  }

  /** The hits so far, in the order of pages. */
  get hits(): readonly Hit[] {
    const before = this.#found.findIndex(({ page }) => page < this.#firstPage);
    return before === -1 ? this.#found : [...this.#found.slice(before), ...this.#found.slice(0, before)];
  }

  /** Which of the hits is selected, from 1; 0 for none. */
  get current(): number {
    return this.selected ? this.hits.indexOf(this.selected) + 1 : 0;
  }

  /**
   * Searches all pages.
   * @param from the page in view
   * @param stayOn the page that is shown whatever is found
   */
  async find(search: Search, pages: number, from: number, stayOn?: number): Promise<void> {
    this.end();
    const { signal } = this.#end;
    [this.#firstPage, this.isSearching] = [from, search.text !== ''];
    let since = performance.now();
    for (let count = 0; count < pages && this.isSearching; count += 1) {
      const page = ((from - 1 + count) % pages) + 1;
      const hits = await this.#texts.of(page).then(
        (placed) => hitsIn(page, placed, search),
        (reason: unknown) => {
          if (!signal.aborted) this.unread = { pages: this.unread.pages + 1, reason };
          return [];
        },
      );
      if (performance.now() - since > turn) {
        await new Promise((resolve) => setTimeout(resolve));
        since = performance.now();
      }
      if (signal.aborted) return;
      this.#found.push(...hits);
      const [first] = hits;
      if (first && !this.selected) this.select(first, first.page === (stayOn ?? first.page));
      else if (first && this.#owed === 'next') this.go('next');
      else if (first) this.#changed();
    }
    this.isSearching = false;
    if (this.#owed) this.go(this.#owed);
    this.#changed();
  }

  /** Moves to the next or previous match and wraps at the ends; waits if that match is not found yet. */
  go(direction: 'next' | 'previous'): void {
    const { length } = this.#found;
    const at = (this.selected ? this.#found.indexOf(this.selected) : -1) + (direction === 'next' ? 1 : -1);
    const isKnown = !this.isSearching || (at >= 0 && at < length);
    this.#owed = isKnown ? undefined : direction;
    const hit = isKnown ? this.#found.at(at % length) : undefined;
    if (hit) this.select(hit);
  }

  select(hit: Hit, isShown = true): void {
    this.selected = hit;
    this.#changed();
    if (isShown) this.#show(hit);
  }

  /** Ends the search and clears its hits. */
  end(): void {
    this.#end.abort();
    this.#end = new AbortController();
    [this.#found, this.#owed, this.selected] = [[], undefined, undefined];
    [this.isSearching, this.unread] = [false, { pages: 0, reason: undefined }];
    this.#changed();
  }
}
