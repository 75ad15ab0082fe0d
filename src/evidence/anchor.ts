import { edgesOf } from '../text/edges.ts';
import {
  endWithUncounted,
  hasSameWords,
  type Occurrence,
  occurrencesOf,
  type Searchable,
  searchable,
} from '../text/match.ts';

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

/** Most characters of notes, head and foot between the two parts of a quote around a page break, if both are long. */
const longestMargin = 250;

/** The same of head and foot that are the same on each page. */
const longestEdge = 1000;

/** Most positions at which a page break may part a quote that are compared. */
const maxTries = 20_000;

/** Characters of a quote's second part that are searched first. */
const longestProbe = 64;

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
    const gaps = ['', ' '].flatMap((first) =>
      ['', ' '].map((last) => [`${before}${first}`, `${last}${after}`] as const),
    );
    this.#edges = new Set(
      gaps.flatMap(([start, end]) => {
        const edges = edgesOf(start + own + end, start.length, start.length + own.length);
        return [`before ${bare(edges.before)}`, `after ${bare(edges.after)}`];
      }),
    );
  }

  /** Whether a stretch's first and last word or number go on as they did, with the same unit and parenthesis. */
  hasEdges(before: string, after: string, [left, right]: readonly [string, string]): boolean {
    const { exact, prefix, suffix } = this;
    const [unit, own] = [right.trimStart().charAt(0), suffix.unified.charAt(0)];
    const isOther = own !== '' && unit !== own && /[\p{L}\p{N}]/u.test(unit);
    if (isOther && /\p{Nd}$/u.test(exact.unified)) return false;
    // Of an amount in parentheses the end may be far away.
    if (/^\p{Nd}/u.test(exact.unified) && left.endsWith('(') !== prefix.unified.endsWith('(')) return false;
    return this.#edges.has(`before ${bare(before)}`) && this.#edges.has(`after ${bare(after)}`);
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
    const isLone = wanted.prefix.units === '' && wanted.suffix.units === '';
    const fitting = occurrences.filter(({ page, occurrence }) => {
      const { before, after } = agreement(page, occurrence, wanted);
      const isFit = occurrences.length === 1 ? isLone || before === true || after === true : isWhole(before, after);
      return isFit && hasEdges(page, occurrence, wanted);
    });
    const [only] = fitting;
    if (fitting.length === 1 && only?.occurrence.isSame) return { state: 'found', page: only.number };
    return { state: 'ambiguous', pages: [...new Set(occurrences.map(({ number }) => number))] };
  }

  /** Whether a quote's words are on one of these pages, or continue on the next, in any context. */
  contains(words: QuoteWords, pages: readonly number[]): boolean {
    const wanted = new SoughtQuote(words);
    const isOn = (number: number) => {
      const page = this.#pages[number - 1];
      return (
        page &&
        occurrencesOf(page, wanted.exact).some((occurrence) => occurrence.isSame && hasEdges(page, occurrence, wanted))
      );
    };
    if (pages.some(isOn)) return true;
    const across = pages.length > 1 && this.#acrossPages(wanted);
    return across && across.state === 'found' && pages.includes(across.page);
  }

  /**
   * A quote that a page break parts now: found where only head and foot, which repeat on each page, are in between.
   * With notes or other text there a person has to check it.
   */
  #acrossPages(wanted: SoughtQuote): Anchored {
    const [sure, likely] = [new Set<number>(), new Set<number>()];
    const { units } = wanted.exact;
    const part = Math.min(shortestPart, Math.ceil(units.length / 3));
    const reach = units.length + longestEdge;
    let tries = 0;
    for (const [index, page] of this.#pages.entries()) {
      const next = this.#pages[index + 1];
      if (!next || units === '') break;
      const [end, begin] = [page.units.slice(-reach), next.units.slice(0, reach)];
      // Of the two parts at least one is long enough to be searched by its beginning or its end.
      if (!end.includes(units.slice(0, part)) && !begin.includes(units.slice(-part))) continue;
      const [foots, heads] = [this.#repeated(index, 'foot'), this.#repeated(index + 1, 'head')];
      for (let length = 1; length < units.length && tries < maxTries; length += 1) {
        tries += 1;
        const at = end.lastIndexOf(units.slice(0, length));
        if (at < 0) break;
        const rest = units.slice(length);
        // A search for all of a long rest takes long where a page nearly has it everywhere.
        const head = begin.indexOf(rest.slice(0, longestProbe));
        if (head < 0 || !begin.startsWith(rest, head)) continue;
        const foot = end.length - at - length;
        const from = page.units.length - end.length + at;
        const parts = [stretch(page, from, length), stretch(next, head, units.length - length)] as const;
        if (foot <= foots && head <= heads) {
          tries += units.length >> 3;
          if (isParted(parts, wanted)) {
            sure.add(index + 1);
            break;
          }
        }
        // A few letters are at the edge of many a page.
        const isLong = Math.min(length, units.length - length) >= shortestPart;
        if (isLong && foot <= longestMargin && head <= longestMargin) likely.add(index + 1);
      }
    }
    const [page] = sure;
    if (page !== undefined && sure.size === 1) return { state: 'found', page };
    const pages = [...(sure.size > 0 ? sure : likely)];
    return pages.length === 0 ? { state: 'gone' } : { state: 'ambiguous', pages };
  }

  /** How much of a page's head or foot the pages around it have too, except for numbers. */
  #repeated(index: number, where: 'head' | 'foot'): number {
    const own = this.#pages[index]?.units ?? '';
    const others = [index - 2, index - 1, index + 1, index + 2].map((other) => this.#pages[other]?.units ?? '');
    return Math.max(0, ...others.map((other) => commonLength(own, other, where)));
  }
}

