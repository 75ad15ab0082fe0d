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

type Around = Pick<QuoteWords, 'prefix' | 'suffix'>;

/** Shortest quote, in characters that count: a shorter one is found anywhere. */
export const shortestQuote = 12;

/** Characters of context that have to agree where more are known. */
const agreed = 16;

/** Most characters of notes, head and foot between the two parts of a quote around a page break, if both are long. */
const longestMargin = 250;

/** The same of head and foot that are the same on each page. */
const longestEdge = 1000;

/** Most characters that are looked at for a number beside a quote: as many as are kept of a page around one. */
const longestNumber = 48;

/** Most places that are looked at for one quote. */
const maxPlaces = 200;
/** The same of places where a page break may part it. */
const maxTries = 20_000;

const pageBreak = '\u0002';

/** Private characters that stand for a blank and a hyphen that count, while all others are taken out. */
const [keptBlank, keptHyphen] = ['\ue000', '\ue001'];

/**
 * What counts of a text when quotes are compared: not how it is broken into lines, hyphenated or spaced, nor ligatures
 * and full-width forms. A blank between two digits counts, and so does a minus.
 */
export function comparable(text: string): string {
  return withBlanks(text).replaceAll(' ', '').replaceAll(keptBlank, ' ');
}

/** The same with the blanks that don't count as blanks, and the others as {@link keptBlank}. */
function withBlanks(text: string, hyphen = /(?<=\p{L})[-‐]\s*(?=\p{L})/gu): string {
  // Most pages are all ASCII, which has neither compatibility forms nor invisible characters.
  const isPlain = !/[^\0-\x7f]/.test(text);
  // A raised digit or a fraction behind a digit is no further digit of it.
  const apart = isPlain ? text : text.replace(/(?<=\p{Nd})(?=\p{No})/gu, ' ');
  return (isPlain ? text : apart.normalize('NFKC').replace(/\p{Cf}/gu, ''))
    .replace(hyphen, '')
    .replace(/(?<=\p{Nd})\s+(?=\p{Nd})/gu, keptBlank)
    .replace(/[\s\p{Cc}]+/gu, ' ');
}

/**
 * The same with {@link keptHyphen} for the hyphens that tell words apart, as `re-sign` from `resign`. A longer word may
 * have lost its own at a line's end.
 */
function withBorders(text: string): string {
  const written = withBlanks(text, /(?<=\p{L}{3})[-‐]\s*(?=\p{L})|(?<=\p{L})[-‐]\s+(?=\p{L})/gu);
  return written.replace(/(?<=\p{L})[-‐](?=\p{L})/gu, keptHyphen);
}

/** How a text is parted into words: its blanks between letters, but for scripts that have none there. */
function bordersOf(written: string): string {
  return written.replace(
    /(?<!\p{L}\p{M}*) | (?!\p{L})|(?<=[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}]) | (?=[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Laoo}\p{scx=Khmr}\p{scx=Mymr}])/gu,
    '',
  );
}

/** How often words stand in a text; `max` is enough. */
export function timesIn(text: string, words: string, max = 2): number {
  const [whole, wanted] = [comparable(text), comparable(words)];
  let count = 0;
  for (let at = whole.indexOf(wanted); wanted !== '' && at !== -1 && count < max; at = whole.indexOf(wanted, at + 1))
    count += 1;
  return count;
}

/** The pages of a PDF, made ready for looking for many quotes. */
export class SearchedPages {
  /** All pages, comparable, with a break between two. */
  readonly #text: string;
  readonly #starts: readonly number[];
  readonly #pages: readonly string[];
  /** Pages as {@link withBorders} has them, made when needed. */
  readonly #written: (string | undefined)[] = [];

