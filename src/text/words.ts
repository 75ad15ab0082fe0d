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

/** Accents of Latin, Greek and Cyrillic, and points of Hebrew and Arabic: words are often written without them. */
const accents = /[\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u064b-\u065f\u0670]/g;
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
    const word = isRun ? match[0] : fold(match[0]);
    if (word !== '') words.push({ word, start, end: start + match[0].length, isRun });
  }
  return words;
}

/** A run as the index has it: each character with the next, and the last alone, so that each begins an entry. */
export function pairsOf(run: string): string[] {
  const characters = [...run];
  return characters.map((character, at) => character + (characters[at + 1] ?? ''));
}

/** What the index gets of a text: its words, and beside them the pairs of its runs. */
export function indexed(text: string): { readonly text: string; readonly pairs: string } {
  const words: string[] = [];
  const pairs: string[] = [];
  for (const { word, isRun } of wordsOf(text)) {
    if (isRun) pairs.push(...pairsOf(word));
    else words.push(word);
  }
  return { text: words.join(' '), pairs: pairs.join(' ') };
}
