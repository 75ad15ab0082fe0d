import { edgesOf, longestEdge } from '../text/edges.ts';
import { type Occurrence, occurrencesOf, Searchable, searchable } from '../text/match.ts';

/** The words that a quote is found again by. */
export interface QuoteWords {
  readonly exact: string;
  readonly prefix: string;
  readonly suffix: string;
}

/** Where a quote's words are in a PDF. Pages are counted from 1. */
export type Anchored =
  | { readonly state: 'found'; readonly page: number }
  /** At several occurrences, or at one whose surroundings are other ones: a person has to check it. */
  | { readonly state: 'ambiguous'; readonly pages: readonly number[] }
  | { readonly state: 'gone' };

/** Shortest part of a quote at a page break, in characters that count: a shorter one is found anywhere. */
const shortestPart = 12;

/** Characters of context that have to agree where more are known. */
const agreed = 16;

/** Most characters around a page break between the two parts of a quote: of notes and the like, and of all. */
const [longestNote, longestMargin] = [250, 1000];

/** Most ways to divide a quote between two pages that are compared; real pages have fewer. */
const maxSplits = 100;

/** A quote with what was around it where it was made. */
class SoughtQuote {
  readonly exact: Searchable;
  readonly prefix: Searchable;
  readonly suffix: Searchable;
  /** What continued its first and last word or number there; a blank around the quote isn't kept. */
  readonly #edges: ReadonlySet<string>;

  constructor({ exact, prefix, suffix }: QuoteWords) {
    [this.exact, this.prefix, this.suffix] = [searchable(exact), searchable(prefix), searchable(suffix)];
    const [before, own, after] = [this.prefix.unified, this.exact.unified, this.suffix.unified];
    const gaps = ['', ' '].flatMap((first) => ['', ' '].map((last) => [before + first, last + after] as const));
    this.#edges = new Set(
      gaps.flatMap(([start, end]) => {
        const edges = edgesOf(start + own + end, start.length, start.length + own.length);
        return [`before ${bare(edges.before)}`, `after ${bare(edges.after)}`];
      }),
    );
  }

  /** Whether the first and last word or number of an occurrence continue as they did, with the same unit. */
  hasEdges({ unified }: Searchable, { start, end, before, after }: Occurrence): boolean {
    const { exact, prefix, suffix } = this;
    const [unit, own] = [
      unified
        .slice(end, end + 2)
        .trimStart()
        .charAt(0),
      suffix.unified.charAt(0),
    ];
    const isOther = own !== '' && unit !== own && /[\p{L}\p{N}]/u.test(unit);
    if (isOther && /\p{Nd}$/u.test(exact.unified)) return false;
    // Of an amount in parentheses the end may be far away.
    const isInParentheses = unified.charAt(start - 1) === '(';
    if (/^\p{Nd}/u.test(exact.unified) && isInParentheses !== prefix.unified.endsWith('(')) return false;
    return this.#edges.has(`before ${bare(before)}`) && this.#edges.has(`after ${bare(after)}`);
  }

  /** Whether the words of a text are the quote's, in any context. */
  isIn(page: Searchable): boolean {
    return occurrencesOf(page, this.exact).some((one) => one.isSame && this.hasEdges(page, one));
  }

  /** Whether an occurrence is the quote, by what is around both. Among several, all that is known has to agree. */
  isAt(page: Searchable, occurrence: Occurrence, isOnly: boolean): boolean {
    const { at, form } = occurrence;
    const [all, own, before, after] = [page, this.exact, this.prefix, this.suffix].map((one) => one.sketch(form).units);
    const known = [before, after].filter((context) => context !== '').length;
    const isAfter = (all ?? '').slice(0, at).endsWith(before?.slice(-agreed) ?? '');
    const isBefore = (all ?? '').startsWith(after?.slice(0, agreed) ?? '', at + (own ?? '').length);
    const agreeing = Number(before !== '' && isAfter) + Number(after !== '' && isBefore);
    const isFit = isOnly ? agreeing > 0 || known === 0 : agreeing > 0 && agreeing === known;
    return isFit && this.hasEdges(page, occurrence);
  }
}

const bare = (edge: string) => edge.replace(/[\s⁰¹²³⁴-⁹]/g, '');

/** The pages of a PDF, prepared for searches of many quotes. */
export class SearchedPages {
  readonly #pages: readonly Searchable[];

  /** @param pages the text of each page, from the first */
  constructor(pages: readonly string[]) {
    this.#pages = pages.map(searchable);
  }

