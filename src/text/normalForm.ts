/** Text in the normal form, and for each of its UTF-16 units the index in the source of the character it comes from. */
export interface SourcedText {
  readonly text: string;
  readonly starts: Uint32Array;
}

/** Marks in a row that stay; more are no language, and take long to be put in order. */
const maxMarks = 30;

/**
 * What doesn't stay as it is, apart from what NFKC changes. A hyphen at a line's end comes with the line break and the
 * space around it; U+FFFE stands in PDFium's text for such a hyphen with its line break.
 */
const special =
  /(?<lineEnd>[-\u00AD\u2010\u2011\uFFFE][ \t\u00A0]*[\n\v\f\r\u0085\u2028\u2029]\s*|\uFFFE)|(?<hyphen>[\u2010\u2011])|(?<nothing>[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB])|(?<space>(?!\s)\p{Cc}|[\p{Co}\p{Cs}\p{Noncharacter_Code_Point}\uFFFC\uFFFD])/gu;

/**
 * A character that NFKC may change, with all that it may be joined with: marks, and what Hangul syllables and sounds are
 * put together from.
 */
const changeable =
  /\p{ASCII}(?:\p{M}|[\u1160-\u11FF\u3130-\u318F\uFF9E-\uFFDC\u{16D63}-\u{16D6A}])+|\P{ASCII}(?:\p{M}|[\u1160-\u11FF\u3130-\u318F\uFF9E-\uFFDC\u{16D63}-\u{16D6A}])*/gu;

/** Words before which a hyphen at a line's end stays: `Umwelt-` and, in the next line, `und Sozialstandards`. */
const joinsWords = /(?:und|oder|bzw|sowie|and|or|et|ou|och|eller)(?![\p{L}\p{M}\p{N}])/uy;

/** Scripts that put no space between words. */
const unspaced = /^(?!\p{M})[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]/u;

/**
 * The one form in which text of PDFs is stored, asked for, shown and quoted, whatever engine read it: NFKC, so that
 * ligatures, full-width and presentation forms are plain letters; words broken at a line's end whole again; one space where there was any
 * space or line break, and none between Chinese or Japanese characters. Control characters, bidi marks and overrides,
 * soft hyphens and whatever else can't be seen are out. It is on one line, and its own normal form.
 */
export function normalForm(text: string): string {
  return normalised(text, false).text;
}

/** {@link normalForm}, and where each of its characters comes from. */
export function normalFormWithSources(text: string): SourcedText {
  const { text: normal, starts } = normalised(text, true);
  return { text: normal, starts: Uint32Array.from(starts ?? []) };
}

class Rewriting {
  readonly #source: string;
  /** Where the characters of the source come from themselves; null as long as that is where they are. */
  readonly #before: readonly number[] | null;
  readonly #pieces: string[] = [];
  readonly #starts: number[] | null;

  constructor({ text, starts }: Rewritten, wantsStarts: boolean) {
    this.#source = text;
    this.#before = starts;
    this.#starts = wantsStarts ? [] : null;
  }

