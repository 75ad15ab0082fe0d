import search from 'approx-string-match';
import { type Edges, edgesOf, isNumber, longestEdge } from './edges.ts';
import { normalForm } from './normalForm.ts';

/** Where a quote and the page differ: either may be empty. */
export interface QuoteDifference {
  readonly quote: string;
  readonly page: string;
}

/** Whether a text is on a page. */
export type QuoteVerdict =
  | { readonly verdict: 'verbatim'; readonly text: string; readonly around: string }
  /** `share` is how much of the letters and digits of the longer of both is the same, in percent. */
  | {
      readonly verdict: 'nearly';
      readonly text: string;
      readonly around: string;
      readonly share: number;
      readonly differences: readonly QuoteDifference[];
    }
  | { readonly verdict: 'no' };

/** Letters and digits in a row that only a quote shares with a page, and chance doesn't. */
const shortestRun = 12;
/** How much has to be the same, in percent. */
const leastShare = 85;
/** Characters that are shown on both sides of what was found. */
const shownAround = 80;
const maxDifferences = 12;
/** Longest quote, in characters without blanks, that is compared approximately: the time grows with its square. */
const longestApproximate = 2000;
/** Characters before a quote that have to agree where more are known. */
const agreedPrefix = 16;
/** Characters by which a quote's approximate position is found; where 12 in a row are the same, one of these is. */
const seedLength = 6;
/** Places of one quote, and characters compared for them, that are enough: only made-up pages have more. */
const [maxOccurrences, maxCompared] = [200, 20_000_000];

/**
 * Raised digits, a number with its separators, a character of a script without blanks between words, a word, whose
 * hyphens may be a line break's, or any other character.
 */
const pieces =
  /[⁰¹²³⁴-⁹]+|\p{Nd}+(?:[.,']\p{Nd}+)*|[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]|(?:(?:(?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}])[\p{L}\p{M}]){3,}-)*(?:(?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}])[\p{L}\p{M}])+|[^\s]/gu;
/** What doesn't count for finding candidates: blanks, hyphens in words, raised digits and digits that may be raised. */
const uncounted = /\s+|(?<=[\p{L}\p{M}])-(?=[\p{L}\p{M}])|[⁰¹²³⁴-⁹]+|(?<=[\p{L}\p{M}])\p{Nd}{1,2}(?!\p{Nd})/gu;
const uncountedPlain = /\s+|(?<=[\p{L}\p{M}])-(?=[\p{L}\p{M}])/gu;
const hasRaised = /[⁰¹²³⁴-⁹]/u;
const isRaised = /^[⁰¹²³⁴-⁹]/u;
const plainDigits = (text: string) => text.replace(/[⁰¹²³⁴-⁹]/g, (digit) => digit.normalize('NFKC'));

/** Marks that are typed in several ways and mean the same. Each stays one UTF-16 unit, so that positions stay. */
const alike = /[’‘‛ʼ`]|[“”„‟«»]|[–—−‐‑‒]/g;
const unified = (text: string) =>
  text.replace(alike, (mark) => (/[’‘‛ʼ`]/.test(mark) ? "'" : /[“”„‟«»]/.test(mark) ? '"' : '-'));

interface Piece {
  /** Without the hyphens of a word. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly letters: number;
}

function piecesOf(text: string): Piece[] {
  return Array.from(text.matchAll(pieces), ({ 0: found, index: start }) => {
    const own = found.length > 1 && !isNumber.test(found) ? found.replaceAll('-', '') : found;
    return { text: own, start, end: start + found.length, letters: /^[\p{L}\p{M}\p{N}]/u.test(own) ? own.length : 0 };
  });
}

/** In letters and digits: dots that lead to a number don't count. */
const lengthOf = (list: readonly (Piece | undefined)[]) => list.reduce((sum, piece) => sum + (piece?.letters ?? 0), 0);

/** Raised digits left out, or as plain ones. */
type Form = 'loose' | 'plain';

/** The characters of a text that count, for quick searches, with their positions in the text. */
class Sketch {
  readonly units: string;
  readonly #text: string;
  readonly #uncounted: RegExp;
  #sources: Uint32Array | undefined;

  constructor(text: string, form: Form) {
    this.#text = form === 'loose' ? text : plainDigits(text);
    this.#uncounted = form === 'loose' ? uncounted : uncountedPlain;
    this.units = this.#text.replace(this.#uncounted, '');
  }

  /** Where a unit is in the text. */
  source(unit: number): number {
    this.#sources ??= this.#allSources();
    return this.#sources[unit] ?? this.#text.length;
  }

