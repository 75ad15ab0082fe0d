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

/** A text in the form that is compared, with the source of each of its units. */
interface Folded {
  readonly text: string;
  readonly sources: readonly number[] | undefined;
}

function fold(text: string, matchCase: boolean): Folded {
  if (/^[\0-\x7f]*$/.test(text)) return { text: matchCase ? text : text.toLowerCase(), sources: undefined };
  const sources: number[] = [];
  let folded = '';
  let unit = 0;
  for (const character of text) {
    const plain = plainer.get(character) ?? character;
    const bare = (matchCase ? plain : plain.toLowerCase()).normalize('NFD').replace(accents, '').normalize('NFC');
    for (let count = 0; count < bare.length; count += 1) sources.push(unit);
    folded += bare;
    unit += character.length;
  }
  return { text: folded, sources };
}

const raisedDigits = '⁰¹²³⁴⁵⁶⁷⁸⁹';
const isLetter = (character: string) => /\p{L}/u.test(character);
const isMark = (character: string) => /\p{P}/u.test(character);
const isDigit = (character: string) => /\d/.test(character);

/**
 * Where words end that begin at a place of a text; undefined where they don't. Blanks beside punctuation, and hyphens
 * between letters, may be there or not: a hyphen at a line's end may be the word's own. Raised digits are passed over,
 * or are the digits of a unit, but never those of a number.
 */
function endOf(words: string, text: string, start: number): number | undefined {
  let [at, before] = [start, ''];
  for (const [index, own] of words.split('').entries()) {
    const raised = isLetter(before) && isDigit(own) ? raisedDigits[Number(own)] : own;
    const fits = () => at < text.length && (text[at] === own || text[at] === raised);
    const from = at;
    while (before !== '' && !fits() && isPassedOver(before, text[at] ?? '', own)) at += 1;
    if (fits()) [at, before] = [at + 1, own];
    else if (own === '-' && isLetter(before) && isLetter(words[index + 1] ?? '')) at = from;
    else return undefined;
  }
  return at;
}

/** Whether a character on the page can be skipped between two characters of the search. */
function isPassedOver(before: string, next: string, own: string): boolean {
  if (next === ' ') return isMark(before) || isMark(own);
  if (next === '-') return isLetter(before) && isLetter(own);
  return next !== '' && raisedDigits.includes(next) && !isDigit(own);
}

const foldedTexts = [new WeakMap<PlacedText, Folded>(), new WeakMap<PlacedText, Folded>()] as const;

/** All that a search finds in the text of a page. */
export function hitsIn(page: number, placed: PlacedText, { text, terms = [text], matchCase }: Search): Hit[] {
  const known = foldedTexts[matchCase ? 1 : 0];
  const folded = known.get(placed) ?? fold(placed.text, matchCase);
  known.set(placed, folded);
  const unitAt = (at: number) => (folded.sources ? (folded.sources[at] ?? placed.text.length) : at);
  const found = terms.flatMap((term) => {
    const words = fold(term, matchCase)
      .text.replace(/\s+/g, ' ')
      .trim()
      .replace(/ ?(\p{P}) ?/gu, '$1');
    const places: [start: number, end: number][] = [];
    for (let at = nextOf(folded.text, words, 0); at !== -1; at = nextOf(folded.text, words, places.at(-1)?.[1] ?? at))
      places.push([at, endOf(words, folded.text, at) ?? at + 1]);
    return places;
  });
  let covered = 0;
  return found
    .sort((a, b) => a[0] - b[0] || b[1] - a[1])
    .flatMap(([from, to]) => {
      if (from < covered) return [];
      covered = to;
      return [{ page, placed, start: unitAt(from), end: unitAt(to - 1) + 1 }];
    });
}

/** Where words begin next in a text; -1 where they don't. */
function nextOf(text: string, words: string, from: number): number {
  let at = words === '' ? -1 : text.indexOf(words.charAt(0), from);
  while (at !== -1 && endOf(words, text, at) === undefined) at = text.indexOf(words.charAt(0), at + 1);
  return at;
}

interface FindEvents {
  /** The hits changed, or the search ended. */
  changed(): void;
  show(hit: Hit): void;
}

/** How long (ms) pages are searched before others have a turn. */
const turn = 8;

/** Searches the pages one after another, starting with the visible page, and moves between the hits. */
export class Finder {
  readonly #texts: ShownTexts;
  readonly #events: FindEvents;
  #end = new AbortController();
  /** What was found on the page that the search began with and those behind it, and then on those before it. */
  #behind: Hit[] = [];
  #before: Hit[] = [];
  /** Where to go on to once what is there was found. */
  #owed: 'next' | 'previous' | undefined;
  selected: Hit | undefined;
  isSearching = false;
  /** How many pages could not be read, and why the last one. */
  unread: { readonly pages: number; readonly reason: unknown } = { pages: 0, reason: undefined };

  constructor(texts: ShownTexts, events: FindEvents) {
    this.#texts = texts;
    this.#events = events;
  }

  /** All that was found so far, in the order of pages. */
  get hits(): readonly Hit[] {
    return [...this.#before, ...this.#behind];
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
    this.isSearching = search.text !== '';
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
      (page < from ? this.#before : this.#behind).push(...hits);
      const [first] = hits;
      if (first && !this.selected) this.#select(first, first.page === (stayOn ?? first.page));
      else if (first && this.#owed === 'next') this.go('next');
      else if (first) this.#events.changed();
    }
    this.isSearching = false;
    if (this.#owed) this.go(this.#owed);
    this.#events.changed();
  }

  /** Moves to the next or previous match and wraps at the ends; waits if that match is not found yet. */
  go(direction: 'next' | 'previous'): void {
    const all = [...this.#behind, ...this.#before];
    const at = (this.selected ? all.indexOf(this.selected) : -1) + (direction === 'next' ? 1 : -1);
    const isKnown = !this.isSearching || (at >= 0 && at < all.length);
    this.#owed = isKnown ? undefined : direction;
    const hit = isKnown ? all.at(at % all.length) : undefined;
    if (hit) this.#select(hit, true);
  }

  goTo(hit: Hit): void {
    this.#select(hit, true);
  }

  /** Ends the search and clears its hits. */
  end(): void {
    this.#end.abort();
    this.#end = new AbortController();
    [this.#behind, this.#before, this.#owed, this.selected] = [[], [], undefined, undefined];
    [this.isSearching, this.unread] = [false, { pages: 0, reason: undefined }];
    this.#events.changed();
  }

  #select(hit: Hit, isShown: boolean): void {
    this.selected = hit;
    this.#events.changed();
    if (isShown) this.#events.show(hit);
  }
}
