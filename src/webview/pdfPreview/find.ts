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
const isLetter = (character = '') => /\p{L}/u.test(character);
const isMark = (character: string) => /\p{P}/u.test(character);
const isDigit = (character: string) => /\d/.test(character);
const isRaised = (character: string) => raisedDigits.includes(character);

/**
 * What a page may have between two characters of a search, or also a hyphen: blanks beside punctuation, and raised
 * digits, but not within a number.
 */
function between(before: string, own: string, hyphen: '-' | '' = ''): string {
  const blank = isMark(before) || isMark(own) ? ' ' : '';
  const raised = isDigit(own) || isRaised(own) || isRaised(before) ? '' : raisedDigits;
  return `[${hyphen}${dropped}${blank}${raised}]{0,20}?`;
}

/**
 * A pattern of the words of a search. A hyphen between letters may be there or not: at the end of a line it may be the
 * word's own. Raised digits are skipped, or are the digits of a unit. No text fits it in two ways, so it stays fast.
 */
function patternOf(words: string): string {
  const characters = [...words];
  const isOptional = (at: number) =>
    characters[at] === '-' && isLetter(characters[at - 1]) && isLetter(characters[at + 1]);
  return characters
    .map((own, at) => {
      const before = characters[at - 1];
      if (before === undefined) return escaped(own);
      if (isOptional(at)) return '';
      if (isOptional(at - 1)) {
        const letter = characters[at - 2] ?? '';
        return `(?:${between(letter, '-')}-${between('-', own)}|${between(letter, own)})${escaped(own)}`;
      }
      const raised = isLetter(before) && isDigit(own) ? `[${own}${raisedDigits[Number(own)]}]` : escaped(own);
      return `${between(before, own, isLetter(before) && isLetter(own) ? '-' : '')}${raised}`;
    })
    .join('');
}

const escaped = (character: string) => character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');

const foldedTexts = [new WeakMap<PlacedText, string>(), new WeakMap<PlacedText, string>()] as const;

/** All that a search finds in the text of a page. */
export function hitsIn(page: number, placed: PlacedText, { text, terms = [text], matchCase }: Search): Hit[] {
  const known = foldedTexts[matchCase ? 1 : 0];
  const folded = known.get(placed) ?? fold(placed.text, matchCase);
  known.set(placed, folded);
  const words = terms.map((term) =>
    fold(term, matchCase)
      .replaceAll(dropped, '')
      .replace(/\s+/g, ' ')
      .trim()
      .replace(/ ?(\p{P}) ?/gu, '$1'),
  );
  const patterns = words.filter((term) => term !== '').sort((a, b) => b.length - a.length);
  if (patterns.length === 0) return [];
  const found = folded.matchAll(new RegExp(patterns.map(patternOf).join('|'), 'gu'));
  return Array.from(found, ({ 0: match, index }) => ({ page, placed, start: index, end: index + match.length }));
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