  #allSources(): Uint32Array {
    const sources = new Uint32Array(this.units.length);
    let [unit, at] = [0, 0];
    for (const { 0: left, index } of [...this.#text.matchAll(this.#uncounted), { 0: '', index: this.#text.length }]) {
      for (; at < index; at += 1) sources[unit++] = at;
      at += left.length;
    }
    return sources;
  }
}

/** A text in which quotes are searched, or a quote. */
export class Searchable {
  /** In the normal form. */
  readonly text: string;
  /** The same with one character for marks that mean the same. */
  readonly unified: string;
  readonly hasRaised: boolean;
  readonly #sketches: Partial<Record<Form, Sketch>> = {};
  #pieces: readonly Piece[] | undefined;

  constructor(text: string) {
    this.text = text;
    this.unified = unified(text);
    this.hasRaised = hasRaised.test(text);
  }

  sketch(form: Form): Sketch {
    this.#sketches[form] ??= new Sketch(this.unified, form);
    return this.#sketches[form];
  }

  /** The characters that count. */
  get units(): string {
    return this.sketch('loose').units;
  }

  get pieces(): readonly Piece[] {
    this.#pieces ??= piecesOf(this.unified);
    return this.#pieces;
  }
}

/** Any text, in the normal form. */
export const searchable = (text: string): Searchable => new Searchable(normalForm(text));

/** Where the characters of a quote are in a text. */
export interface Occurrence extends Edges {
  readonly start: number;
  readonly end: number;
  /** The position of its first character among those that count. */
  readonly at: number;
  readonly form: Form;
  /** Whether the words are the quote's, and not only the characters, as `in valid` has those of `invalid`. */
  readonly isSame: boolean;
}

/**
 * Where a quote is in a text, in order; also where its ends are cut off from a word or number.
 * @param max whole occurrences that are enough
 */
export function occurrencesOf(page: Searchable, quote: Searchable, max = maxOccurrences): Occurrence[] {
  const occurrences: Occurrence[] = [];
  let [left, whole] = [maxCompared, 0];
  for (const form of page.hasRaised || quote.hasRaised ? (['loose', 'plain'] as const) : (['loose'] as const)) {
    const [sketch, { units: wanted }] = [page.sketch(form), quote.sketch(form)];
    const { units } = sketch;
    const [head, last] = [wanted.slice(0, longestEdge), wanted.charAt(wanted.length - 1)];
    let at = wanted === '' || occurrences.some(({ isSame }) => isSame) ? -1 : units.indexOf(head);
    // A page may have a quote's beginning everywhere.
    if (at !== -1 && !units.includes(wanted.slice(-longestEdge))) continue;
    for (; at !== -1 && left > 0 && whole < max; at = units.indexOf(head, at + 1)) {
      left -= 1;
      if (units.charAt(at + wanted.length - 1) !== last) continue;
      left -= wanted.length;
      if (!units.startsWith(wanted, at)) continue;
      left -= 500 + 400 * wanted.length;
      const occurrence = occurrenceAt(page, quote, sketch.source(at), sketch.source(at + wanted.length - 1) + 1);
      if (occurrence) occurrences.push({ ...occurrence, form, at });
      if (occurrence?.isSame && occurrence.before === '' && occurrence.after === '') whole += 1;
    }
  }
  return occurrences;
}

/** Words, and as much as is known of what is around them. */
export interface QuoteContext {
  readonly exact?: string | undefined;
  readonly prefix?: string | undefined;
  readonly suffix?: string | undefined;
}

/** Where a quote's words are on a page, among those that are given; where its ends are cut off, too. */
export function occurrencesBetween(page: Searchable, { exact = '', prefix = '', suffix = '' }: QuoteContext) {
  const [words, before, after] = [searchable(exact), searchable(prefix), searchable(suffix)];
  return occurrencesOf(page, words).filter(({ at, form, isSame }) => {
    const { units } = page.sketch(form);
    const isBetween = units.startsWith(after.sketch(form).units, at + words.sketch(form).units.length);
    return isSame && isBetween && units.slice(0, at).endsWith(before.sketch(form).units);
  });
}

/** The only position of words on a page; null if they are missing, or their prefix fits several positions. */
export function locate(text: string, { exact, prefix }: QuoteContext): readonly [start: number, end: number] | null {
  const page = new Searchable(text);
  const all = occurrencesBetween(page, { exact });
  const fitting = all.length > 1 ? occurrencesBetween(page, { exact, prefix: prefix?.slice(-agreedPrefix) }) : all;
  return fitting[0] && fitting.length === 1 ? [fitting[0].start, fitting[0].end] : null;
}

/** What doesn't count, directly behind a character that does. */
const uncountedEnd = /[⁰¹²³⁴-⁹]+|(?<=[\p{L}\p{M}])\p{Nd}{1,2}(?!\p{Nd})/uy;

function occurrenceAt(page: Searchable, quote: Searchable, start: number, lastEnd: number) {
  const last = quote.pieces.at(-1)?.text ?? '';
  // A digit is no raised one.
  if (isRaised.test(last) && isNumber.test(page.unified.charAt(lastEnd))) return undefined;
  uncountedEnd.lastIndex = lastEnd;
  const hasMore = /^\p{N}{1,2}$/u.test(last) && uncountedEnd.test(page.unified);
  const end = hasMore ? uncountedEnd.lastIndex : lastEnd;
  const here = piecesOf(page.unified.slice(start, end));
  const isSame = hasSameWords(here, quote.pieces);
  const numbers = (list: readonly Piece[]) => list.filter(({ text }) => isNumber.test(text)).map(({ text }) => text);
  if (!isSame && numbers(here).join(' ') !== numbers(quote.pieces).join(' ')) return undefined;
  return { start, end, isSame, ...edgesOf(page.unified, start, end) };
}

/** Whether words are the same; a raised digit is left out, or is a number apart, on either side. */
function hasSameWords(some: readonly Piece[], others: readonly Piece[]): boolean {
  const walk = (isWritten: boolean) => {
    let [a, b] = [0, 0];
    while (a < some.length || b < others.length) {
      const [one = '', two = ''] = [some[a]?.text, others[b]?.text];
      const isEither = one === two || (isWritten && one !== '' && two !== '' && plainDigits(one) === plainDigits(two));
      if (isEither || isRaised.test(one)) a += 1;
      else if (!isRaised.test(two)) return false;
      if (isEither || !isRaised.test(one)) b += 1;
    }
    return true;
  };
  return walk(true) || walk(false);
}

/**
 * Whether a quote is on a page: word for word (only blanks, hyphens in words, raised digits, and the forms of quotation
 * marks and dashes may differ), nearly (at least 85 % of its letters and digits in one stretch, of which 12 in a row),
 * or not. A number that is cut short or lacks its sign, scale, unit or the rest of its range is not word for word.
 * @param page text in the normal form
 * @param quote as it was given
 * @param wanted omits the slower search for anything less
 */
export function match(page: string, quote: string, wanted?: 'verbatim'): QuoteVerdict {
  const [searched, said] = [new Searchable(page), searchable(quote)];
  if (lengthOf(said.pieces) === 0) return { verdict: 'no' };
  const occurrences = occurrencesOf(searched, said, 1).filter(({ isSame }) => isSame);
  const whole = occurrences.find(({ before, after }) => before === '' && after === '');
  if (whole) return { verdict: 'verbatim', ...shown(page, whole.start, whole.end) };
  if (wanted === 'verbatim') return { verdict: 'no' };
  const [cut] = occurrences;
  return cut && lengthOf(said.pieces) >= shortestRun ? cutShort(page, said, cut) : nearly(searched, said);
}

/** A part of a page, and what is around it. */
function shown(page: string, start = 0, end = 0) {
  const around = page.slice(Math.max(0, start - shownAround), end + shownAround);
  return { text: page.slice(start, end), around: around.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '') };
}

