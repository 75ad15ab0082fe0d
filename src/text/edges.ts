import { numberWord } from './numberWords.ts';

export const isNumber = /^\p{Nd}/u;
const isDigitLast = /\p{Nd}$/u;
/** Characters around an occurrence that may belong to its first or last word or number. */
export const longestEdge = 64;

/** What continues the first and last word or number beyond an occurrence: empty where they are whole. */
export interface Edges {
  readonly before: string;
  readonly after: string;
}

/** Characters of scripts without blanks between words are words by themselves. */
const endsInWord =
  /(?:(?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}])[\p{L}\p{M}\p{Nd}])$/u;
const wordBefore =
  /(?:(?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}])[\p{L}\p{M}\p{Nd}]){1,64}$/u;
const wordAfter =
  /^(?:(?![\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{sc=Thai}\p{sc=Laoo}\p{sc=Khmr}\p{sc=Mymr}])[\p{L}\p{M}\p{Nd}])+/u;
/** Signs before a number, the start of a Chinese percentage, and a currency directly before it. */
const signBefore = /(?:[-±<>≤≥~≈△▲▼]\s?|\+|百分之\s?|\p{Sc}){1,9}$/u;
/** A number may continue after a blank between groups of digits; table cells can look the same. */
const groupBefore = /(?<![\p{Nd}.,'])\p{Nd}{1,3}(?: \p{Nd}{3})* $/u;
const groupAfter = /^(?: \p{Nd}{3}(?!\p{Nd}))+(?:[.,]\p{Nd}+)?/u;
/** A unit's sign, a minus behind the number, or the rest of a range: in `12 –15` another number begins. */
const signAfter = /^(?:\s?[%‰\p{Sc}]|-(?![\p{L}\p{Nd}\s])|-(?=\s[^\p{Nd}]|\s?$)|(?:-\s?| - )\p{Nd}+)/u;

/** What continues the first and last word or number of a stretch of a text: the only rule about borders. */
export function edgesOf(text: string, start: number, end: number): Edges {
  const own = text.slice(start, end);
  const before = text.slice(Math.max(0, start - longestEdge), start);
  const after = text.slice(end, end + longestEdge);
  return { before: edgeBefore(before, own, after), after: edgeAfter(own, after) };
}

function edgeBefore(before: string, own: string, after: string): string {
  const word = wordAfter.test(own) ? wordBefore.exec(before)?.[0] : undefined;
  if (!/^[.,']?\p{Nd}/u.test(own)) return word ?? '';
  const isInParentheses = before.endsWith('(') && /^\p{Nd}[\p{Nd}.,' ]*\)/u.test(own + after);
  const group = /^\p{Nd}{3}(?!\p{Nd})/u.test(own) ? groupBefore.exec(before)?.[0] : undefined;
  const digits = /(?:\p{Nd}[.,']?){1,64}$/u.exec(before)?.[0];
  return digits ?? word ?? group ?? signBefore.exec(before)?.[0] ?? (isInParentheses ? '(' : '');
}

function edgeAfter(own: string, after: string): string {
  const digits = /\p{Nd}[.,']?$/u.test(own) ? /^(?:[.,']?\p{Nd})+/u.exec(after)?.[0] : undefined;
  if (digits !== undefined && (isDigitLast.test(own) || isNumber.test(digits))) return digits;
  const word = endsInWord.test(own) ? wordAfter.exec(after)?.[0] : undefined;
  if (!isDigitLast.test(own)) return word ?? scaleAfter(own, after);
  const mark = /^[⁰¹²³⁴-⁹]+/u.exec(after)?.[0] ?? '';
  const rest = after.slice(mark.length);
  const group = /(?<![\p{Nd}.,'])\p{Nd}{1,3}$/u.test(own) ? groupAfter.exec(rest)?.[0] : undefined;
  const gap = /^[-\s]?/.exec(rest)?.[0] ?? '';
  const scale = numberWord(rest.slice(gap.length));
  const found = (scale && gap + scale) || word || group || signAfter.exec(rest)?.[0];
  return found ? mark + found : '';
}

/** The scale behind a scale, as in `5 mil millones` and `5百万`. */
function scaleAfter(own: string, after: string): string {
  const scale = /\p{Nd}\s?([\p{L}\p{M}]{1,16})$/u.exec(own)?.[1] ?? '';
  const gap = /^\s?/.exec(after)?.[0] ?? '';
  const next = scale !== '' && numberWord(scale) === scale ? numberWord(after.slice(gap.length)) : '';
  return next && gap + next;
}
