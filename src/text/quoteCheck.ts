import { normalForm } from './normalForm.ts';

/** Where what was said and what stands on the page part: either may be empty. */
export interface QuoteDifference {
  readonly quote: string;
  readonly page: string;
}

/** Whether a text stands on a page. */
export type QuoteVerdict =
  | { readonly verdict: 'verbatim'; readonly text: string; readonly around: string }
  /** `share` is how much of the letters and digits of the longer of both is the same, in per cent. */
  | {
      readonly verdict: 'nearly';
      readonly text: string;
      readonly around: string;
      readonly share: number;
      readonly differences: readonly QuoteDifference[];
    }
  | { readonly verdict: 'no' };

/** Shortest run, in letters and digits, by which anything but a verbatim quote is told from chance. */
const shortestRun = 12;
/** How much has to be the same, in per cent. */
const leastShare = 85;
/** Characters that are shown on both sides of what was found. */
const shownAround = 80;
/** Differences that are told. */
const maxDifferences = 12;
const maxQuoteWords = 600;
/** Words of a page that are compared; the most that a page has here is far less. */
const maxPageWords = 40_000;

/** A word, a number with its sign and separators, or any other character, and where it stands. */
interface Piece {
  readonly text: string;
  readonly start: number;
  readonly end: number;
  readonly isNumber: boolean;
  /** How many letters and digits it has. */
  readonly letters: number;
}

/** Characters of scripts without blanks between words are words by themselves. */
const pieces =
  /\p{Nd}+(?:[.,'’]\p{Nd}+)*|[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])[\p{L}\p{M}])+|[^\s\p{L}\p{M}\p{Nd}]/gu;
const unspaced = /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}]/u;
const letterOrDigit = /^(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}])[\p{L}\p{M}\p{Nd}]/u;
/** Characters that are typed in several ways and mean one thing. */
const alike: Readonly<Record<string, string>> = {
  ...{ '’': "'", '‘': "'", '‛': "'", ʼ: "'", '`': "'", '“': '"', '”': '"', '„': '"', '‟': '"', '«': '"', '»': '"' },
  ...{ '–': '-', '—': '-', '−': '-', '‐': '-', '‑': '-', '‒': '-' },
};

function piecesOf(text: string, max: number): Piece[] {
  const found: Piece[] = [];
  for (const { 0: piece, index: start } of text.matchAll(pieces)) {
    if (found.length === max) break;
    const plain = /^\p{Nd}/u.test(piece) ? piece.replaceAll('’', "'") : (alike[piece] ?? piece);
    const letters = letterOrDigit.test(piece) || unspaced.test(piece) ? plain.length : 0;
    found.push({ text: plain, start, end: start + piece.length, isNumber: /^\p{Nd}/u.test(piece), letters });
  }
  return found;
}

/**
 * Whether a quote stands on a page: word for word (only blanks, line breaks, hyphens at a line's end, and the forms of
 * quotation marks and dashes may differ), nearly (at least 85 % of its letters and digits in one stretch, of which 12
 * in a row), or not. A number that is cut short or lacks its sign, scale or unit, or the rest of its range, is not word
 * for word; a changed digit or word never is.
 * @param page text in the normal form
 * @param quote as it was given
 * @param wanted leaves out to look for anything less, which takes longer
 */
export function checkQuote(page: string, quote: string, wanted?: 'verbatim'): QuoteVerdict {
  const said = piecesOf(normalForm(quote), maxQuoteWords + 1);
  const stands = piecesOf(page, maxPageWords);
  if (said.length === 0 || said.length > maxQuoteWords) return { verdict: 'no' };
  if (!said.some(({ letters }) => letters > 0)) return { verdict: 'no' };
  const places = placesOf(said, stands).map((from) => {
    const to = from + said.length;
    return { from, to, before: isCutBefore(stands, from), after: isCutAfter(stands, to) };
  });
  const whole = places.find(({ before, after }) => !before && !after);
  if (whole) return { verdict: 'verbatim', ...shown(page, stands, whole.from, whole.to) };
  if (wanted === 'verbatim') return { verdict: 'no' };
  const [cut] = places;
  return cut && lengthOf(said) >= shortestRun ? cutShort(page, said, stands, cut) : nearly(page, said, stands);
}

/** Where one list stands within another, by Knuth, Morris and Pratt, in time proportional to the page's length. */
function placesOf(said: readonly Piece[], stands: readonly Piece[]): number[] {
  /** How much of the beginning of the list still fits where its first pieces did, and the next one doesn't. */
  const shorter = [0];
  const grown = (length: number, { text }: Piece): number => {
    let kept = length;
    while (kept > 0 && said[kept]?.text !== text) kept = shorter[kept - 1] ?? 0;
    return said[kept]?.text === text ? kept + 1 : 0;
  };
  for (const piece of said.slice(1)) shorter.push(grown(shorter.at(-1) ?? 0, piece));
  const places: number[] = [];
  let length = 0;
  for (const [at, piece] of stands.entries()) {
    length = grown(length, piece);
    if (length === said.length) places.push(at + 1 - length);
  }
  return places;
}