/** A verbatim occurrence whose first or last word or number continues on the page. */
function cutShort(page: string, { pieces: said }: Searchable, { start, end, before, after }: Occurrence): QuoteVerdict {
  const [from, to] = [start - before.length, end + after.length];
  const here = piecesOf(unified(page.slice(start, end)));
  const share = Math.floor((100 * lengthOf(said)) / lengthOf(piecesOf(unified(page.slice(from, to)))));
  if (share < leastShare) return { verdict: 'no' };
  const [first, last] = [
    page.slice(from, start + (here[0]?.end ?? 0)),
    page.slice(start + (here.at(-1)?.start ?? 0), to),
  ];
  const differences = [
    ...(before ? [{ quote: said[0]?.text ?? '', page: first }] : []),
    ...(after ? [{ quote: said.at(-1)?.text ?? '', page: last }] : []),
  ];
  return { verdict: 'nearly', ...shown(page, from, to), share, differences };
}

function nearly(page: Searchable, said: Searchable): QuoteVerdict {
  const range = similarRange(page, said);
  if (!range) return { verdict: 'no' };
  const begin = Math.max(0, range[0] - longestEdge);
  const here = piecesOf(page.unified.slice(begin, range[1] + longestEdge))
    .map((piece) => ({ ...piece, start: piece.start + begin, end: piece.end + begin }))
    .filter(({ start, end }) => end > range[0] && start < range[1]);
  const pairs = alignedPairs(said.pieces, here);
  const same = lengthOf(pairs.map(([at]) => said.pieces[at]));
  const share = Math.floor((100 * same) / Math.max(lengthOf(said.pieces), lengthOf(here), 1));
  if (share < leastShare || longestRun(said.pieces, pairs) < shortestRun) return { verdict: 'no' };
  const differences = differencesOf(page.text, said, here, pairs);
  return { verdict: 'nearly', ...shown(page.text, here[0]?.start, here.at(-1)?.end), share, differences };
}