  /** Takes over a part of the source as it is. */
  keep(from: number, to: number): void {
    if (from < to) this.#pieces.push(this.#source.slice(from, to));
    if (this.#starts) for (let at = from; at < to; at += 1) this.#starts.push(this.#before?.[at] ?? at);
  }

  /** Writes what comes from the character at `at`. */
  put(text: string, at: number): void {
    if (text !== '') this.#pieces.push(text);
    if (this.#starts) for (let unit = 0; unit < text.length; unit += 1) this.#starts.push(this.#before?.[at] ?? at);
  }

  get result(): Rewritten {
    return { text: this.#pieces.join(''), starts: this.#starts };
  }
}

interface Rewritten {
  readonly text: string;
  readonly starts: readonly number[] | null;
}

function normalised(text: string, wantsStarts: boolean): Rewritten {
  return spaced(composed(cleaned({ text, starts: null }, wantsStarts), wantsStarts), wantsStarts);
}

/** Joins what line ends tear apart, and leaves out what can't be seen. */
function cleaned(source: Rewritten, wantsStarts: boolean): Rewritten {
  const { text } = source;
  const written = new Rewriting(source, wantsStarts);
  let from = 0;
  for (const { 0: found, index, groups } of text.matchAll(special)) {
    written.keep(from, index);
    from = index + found.length;
    if (groups?.lineEnd !== undefined) written.put(hyphenOf(text, index, from), index);
    else if (groups?.hyphen !== undefined) written.put('-', index);
    else if (groups?.space !== undefined) written.put(' ', index);
  }
  written.keep(from, text.length);
  return written.result;
}

/** What becomes of a hyphen at a line's end, and of the space around it, between `begin` and `end`. */
function hyphenOf(text: string, begin: number, end: number): string {
  const before = characterBefore(text, begin);
  const after = String.fromCodePoint(text.codePointAt(end) ?? 0x20);
  const isMark = /[\u00AD\uFFFE]/.test(text.charAt(begin));
  if (!/[\p{L}\p{M}\p{N}]/u.test(before) || !/[\p{L}\p{N}]/u.test(after)) return isMark ? ' ' : '- ';
  joinsWords.lastIndex = end;
  if (joinsWords.test(text)) return '- ';
  if (text.charAt(begin) === '\u00AD') return '';
  // `COVID-` and `19`, `EU-` and `Taxonomie`: the hyphen is their own.
  return /\p{Ll}/u.test(after) && !/\p{N}/u.test(before) ? '' : '-';
}

function characterBefore(text: string, index: number): string {
  const unit = text.charCodeAt(index - 1);
  return text.slice(index - (unit >= 0xdc00 && unit < 0xe000 ? 2 : 1), index);
}

/** NFKC, piece by piece, so that it is known what comes from where. */
function composed(source: Rewritten, wantsStarts: boolean): Rewritten {
  const { text } = source;
  const written = new Rewriting(source, wantsStarts);
  let from = 0;
  for (const { 0: found, index } of text.matchAll(changeable)) {
    // The mark of a footnote behind a number would become its last digit, and a fraction too.
    const before = raised.test(found) && isDigit.test(text.charAt(index - 1)) ? ' ' : '';
    const piece = found.length > maxMarks ? fewerMarks(fewerMarks(found).normalize('NFKC')) : found.normalize('NFKC');
    if (piece === found) continue;
    written.keep(from, index);
    written.put(before + piece, index);
    from = index + found.length;
  }
  if (from === 0) return source;
  written.keep(from, text.length);
  return written.result;
}

const raised = /^\p{No}/u;
const isDigit = /^[0-9]$/;

function fewerMarks(text: string): string {
  let marks = 0;
  return Array.from(text)
    .filter((character) => {
      marks = /^\p{M}/u.test(character) ? marks + 1 : 0;
      return marks <= maxMarks;
    })
    .join('');
}

/** One space for any, none at the ends and between characters of scripts that have none. */
function spaced(source: Rewritten, wantsStarts: boolean): Rewritten {
  const { text } = source;
  const written = new Rewriting(source, wantsStarts);
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (!isSpace(text.charCodeAt(at))) continue;
    const begin = at;
    while (isSpace(text.charCodeAt(at + 1))) at += 1;
    const isPlain = begin === at && text.charCodeAt(at) === 0x20;
    const isNone = begin === 0 || at + 1 === text.length || isBetweenUnspaced(text, begin, at + 1);
    if (isPlain && !isNone) continue;
    written.keep(from, begin);
    if (!isNone) written.put(' ', begin);
    from = at + 1;
  }
  if (from === 0) return source;
  written.keep(from, text.length);
  return written.result;
}

function isSpace(unit: number): boolean {
  if (unit <= 0x20) return unit === 0x20 || (unit >= 9 && unit <= 13);
  return unit === 0xa0 || unit === 0x1680 || (unit >= 0x2000 && unit <= 0x200a) || unit === 0x2028 || unit === 0x2029;
}

function isBetweenUnspaced(text: string, begin: number, end: number): boolean {
  // Most text is in other scripts, and known to be by this alone.
  if (text.charCodeAt(begin - 1) < 0x2e80 || text.charCodeAt(end) < 0x2e80) return false;
  return unspaced.test(characterBefore(text, begin)) && unspaced.test(text.slice(end, end + 2));
}