const isTight = (left: Piece | undefined, right: Piece | undefined) => left?.end === right?.start;
const isTightWord = (left: Piece | undefined, right: Piece | undefined) =>
  isTight(left, right) && isWord(left) && isWord(right);

/** Whether a number goes on behind a blank that may group it, as `1 234` does; cells of a table may look the same. */
function isGrouped(left: Piece | undefined, right: Piece | undefined): boolean {
  if (left === undefined || right === undefined || right.start - left.end !== 1) return false;
  return /^\p{Nd}{1,3}$/u.test(left.text) && /^\p{Nd}{3}(?:[.,]\p{Nd}+)?$/u.test(right.text);
}

/** Words by which a number in front of them is multiplied, in the languages of most reports. */
const scales =
  /^(?:hundred|thousand|(?:m|b|tr)illions?|hundert|tausend|tsd|mio|mrd|milli(?:onen|arden?)|billionen|mill(?:e|iers?)|milliards?|mil|miles|mill[oó]n|millones|billones|mila|milion[ei]|miliard[oi]|mln|mld|mn|bn|[km])$/iu;

/** Whether a range goes on behind a number, as in `12–15` and `12 – 15`; in `12 –15` another number begins. */
function isRange(number: Piece, dash: Piece | undefined, next: Piece | undefined): boolean {
  return dash?.text === '-' && next?.isNumber === true && (isTight(number, dash) || !isTight(dash, next));
}

/** Whether a word or number goes on before a place, as `12` does in `-12`, `> 12`, `€12`, `1 012` and `(12)`. */
function isCutBefore(stands: readonly Piece[], from: number): boolean {
  const [before, first, second] = [stands[from - 1], stands[from], stands[from + 1]];
  if (before === undefined || first === undefined) return false;
  if (isTightWord(before, first) || isGrouped(before, first)) return true;
  if (!first.isNumber) return false;
  if (/^[-±<>≤≥~≈]$/u.test(before.text)) return true;
  return isTight(before, first) && (/^\p{Sc}$/u.test(before.text) || (before.text === '(' && second?.text === ')'));
}

/** Whether a word or number goes on after a place, as `12` in `12 %`, `12th`, `12 000`, `12–15`, `12 million`. */
function isCutAfter(stands: readonly Piece[], to: number): boolean {
  const [last, after] = [stands[to - 1], stands[to]];
  if (isTightWord(last, after) || isGrouped(last, after)) return true;
  if (last?.isNumber !== true || after === undefined) return false;
  return /^[%‰\p{Sc}]$/u.test(after.text) || scales.test(after.text) || isRange(last, after, stands[to + 1]);
}

/** What is there word for word, but for what its edges are cut off from. */
function cutShort(
  page: string,
  said: readonly Piece[],
  stands: readonly Piece[],
  { from, to, before, after }: { from: number; to: number; before: boolean; after: boolean },
): QuoteVerdict {
  const [begin, end] = [before ? from - 1 : from, after ? to + 1 : to];
  const share = Math.floor((100 * lengthOf(said)) / lengthOf(stands.slice(begin, end)));
  if (share < leastShare) return { verdict: 'no' };
  const edge = (at: number, other: number) => ({
    quote: stands[at]?.text ?? '',
    page: shown(page, stands, Math.min(at, other), Math.max(at, other) + 1).text,
  });
  const differences = [...(before ? [edge(from, begin)] : []), ...(after ? [edge(to - 1, to)] : [])];
  return { verdict: 'nearly', ...shown(page, stands, begin, end), share, differences };
}

const isWord = (piece: Piece | undefined) => letterOrDigit.test(piece?.text ?? '');

/** The part of a page between two pieces, and what stands around it. */
function shown(page: string, stands: readonly Piece[], from: number, to: number) {
  const [start, end] = [stands[from]?.start ?? 0, stands[to - 1]?.end ?? 0];
  const around = page.slice(Math.max(0, start - shownAround), end + shownAround);
  return { text: page.slice(start, end), around: around.replace(/^[\uDC00-\uDFFF]|[\uD800-\uDBFF]$/g, '') };
}