  /** Where a quote's words are, by themselves and by what is around them. */
  find(words: QuoteWords): Anchored {
    const wanted = new SoughtQuote(words);
    const occurrences = this.#pages.flatMap((page, index) =>
      occurrencesOf(page, wanted.exact).map((occurrence) => ({ page, number: index + 1, occurrence })),
    );
    if (occurrences.length === 0) return this.#acrossPages(wanted);
    const isOnly = occurrences.length === 1;
    const fitting = occurrences.filter(({ page, occurrence }) => wanted.isAt(page, occurrence, isOnly));
    const [only] = fitting;
    if (fitting.length === 1 && only?.occurrence.isSame) return { state: 'found', page: only.number };
    return { state: 'ambiguous', pages: [...new Set(occurrences.map(({ number }) => number))] };
  }

  /** Whether a quote's words are on one of these pages, or continue on the next, in any context. */
  contains(words: QuoteWords, pages: readonly number[]): boolean {
    const wanted = new SoughtQuote(words);
    if (this.#pages.some((page, index) => pages.includes(index + 1) && wanted.isIn(page))) return true;
    const across = pages.length > 1 && this.#acrossPages(wanted);
    return across && across.state === 'found' && pages.includes(across.page);
  }

  /**
   * A quote that a page break divides: found where only head and foot, which repeat on each page, are in between.
   * With notes or other text there a person has to check it.
   */
  #acrossPages(wanted: SoughtQuote): Anchored {
    const [sure, likely] = [new Set<number>(), new Set<number>()];
    const { units } = wanted.exact;
    const reach = units.length + longestMargin;
    for (const [index, page] of this.#pages.entries()) {
      const next = this.#pages[index + 1];
      if (!next) break;
      const [end, begin] = [page.units.slice(-reach), next.units.slice(0, reach)];
      const most = largest(units.length - 1, (length) => end.includes(units.slice(0, length)));
      const least = units.length - largest(units.length - 1, (length) => begin.includes(units.slice(-length)));
      if (least > most) continue;
      const [foots, heads] = [this.#repeated(index, 'foot'), this.#repeated(index + 1, 'head')];
      for (let length = least; length <= Math.min(most, least + maxSplits); length += 1) {
        const [at, head] = [end.lastIndexOf(units.slice(0, length)), begin.indexOf(units.slice(length))];
        const foot = end.length - at - length;
        const from = page.units.length - end.length + at;
        const isLong = Math.min(length, units.length - length) >= shortestPart;
        if (
          foot <= foots &&
          head <= heads &&
          isDivided([page, from, length], [next, head, units.length - length], wanted)
        )
          sure.add(index + 1);
        // A few letters are at the edge of many a page.
        else if (isLong && foot <= longestNote && head <= longestNote) likely.add(index + 1);
      }
    }
    const pages = [...(sure.size > 0 ? sure : likely)];
    const [page] = sure;
    if (page !== undefined && sure.size === 1) return { state: 'found', page };
    return pages.length === 0 ? { state: 'gone' } : { state: 'ambiguous', pages };
  }

  /** How much of a page's head or foot the pages around it have too, except for numbers. */
  #repeated(index: number, where: 'head' | 'foot'): number {
    const own = this.#pages[index]?.units ?? '';
    const others = [index - 2, index - 1, index + 1, index + 2].map((other) => this.#pages[other]?.units ?? '');
    return Math.max(0, ...others.map((other) => commonLength(own, other, where)));
  }
}

/** The largest number up to `max` that fits, where all smaller ones do. */
function largest(max: number, fits: (number: number) => boolean): number {
  let [low, high] = [0, max];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (fits(middle)) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** A part of a page, by the characters that count. */
type Part = readonly [page: Searchable, at: number, length: number];

/** Whether two parts are a quote's words, which a page break divides, also within a word. */
function isDivided([one, from, length]: Part, [two, begin, rest]: Part, wanted: SoughtQuote): boolean {
  const [first, second] = [one.sketch('loose'), two.sketch('loose')];
  const [start, end] = [first.source(from), second.source(begin + rest)];
  const before = one.text.slice(Math.max(0, start - longestEdge), first.source(from + length)).trimEnd();
  const after = two.text.slice(second.source(begin), end + longestEdge);
  const ways = [before, `${before} `, before.replace(/-$/, '')];
  return ways.some((way) => wanted.isIn(new Searchable(way + after)));
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
