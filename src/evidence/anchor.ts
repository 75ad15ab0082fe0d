/** The words that a quote is found again by. */
export interface QuoteWords {
  readonly exact: string;
  readonly prefix: string;
  readonly suffix: string;
}

/** Where a quote's words are in a PDF. Pages are counted from 1. */
export type Anchored =
  | { readonly state: 'found'; readonly page: number }
  /** At several places, or at one whose surroundings are other ones: a person has to look. */
  | { readonly state: 'ambiguous'; readonly pages: readonly number[] }
  | { readonly state: 'gone' };

/** Shortest quote, in characters that count: a shorter one is found anywhere. */
export const shortestQuote = 12;

/** Characters of context that have to agree where more are known. */
const agreed = 16;

/** Most characters of notes, head and foot between the two parts of a quote that a page break parts, if both are long. */
const longestMargin = 250;

/** Characters by which what repeats on each page may be longer than it was found to be. */
const slack = 3;

/** Most places that are looked at for one quote. */
const maxPlaces = 200;

const pageBreak = '\u0002';

/** Stands for a blank that counts while the others are taken out: a character without a meaning of its own. */
const keptBlank = '\ue000';

/**
 * What counts of a text when quotes are compared: not how it is broken into lines, hyphenated or spaced, nor ligatures
 * and full-width forms. A blank between two digits counts, and so does a minus.
 */
export function comparable(text: string): string {
  // Most pages are all ASCII, which has neither compatibility forms nor invisible characters.
  const plain = /[^\0-\x7f]/.test(text) ? text.normalize('NFKC').replace(/\p{Cf}/gu, '') : text;
  return plain
    .replace(/(?<=\p{L})[-‐]\s*(?=\p{L})/gu, '')
    .replace(/(?<=\p{Nd})\s+(?=\p{Nd})/gu, keptBlank)
    .replace(/[\s\p{Cc}]+/gu, '')
    .replaceAll(keptBlank, ' ');
}

/** How often words stand in a text; `most` is enough. */
export function timesIn(text: string, words: string, most = 2): number {
  const [whole, wanted] = [comparable(text), comparable(words)];
  let count = 0;
  for (let at = whole.indexOf(wanted); wanted !== '' && at !== -1 && count < most; at = whole.indexOf(wanted, at + 1))
    count += 1;
  return count;
}

/** The pages of a PDF, made ready for looking for many quotes. */
export class SearchedPages {
  /** All pages, comparable, with a break between two. */
  readonly #text: string;
  readonly #starts: readonly number[];

