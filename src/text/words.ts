/** A word of a text as the index has it, and where it stands. */
export interface Word {
  /** In lower case, without accents; for scripts without blanks between words a whole run of characters. */
  readonly word: string;
  readonly start: number;
  readonly end: number;
  /** Whether it is such a run, which the index keeps as overlapping pairs in a column of its own. */
  readonly isRun: boolean;
}

/** What words are made of. */
const wordsOrRuns =
  /([\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}々〆ー]+)|(?:(?![\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}\p{sc=Bopo}々〆ー])[\p{L}\p{N}\p{M}])+/gu;

/** Accents of Latin, Greek and Cyrillic, points of Hebrew and Arabic, and the tatweel, which only widens a word. */
const accents = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0640\u064b-\u065f\u0670]/g;
/** Letters that have no form without their accent. */
const plainLetters: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ð: 'd', þ: 'th', ħ: 'h', ı: 'i', ς: 'σ' },
};
const oddLetters = /[ßæœøłđðþħıς]/g;
const plainAscii = /^[a-z0-9]+$/i;

/** A word as the index has it: in lower case, without accents. Folding it again changes nothing. */
function fold(word: string): string {
  if (plainAscii.test(word)) return word.toLowerCase();
  return word
    .toLowerCase()
    .normalize('NFKD')
    .replace(accents, '')
    .toLowerCase()
    .replace(oddLetters, (letter) => plainLetters[letter] ?? letter)
    .normalize('NFC');
}

/** Note marks behind a number, which separate words, but are none: a phrase is found with and without them. */
const noteMarks = /(?<=[0-9][⁰¹²³⁴-⁹]*)[⁰¹²³⁴-⁹]+|(?<![\p{L}\p{N}\p{M}])[⁰¹²³⁴-⁹]+/gu;

/** The words of a text in the normal form, in order. */
export function wordsOf(given: string): Word[] {
  const text = given.replace(noteMarks, (marks) => ' '.repeat(marks.length));
  const words: Word[] = [];
  for (const match of text.matchAll(wordsOrRuns)) {
    const start = match.index;
    const isRun = match[1] !== undefined;
    if (!isRun && unspaced.test(match[0])) {
      words.push(...segmented(match[0], start));
      continue;
    }
    const word = isRun ? match[0] : fold(match[0]);
    if (word !== '') words.push({ word, start, end: start + match[0].length, isRun });
  }
  return words;
}

/** Scripts without blanks between words, whose words a dictionary knows. */
const unspaced = /[\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}]/u;
const segmenter = new Intl.Segmenter('th', { granularity: 'word' });
/** One letter in dictionaries, which the normal form takes apart. */
const apart = /\u0e4d\u0e32|\u0ecd\u0eb2/g;
const whole = /[\u0e33\u0eb3]/g;

function segmented(run: string, start: number): Word[] {
  const words: Word[] = [];
  const joined = run.replace(apart, (pair) => (pair === '\u0e4d\u0e32' ? '\u0e33' : '\u0eb3'));
  let at = 0;
  for (const { segment } of segmenter.segment(joined)) {
    const length = segment.length + (segment.match(whole)?.length ?? 0);
    const word = fold(run.slice(at, at + length));
    if (word !== '') words.push({ word, start: start + at, end: start + at + length, isRun: false });
    at += length;
  }
  return words;
}

/** Words that a hyphen joins, as one: many are written both ways, and a line's end hides how. */
export function hyphenated(text: string, words: readonly Word[]): Word[] {
  return words.flatMap((word, at) => {
    const next = words[at + 1];
    if (!next || word.isRun || next.isRun || text.slice(word.end, next.start) !== '-') return [];
    const isOfLetters = /\p{L}$/u.test(word.word) && /^\p{L}/u.test(next.word);
    return isOfLetters ? [{ word: word.word + next.word, start: word.start, end: next.end, isRun: false }] : [];
  });
}

/** A run as the index has it: each character with the next, and the last alone, so that each begins an entry. */
export function pairsOf(run: string): string[] {
  const characters = [...run];
  return characters.map((character, at) => character + (characters[at + 1] ?? ''));
}

/** What the index gets of a text: its words, and beside them the pairs of its runs, and hyphenated words as one. */
export function indexed(text: string): { readonly text: string; readonly pairs: string } {
  const words: string[] = [];
  const pairs: string[] = [];
  const found = wordsOf(text);
  for (const { word, isRun } of found) {
    if (isRun) pairs.push(...pairsOf(word));
    else words.push(word);
  }
  pairs.push(...hyphenated(text, found).map(({ word }) => word));
  return { text: words.join(' '), pairs: pairs.join(' ') };
}