  /** @param pages the text of each page, from the first */
  constructor(pages: readonly string[]) {
    this.#pages = pages;
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
    const around = { prefix: comparable(words.prefix), suffix: comparable(words.suffix) };
    if (places.length === 0) return this.#acrossPages(words.exact, exact, around);
    const fits = places.map((at) => this.#agreement(at, at + exact.length, around));
    const isLone = around.prefix === '' && around.suffix === '';
    const [only, second] = places.flatMap((at, index) => {
      const { before, after } = fits[index] ?? { before: false, after: false };
      const fit = places.length === 1 ? isLone || before === true || after === true : isWhole(before, after);
      return fit && !this.#runsOn(exact, at, at + exact.length, around) ? [at] : [];
    });
    const isOnly = only !== undefined && second === undefined;
    const isFound = isOnly && (this.#isAsIs(words.exact, places) || this.#isWrittenAs(words.exact, exact, only));
    if (isFound) return { state: 'found', page: this.#pageAt(only) };
    return { state: 'ambiguous', pages: [...new Set(places.map((at) => this.#pageAt(at)))] };
  }

  /** Whether a quote's words are on one of these pages, or continue on the next, in any context. */
  contains(words: QuoteWords, pages: readonly number[]): boolean {
    const exact = comparable(words.exact);
    const around = { prefix: comparable(words.prefix), suffix: comparable(words.suffix) };
    const isThere = (at: number) =>
      !this.#runsOn(exact, at, at + exact.length, around) &&
      (this.#isAsIs(words.exact, [at]) || this.#isWrittenAs(words.exact, exact, at));
    const places = pages.flatMap((page) => this.#places(exact, this.#starts[page - 1], this.#starts[page]));
    if (places.some(isThere)) return true;
    const across = pages.length > 1 && this.#acrossPages(words.exact, exact, around);
    return across && across.state === 'found' && pages.includes(across.page);
  }

  #places(exact: string, from = 0, to = this.#text.length): number[] {
    const places: number[] = [];
    for (
      let at = this.#text.indexOf(exact, from);
      at !== -1 && at < to && exact !== '' && places.length < maxPlaces;
      at = this.#text.indexOf(exact, at + 1)
    )
      places.push(at);
    return places;
  }

  /** Whether what stands before and after a place is what stood around the quote; null where nothing is known of it. */
  #agreement(start: number, end: number, { prefix, suffix }: Around) {
    const all = this.#text;
    const [from, to] = this.#withoutBlanks(start, end);
    let back = 0;
    while (back < prefix.length && all[from - 1 - back] === prefix[prefix.length - 1 - back]) back += 1;
    let on = 0;
    while (on < suffix.length && all[to + on] === suffix[on]) on += 1;
    const agrees = (run: number, length: number) => (length === 0 ? null : run >= Math.min(agreed, length));
    return { before: agrees(back, prefix.length), after: agrees(on, suffix.length) };
  }

  /** A blank between two digits is part of neither. */
  #withoutBlanks(start: number, end: number): readonly [number, number] {
    return [this.#text[start - 1] === ' ' ? start - 1 : start, this.#text[end] === ' ' ? end + 1 : end];
  }

  /** Whether the first or last word or number of a quote may be part of another here, as `EUR 12` of `EUR 125`. */
  #runsOn(exact: string, start: number, end: number, { prefix, suffix }: Around): boolean {
    const [from, to] = this.#withoutBlanks(start, end);
    const after = this.#text.slice(to, to + longestNumber);
    const before = this.#text.slice(Math.max(0, from - longestNumber), from);
    if (/\p{Nd}[.,'’]?$/u.test(exact) && numberAfter(after) !== numberAfter(suffix)) return true;
    if (/^[.,]?\p{Nd}/u.test(exact) && numberBefore(before) !== numberBefore(prefix)) return true;
    const isOther = { before: isOtherLetter(before.at(-1), prefix.at(-1)), after: isOtherLetter(after[0], suffix[0]) };
    if (isOther.before && isLetter(exact[0]) && !this.#isApart(start)) return true;
    // Behind a number it is the unit.
    return isOther.after && (/\p{Nd}$/u.test(exact) || (isLetter(exact.at(-1)) && !this.#isApart(end)));
  }

  /** Whether a blank or line break that does not count stands at a place. */
  #isApart(place: number): boolean {
    const { written, at } = this.#writtenAt(place);
    return at === written.length || written[at - 1] === ' ';
  }

  /** Whether a quote whose words are in one place stands there character by character. */
  #isAsIs(words: string, [place = 0, ...others]: readonly number[]): boolean {
    return others.length === 0 && this.#pages[this.#pageAt(place) - 1]?.includes(words) === true;
  }

  /** Whether the words at a place are parted as those of a quote, so that `in valid` is not `invalid`. */
  #isWrittenAs(words: string, exact: string, start: number): boolean {
    const { written, at } = this.#writtenAt(start);
    const { at: end } = this.#writtenAt(start + exact.length - 1);
    return bordersOf(written.slice(at, end + 1)) === bordersOf(withBorders(words).trim());
  }

  /** A place on its page, where that is written with its borders between words. */
  #writtenAt(place: number): { readonly written: string; readonly at: number } {
    const page = this.#pageAt(place);
    this.#written[page - 1] ??= withBorders(this.#pages[page - 1] ?? '').trimStart();
    const written = this.#written[page - 1] ?? '';
    let left = place - (this.#starts[page - 1] ?? 0);
    let at = 0;
    for (; at < written.length; at += 1) {
      if (written[at] === ' ' || written[at] === keptHyphen) continue;
      if (left === 0) break;
      left -= 1;
    }
    return { written, at };
  }

  /**
   * A quote that a page break parts now: found where only head and foot, which repeat on each page, are in between.
   * With notes or other text there a person has to look.
   */
  #acrossPages(words: string, exact: string, around: Around): Anchored {
    const [sure, likely] = [new Set<number>(), new Set<number>()];
    const part = Math.min(shortestQuote, Math.ceil(exact.length / 3));
    let tries = 0;
    for (const [index, start] of this.#starts.entries()) {
      const [page, own, next] = [index + 1, this.#page(index + 1), this.#page(index + 2)];
      const reach = exact.length + longestEdge;
      const [end, begin] = [own.slice(-reach), next.slice(0, reach)];
      // Of the two parts at least one is long enough to be looked for by its beginning or its end.
      if (!end.includes(exact.slice(0, part)) && !begin.includes(exact.slice(-part))) continue;
      const [foots, heads] = [this.#repeated(page, 'foot'), this.#repeated(page + 1, 'head')];
      for (let length = 1; length < exact.length && tries < maxTries; length += 1) {
        tries += 1;
        const at = end.lastIndexOf(exact.slice(0, length));
        if (at < 0) break;
        const head = begin.indexOf(exact.slice(length));
        if (head < 0) continue;
        const foot = end.length - at - length;
        const from = start + own.length - end.length + at;
        const to = start + own.length + pageBreak.length + head + exact.length - length;
        const isRepeated = foot <= foots && head <= heads;
        if (isRepeated && !this.#runsOn(exact, from, to, around) && this.#isWrittenAcross(words, exact, from, to))
          sure.add(page);
        // A few letters are at the edge of many a page.
        const isLong = Math.min(length, exact.length - length) >= shortestQuote;
        if (isLong && foot <= longestMargin && head <= longestMargin) likely.add(page);
      }
    }
    const [page] = sure;
    if (page !== undefined && sure.size === 1) return { state: 'found', page };
    const pages = [...(sure.size > 0 ? sure : likely)];
    return pages.length === 0 ? { state: 'gone' } : { state: 'ambiguous', pages };
  }

  /** The same as {@link #isWrittenAs} for words that a page break parts, where a word may be parted, too. */
  #isWrittenAcross(words: string, exact: string, start: number, end: number): boolean {
    let first = 0;
    while (this.#text[start + first] === exact[first]) first += 1;
    const between = (from: number, to: number) => {
      const { written, at } = this.#writtenAt(from);
      return written.slice(at, this.#writtenAt(to - 1).at + 1);
    };
    const parts = [between(start, start + first), between(end - exact.length + first, end)];
    const wanted = bordersOf(withBorders(words).trim());
    return ['', ' '].some((gap) => bordersOf(parts.join(gap)) === wanted);
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

/** The rest of a number that a text begins with, and its unit's sign. */
function numberAfter(text: string): string {
  return /^(?:[.,'’ ]?\p{Nd})*[%‰\p{Sc}]*/u.exec(text)?.[0] ?? '';
}

/** The beginning of a number that a text ends with, and its sign: of amounts that fell, too. */
function numberBefore(text: string): string {
  const isDigit = (at: number) => /^\p{Nd}$/u.test(text.charAt(at));
  let begin = text.length;
  for (;;) {
    if (isDigit(begin - 1)) begin -= 1;
    else if (/^[.,'’ ]$/.test(text.charAt(begin - 1)) && isDigit(begin - 2)) begin -= 2;
    else break;
  }
  while (/^[-−–(±<>≤≥~\p{Sc}]$/u.test(text.charAt(begin - 1))) begin -= 1;
  return text.slice(begin);
}

/** Whether a character is a letter or digit. */
function isLetter(character = ''): boolean {
  return /[\p{L}\p{N}]/u.test(character);
}

/** Whether a letter or digit is beside a quote now where something else is known to have been. */
function isOtherLetter(now: string | undefined, before: string | undefined): boolean {
  return before !== undefined && now !== before && isLetter(now);
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