function nearly(page: string, said: readonly Piece[], stands: readonly Piece[]): QuoteVerdict {
  const run = longestRun(said, stands);
  if (run.length < shortestRun) return { verdict: 'no' };
  // Pieces farther away than this can't be part of so similar a stretch.
  const reach = said.length + 8;
  const first = Math.max(0, run.at - run.of - reach);
  const { pairs, from, to } = aligned(said, stands.slice(first, run.at + reach));
  const [begin, end] = [from + first, to + first];
  const same = lengthOf(pairs.map(([at]) => said[at]));
  const longer = Math.max(lengthOf(said), lengthOf(stands.slice(begin, end)));
  const share = Math.floor((100 * same) / longer);
  if (share < leastShare) return { verdict: 'no' };
  const found = shown(page, stands, begin, end);
  const differences = differencesOf(
    page,
    said,
    stands,
    pairs.map(([a, b]) => [a, b + first] as const),
    end,
  );
  return { verdict: 'nearly', ...found, share, differences };
}

/** In letters and digits: dots that lead to a number say nothing. */
const lengthOf = (list: readonly (Piece | undefined)[]) => list.reduce((sum, piece) => sum + (piece?.letters ?? 0), 0);

/** The longest run in both, in letters and digits: where it begins on the page (`at`) and in the quote (`of`). */
function longestRun(said: readonly Piece[], stands: readonly Piece[]) {
  let best = { length: 0, at: 0, of: 0 };
  const lengths = new Uint32Array(said.length + 1);
  const counts = new Uint32Array(said.length + 1);
  for (const [row, piece] of stands.entries()) {
    for (let column = said.length; column > 0; column -= 1) {
      const isSame = said[column - 1]?.text === piece.text;
      const count = isSame ? (counts[column - 1] ?? 0) + 1 : 0;
      const length = isSame ? (lengths[column - 1] ?? 0) + piece.letters : 0;
      [counts[column], lengths[column]] = [count, length];
      if (length > best.length) best = { length, at: row + 1 - count, of: column - count };
    }
  }
  return best;
}

/** What a stretch of a page has of a quote in the same order, as pairs of places, and from where to where. */
function aligned(said: readonly Piece[], stands: readonly Piece[]) {
  const width = stands.length + 1;
  const scores = new Int32Array((said.length + 1) * width);
  // Text of the page before and after costs nothing; what it has in between, as much as what it lacks.
  for (let a = 1; a <= said.length; a += 1) {
    const own = said[a - 1]?.text ?? '';
    scores[a * width] = (scores[(a - 1) * width] ?? 0) - own.length;
    for (let b = 1; b < width; b += 1) {
      const other = stands[b - 1]?.text ?? '';
      const swapped =
        (scores[(a - 1) * width + b - 1] ?? 0) + (own === other ? own.length : -Math.max(own.length, other.length));
      const lacking = (scores[(a - 1) * width + b] ?? 0) - own.length;
      const added = (scores[a * width + b - 1] ?? 0) - other.length;
      scores[a * width + b] = Math.max(swapped, lacking, added);
    }
  }
  let to = 0;
  const last = said.length * width;
  for (let b = 1; b < width; b += 1) if ((scores[last + b] ?? 0) > (scores[last + to] ?? 0)) to = b;
  const pairs: (readonly [number, number])[] = [];
  let [a, b] = [said.length, to];
  while (a > 0 && b > 0) {
    const [own, other] = [said[a - 1]?.text ?? '', stands[b - 1]?.text ?? ''];
    const score = scores[a * width + b] ?? 0;
    if (score === (scores[(a - 1) * width + b] ?? 0) - own.length) a -= 1;
    else if (score === (scores[a * width + b - 1] ?? 0) - other.length) b -= 1;
    else {
      if (own === other) pairs.unshift([a - 1, b - 1]);
      [a, b] = [a - 1, b - 1];
    }
  }
  return { pairs, from: b, to };
}

/** What lies between the pairs, on both sides. */
function differencesOf(
  page: string,
  said: readonly Piece[],
  stands: readonly Piece[],
  pairs: readonly (readonly [number, number])[],
  end: number,
): QuoteDifference[] {
  const differences: QuoteDifference[] = [];
  const words = (list: readonly Piece[]) => list.map(({ text }) => text).join(' ');
  let [a, b] = [0, (pairs[0]?.[1] ?? end) - (pairs[0]?.[0] ?? 0)];
  for (const [nextA, nextB] of [...pairs, [said.length, end] as const]) {
    const [mine, theirs] = [said.slice(a, nextA), stands.slice(Math.max(0, b), nextB)];
    if (mine.length > 0 || theirs.length > 0) {
      const stretch = page.slice(theirs[0]?.start ?? 0, theirs.at(-1)?.end ?? 0);
      differences.push({ quote: words(mine), page: stretch });
    }
    [a, b] = [nextA + 1, nextB + 1];
  }
  return differences.slice(0, maxDifferences);
}