/** Where the stretch of a page is that a quote is most similar to, if any is. */
function similarRange(page: Searchable, said: Searchable): readonly [start: number, end: number] | undefined {
  const { units } = said;
  if (units.length > longestApproximate) return undefined;
  const errors = Math.ceil(units.length / 4);
  // Seeds vote for where the quote would begin; so the slow comparison sees little of a page.
  const votes = new Map<number, number>();
  for (let seed = 0; seed + seedLength <= units.length; seed += seedLength) {
    const wanted = units.slice(seed, seed + seedLength);
    let at = page.units.indexOf(wanted);
    for (let count = 0; at !== -1 && count < maxOccurrences; count += 1) {
      const begin = Math.floor((at - seed) / errors);
      votes.set(begin, (votes.get(begin) ?? 0) + 1);
      at = page.units.indexOf(wanted, at + 1);
    }
  }
  const votesAt = (begin: number) => (votes.get(begin) ?? 0) + (votes.get(begin + 1) ?? 0);
  let best: number | undefined;
  for (const begin of votes.keys()) if (best === undefined || votesAt(begin) > votesAt(best)) best = begin;
  if (best === undefined) return undefined;
  const start = Math.max(0, (best - 1) * errors);
  const [found] = search(page.units.slice(start, (best + 3) * errors + units.length), units, errors);
  if (!found) return undefined;
  const sketch = page.sketch('loose');
  return [sketch.source(start + found.start), sketch.source(start + found.end - 1) + 1];
}

/** Positions of the same word in a quote and on a page. */
type Pair = readonly [said: number, here: number];

/** What both have in the same order, as pairs of positions, so that most characters are the same. */
function alignedPairs(said: readonly Piece[], here: readonly Piece[]): Pair[] {
  const width = here.length + 1;
  const scores = new Uint32Array((said.length + 1) * width);
  const score = (a: number, b: number) => scores[a * width + b] ?? 0;
  const gain = (a: number, b: number) => (said[a]?.text === here[b]?.text ? 1 + 4 * (said[a]?.text.length ?? 0) : 0);
  for (let a = said.length - 1; a >= 0; a -= 1) {
    for (let b = here.length - 1; b >= 0; b -= 1) {
      const both = gain(a, b);
      scores[a * width + b] = Math.max(both > 0 ? both + score(a + 1, b + 1) : 0, score(a + 1, b), score(a, b + 1));
    }
  }
  const pairs: Pair[] = [];
  for (let [a, b] = [0, 0]; a < said.length && b < here.length; ) {
    const both = gain(a, b);
    if (both > 0 && score(a, b) === both + score(a + 1, b + 1)) pairs.push([a++, b++]);
    else if (score(a, b) === score(a + 1, b)) a += 1;
    else b += 1;
  }
  return pairs;
}

/** The longest run of pairs that follow each other on both sides, in letters and digits. */
function longestRun(said: readonly Piece[], pairs: readonly Pair[]): number {
  let [longest, run] = [0, 0];
  for (const [index, [a, b]] of pairs.entries()) {
    const isNext = pairs[index - 1]?.[0] === a - 1 && pairs[index - 1]?.[1] === b - 1;
    run = (isNext ? run : 0) + (said[a]?.letters ?? 0);
    longest = Math.max(longest, run);
  }
  return longest;
}

/** What is between the pairs, on both sides. */
function differencesOf(
  page: string,
  { text, pieces: said }: Searchable,
  here: readonly Piece[],
  pairs: readonly Pair[],
): QuoteDifference[] {
  const differences: QuoteDifference[] = [];
  const part = (whole: string, list: readonly Piece[]) => whole.slice(list[0]?.start ?? 0, list.at(-1)?.end ?? 0);
  let [a, b] = [0, 0];
  for (const [nextA, nextB] of [...pairs, [said.length, here.length] as const]) {
    const [mine, theirs] = [said.slice(a, nextA), here.slice(b, nextB)];
    if (mine.length > 0 || theirs.length > 0) differences.push({ quote: part(text, mine), page: part(page, theirs) });
    [a, b] = [nextA + 1, nextB + 1];
  }
  return differences.slice(0, maxDifferences);
}