/** A part of a page, by the characters that count. */
interface Stretch {
  readonly page: Searchable;
  readonly start: number;
  readonly end: number;
}

function stretch(page: Searchable, at: number, length: number): Stretch {
  const sketch = page.sketch('loose');
  return { page, start: sketch.source(at), end: endWithUncounted(page, sketch.source(at + length - 1) + 1) };
}

/** Whether two parts are a quote's words, which a page break parts, also within a word. */
function isParted([first, second]: readonly [Stretch, Stretch], wanted: SoughtQuote): boolean {
  const { before } = edgesOf(first.page.unified, first.start, first.end);
  const { after } = edgesOf(second.page.unified, second.start, second.end);
  if (!wanted.hasEdges(before, after, [around(first)[0], around(second)[1]])) return false;
  const parts = [first, second].map(({ page, start, end }) => page.unified.slice(start, end));
  return ['', ' '].some((gap) => hasSameWords(searchable(parts.join(gap)).pieces, wanted.exact.pieces));
}

/** The characters beside a stretch. */
function around({ page: { unified }, start, end }: Stretch): readonly [before: string, after: string] {
  return [unified.slice(Math.max(0, start - 2), start), unified.slice(end, end + 2)];
}

function hasEdges(page: Searchable, occurrence: Occurrence, wanted: SoughtQuote): boolean {
  return wanted.hasEdges(occurrence.before, occurrence.after, around({ page, ...occurrence }));
}

/** Whether what is before and after an occurrence is what was around the quote; null where nothing is known of it. */
function agreement(page: Searchable, { at, form }: Occurrence, { exact, prefix, suffix }: SoughtQuote) {
  const [all, before, after] = [page, prefix, suffix].map((text) => text.sketch(form).units);
  const to = at + exact.sketch(form).units.length;
  return { before: agrees(all, before, at, -1), after: agrees(all, after, to, 1) };
}

function agrees(all = '', context = '', at: number, step: 1 | -1): boolean | null {
  let run = 0;
  const [own, other] = step === 1 ? [at, 0] : [at - 1, context.length - 1];
  while (run < context.length && all[own + step * run] === context[other + step * run]) run += 1;
  return context === '' ? null : run >= Math.min(agreed, context.length);
}

/** Among several occurrences only one counts around which all that is known agrees. */
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