  /** @param pages the text of each page, from the first */
  constructor(pages: readonly string[]) {
    const texts = pages.map(comparable);
    this.#text = texts.join(pageBreak);
    let start = 0;
    this.#starts = texts.map((text) => {
      const own = start;
      start += text.length + pageBreak.length;
      return own;
    });
  }

  /** Where a quote's words are, by themselves and by what stands around them. */
  find(words: QuoteWords): Anchored {
    const exact = comparable(words.exact);
    if (exact === '') return { state: 'gone' };
    const places = this.#places(exact);
    if (places.length === 0) return this.#acrossPages(exact);
    const around = { prefix: comparable(words.prefix), suffix: comparable(words.suffix) };
    const fits = places.map((at) => this.#agreement(at, at + exact.length, around));
    const isLone = around.prefix === '' && around.suffix === '';
    const [only, second] = places.flatMap((at, index) => {
      const { before, after } = fits[index] ?? { before: false, after: false };
      const fit = places.length === 1 ? isLone || before === true || after === true : isWhole(before, after);
      return fit ? [at] : [];
    });
    if (only !== undefined && second === undefined) return { state: 'found', page: this.#pageAt(only) };
    return { state: 'ambiguous', pages: [...new Set(places.map((at) => this.#pageAt(at)))] };
  }

  #places(exact: string): number[] {
    const places: number[] = [];
    for (
      let at = this.#text.indexOf(exact);
      at !== -1 && places.length < maxPlaces;
      at = this.#text.indexOf(exact, at + 1)
    )
      places.push(at);
    return places;
  }

  /** Whether what stands before and after a place is what stood around the quote; null where nothing is known of it. */
  #agreement(start: number, end: number, { prefix, suffix }: Pick<QuoteWords, 'prefix' | 'suffix'>) {
    const all = this.#text;
    // A blank between two digits is part of neither.
    const [from, to] = [all[start - 1] === ' ' ? start - 1 : start, all[end] === ' ' ? end + 1 : end];
    let back = 0;
    while (back < prefix.length && all[from - 1 - back] === prefix[prefix.length - 1 - back]) back += 1;
    let on = 0;
    while (on < suffix.length && all[to + on] === suffix[on]) on += 1;
    const agrees = (run: number, length: number) => (length === 0 ? null : run >= Math.min(agreed, length));
    return { before: agrees(back, prefix.length), after: agrees(on, suffix.length) };
  }

  /** A quote that a page break parts now, with the foot of one page and the head of the next in between. */
  #acrossPages(exact: string): Anchored {
    const found = new Set<number>();
    const part = Math.min(shortestQuote, Math.ceil(exact.length / 3));
    // Of the two parts at least one is long enough to be looked for by its beginning or its end.
    for (const at of this.#places(exact.slice(0, part))) if (this.#goesOn(exact, at)) found.add(this.#pageAt(at));
    if (found.size === 0) {
      for (const at of this.#places(exact.slice(-part)))
        if (this.#cameFrom(exact, at + part)) found.add(this.#pageAt(at) - 1);
    }
    const [page, ...others] = found;
    if (page === undefined) return { state: 'gone' };
    return others.length === 0 ? { state: 'found', page } : { state: 'ambiguous', pages: [page, ...others] };
  }

  /** Whether the quote begins here, at the end of a page, and goes on at the beginning of the next. */
  #goesOn(exact: string, at: number): boolean {
    let run = 0;
    while (run < exact.length && this.#text[at + run] === exact[run]) run += 1;
    const page = this.#pageAt(at);
    const start = this.#starts[page];
    const rest = exact.slice(run);
    if (start === undefined) return false;
    const next = this.#text.indexOf(rest, start);
    return next !== -1 && this.#isPageBreak(page, at + run, next, Math.min(run, rest.length));
  }

  /** Whether the quote ends here, at the beginning of a page, and began at the end of the one before. */
  #cameFrom(exact: string, end: number): boolean {
    let run = 0;
    while (run < exact.length && this.#text[end - 1 - run] === exact[exact.length - 1 - run]) run += 1;
    const page = this.#pageAt(end - 1) - 1;
    const first = exact.slice(0, exact.length - run);
    if (page < 1) return false;
    const at = this.#text.lastIndexOf(first, (this.#starts[page] ?? 0) - 1 - first.length);
    return at !== -1 && this.#isPageBreak(page, at + first.length, end - run, Math.min(run, first.length));
  }

  /** Whether nothing of the running text stands between `from`, on a page, and `to`, on the next. */
  #isPageBreak(page: number, from: number, to: number, shorterPart: number): boolean {
    const start = this.#starts[page] ?? 0;
    const [foot, head] = [start - pageBreak.length - from, to - start];
    if (foot < 0 || head < 0) return false;
    if (shorterPart >= shortestQuote) return foot <= longestMargin && head <= longestMargin;
    // A few letters are at the edge of many a page: between these only what repeats on each page may stand.
    return foot <= this.#repeated(page, 'foot') + slack && head <= this.#repeated(page + 1, 'head') + slack;
  }

  /** How much of a page's head or foot the pages around it have too, but for numbers. */
  #repeated(page: number, where: 'head' | 'foot'): number {
    const own = this.#page(page);
    const others = [page - 2, page - 1, page + 1, page + 2].map((other) => this.#page(other));
    return Math.max(0, ...others.map((other) => commonLength(own, other, where)));
  }

  #page(page: number): string {
    const start = this.#starts[page - 1];
    return start === undefined ? '' : this.#text.slice(start, (this.#starts[page] ?? this.#text.length + 1) - 1);
  }

  /** The page that a place is on, from 1. */
  #pageAt(place: number): number {
    let [low, high] = [0, this.#starts.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((this.#starts[middle] ?? 0) <= place) low = middle;
      else high = middle - 1;
    }
    return low + 1;
  }
}

/** Among several places only one counts around which all that is known agrees. */
function isWhole(before: boolean | null, after: boolean | null): boolean {
  return before !== false && after !== false && (before === true || after === true);
}

/** How far one text is as another from its beginning, or its end; any number is as any other. */
function commonLength(one: string, two: string, where: 'head' | 'foot'): number {
  const at = (text: string, index: number) => text[where === 'head' ? index : text.length - 1 - index] ?? '';
  const isDigit = (character: string) => character >= '0' && character <= '9';
  let [a, b] = [0, 0];
  while (a < one.length && b < two.length) {
    if (isDigit(at(one, a)) && isDigit(at(two, b))) {
      while (isDigit(at(one, a))) a += 1;
      while (isDigit(at(two, b))) b += 1;
    } else if (at(one, a) === at(two, b)) {
      a += 1;
      b += 1;
    } else break;
  }
  return a;
}
