/** Marks in a row that stay; more are no language, and take long to be put in order. */
const maxMarks = 30;

/**
 * What doesn't stay as it is, apart from what NFKC changes. A hyphen at a line's end comes with the line break and the
 * space around it; U+FFFE stands in PDFium's text for such a hyphen with its line break.
 */
const special =
  /([-\u00AD\u2010\u2011\uFFFE][ \t\u00A0]*[\n\v\f\r\u0085\u2028\u2029]\s*|\uFFFE)|([\u2010\u2011])|[\p{Default_Ignorable_Code_Point}\uFFF9-\uFFFB]|((?!\s)\p{Cc}|[\p{Co}\p{Cs}\p{Noncharacter_Code_Point}\uFFFC\uFFFD])/gu;

/** A character that NFKC may change, with what may join it: marks, and parts of Hangul syllables and sounds. */
const changeable =
  /\p{ASCII}(?:\p{M}|[\u1160-\u11FF\u3130-\u318F\uFF9E-\uFFDC\u{16D63}-\u{16D6A}])+|\P{ASCII}(?:\p{M}|[\u1160-\u11FF\u3130-\u318F\uFF9E-\uFFDC\u{16D63}-\u{16D6A}])*/gu;

/** Words before which a hyphen at a line's end stays: `Umwelt-` and, in the next line, `und Sozialstandards`. */
const joinsWords = /(?:und|oder|bzw|sowie|and|or|et|ou|och|eller)(?![\p{L}\p{M}\p{N}])/uy;

/** Words that often make another with a hyphen, which they keep at a line's end; and ends of words that need none. */
const compounding =
  /(?<![\p{L}\p{M}\p{N}])(?:long|short|medium|mid|near|well|value|high|low|self|non|full|third|net|zero|cross|large|small|supply|energy|carbon|climate|decision|gender|science)$/iu;
const ownEnding =
  /(?:[a-z]{1,2}|ly|ing|ers?|ered|est|ish|ened?|ening|ages?|ness|dle|tion|works?|working|land|lights?|lighted|i[a-z]*)(?![\p{L}\p{M}\p{N}])/uy;
const longestCompounding = 12;

/** A blank between characters of scripts that put none between words. */
const needlessBlank =
  /(?<=(?!\p{M})[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}]) (?=(?!\p{M})[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}])/gu;

/**
 * The one form in which text of PDFs is stored, asked for, shown and quoted, whatever engine read it: NFKC, so that
 * ligatures, full-width and presentation forms are plain letters, but raised digits stay raised; words broken at a
 * line's end are whole again; one space for any space or line break, and none between Chinese or Japanese characters.
 * Control characters, bidi marks, soft hyphens and all else that can't be seen are removed. It is on one line, and its
 * own normal form.
 */
export function normalForm(text: string): string {
  const joined = text.replace(special, (found: string, lineEnd?: string, hyphen?: string, space?: string, at = 0) => {
    if (lineEnd !== undefined) return hyphenOf(text, at, at + found.length);
    return hyphen !== undefined ? '-' : space !== undefined ? ' ' : '';
  });
  const composed = joined.replace(changeable, (found, at) => {
    if (superscript.test(found)) return found;
    const few = found.length > maxMarks ? fewerMarks(fewerMarks(found).normalize('NFKC')) : found.normalize('NFKC');
    if (few === found) return found;
    // The mark of a footnote behind a number would become its last digit, and a fraction too.
    return raised.test(found) && isDigit.test(joined.charAt(at - 1)) ? ` ${few}` : few;
  });
  return composed.replace(/\s+/g, ' ').trim().replace(needlessBlank, '');
}

/** A character with all that it may be joined with. */
const clusters = /\S(?:\p{M}|[\u1160-\u11FF\u3130-\u318F\uFF9E-\uFFDC\u{16D63}-\u{16D6A}])*/gu;
/** Characters that an unusual combination may have made of others. */
const odd = 8;

/** The normal form without blanks, and for each of its UTF-16 units the index of the character that it comes from. */
export function bareWithSources(text: string): { readonly bare: string; readonly sources: readonly number[] } {
  const bare = bareForm(text);
  const sources: number[] = [];
  for (const { 0: cluster, index } of text.matchAll(clusters)) {
    const own = bareForm(cluster);
    const ahead = bare.slice(sources.length, sources.length + odd + own.length).indexOf(own);
    // A hyphen at a line's end has become nothing.
    if (own === '' || ahead === -1 || (own === '-' && ahead > 0)) continue;
    for (let unit = 0; unit < ahead + own.length; unit += 1) sources.push(index);
  }
  const last = sources.at(-1) ?? 0;
  while (sources.length < bare.length) sources.push(last);
  return { bare, sources };
}

/** The normal form without blanks. */
export const bareForm = (text: string): string => normalForm(text).replaceAll(' ', '');

/** What becomes of a hyphen at a line's end, and of the space around it, between `begin` and `end`. */
function hyphenOf(text: string, begin: number, end: number): string {
  const before = characterBefore(text, begin);
  const after = String.fromCodePoint(text.codePointAt(end) ?? 0x20);
  const isMark = /[\u00AD\uFFFE]/.test(text.charAt(begin));
  if (!/[\p{L}\p{M}\p{N}]/u.test(before) || !/[\p{L}\p{N}]/u.test(after)) return isMark ? ' ' : '- ';
  joinsWords.lastIndex = end;
  if (joinsWords.test(text)) return '- ';
  if (text.charAt(begin) === '\u00AD') return '';
  // `long-` and `term` are two words, `sustain-` and `able` are one.
  ownEnding.lastIndex = end;
  const isCompound = compounding.test(text.slice(Math.max(0, begin - longestCompounding), begin));
  if (isCompound && !ownEnding.test(text)) return '-';
  // `COVID-` and `19`, `EU-` and `Taxonomie`: the hyphen is their own.
  return /\p{Ll}/u.test(after) && !/\p{N}/u.test(before) ? '' : '-';
}

function characterBefore(text: string, index: number): string {
  const unit = text.charCodeAt(index - 1);
  return text.slice(index - (unit >= 0xdc00 && unit < 0xe000 ? 2 : 1), index);
}

/** A note mark or exponent, which is no digit of the number before it. */
const superscript = /^[⁰¹²³⁴-⁹]$/;
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
