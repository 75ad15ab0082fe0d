import { l10n } from '../base/l10n.ts';
import { normalForm } from '../text/normalForm.ts';
import type { PlacedLine } from '../text/placedLines.ts';
import { comparable, type QuoteWords, shortestQuote, timesIn } from './anchor.ts';
import { longestContext, longestQuote } from './record.ts';

/** Characters of the page that are kept before and after a quote, to tell it from the same words elsewhere. */
const kept = 48;

/** Characters before and after words among which their sentence is looked for. */
const sentenceReach = 2000;

/** A part of a text as a quote: one line each, in the form that all engines agree on. */
export function quoteWords(text: string, start: number, end: number): QuoteWords {
  const around = 4 * kept;
  const exact = normalForm(text.slice(start, end));
  const prefix = normalForm(text.slice(Math.max(0, start - around), start));
  const suffix = normalForm(text.slice(end, end + around));
  return { exact, prefix: wellFormed(prefix.slice(-kept)), suffix: wellFormed(suffix.slice(0, kept)) };
}

/** Half of a character that takes two places is none. */
function wellFormed(text: string): string {
  return text.replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
}

/** The text around words on a page, where it agrees with the expected surroundings; undefined where it does not. */
export function wordsOnPage(
  text: string,
  { exact, prefix = '', suffix = '' }: { exact: string; prefix?: string | undefined; suffix?: string | undefined },
): QuoteWords | undefined {
  const words = normalForm(exact);
  const [before, after] = [comparable(prefix), comparable(suffix)];
  for (let at = text.indexOf(words); words !== '' && at !== -1; at = text.indexOf(words, at + 1)) {
    const end = at + words.length;
    const isBefore = comparable(text.slice(Math.max(0, at - 2 * longestContext), at)).endsWith(before);
    if (isBefore && comparable(text.slice(end, end + 2 * longestContext)).startsWith(after))
      return quoteWords(text, at, end);
  }
  return undefined;
}

/**
 * The sentence around a place of a page's text; while it is too short to be found again for certain, sentences after
 * it, and then before it, are added.
 */
export function sentenceAround(text: string, start: number, end: number): readonly [start: number, end: number] {
  const from = Math.max(0, start - sentenceReach);
  const near = text.slice(from, end + sentenceReach);
  const sentences = [...new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(near)];
  const ends = sentences.map(({ index, segment }) => from + index + segment.trimEnd().length);
  const starts = sentences.map(({ index }) => from + index);
  let first = starts.findLastIndex((at) => at <= start);
  let last = ends.findIndex((at) => at >= end);
  if (first < 0) first = 0;
  if (last < 0) last = sentences.length - 1;
  for (;;) {
    const place = [starts[first] ?? start, ends[last] ?? end] as const;
    const words = text.slice(...place);
    if (comparable(words).length >= shortestQuote && timesIn(text, words) <= 1) return place;
    if (last + 1 < sentences.length) last += 1;
    else if (first > 0) first -= 1;
    else return place;
  }
}

/**
 * The part of a sentence that runs on around words in it. Headings and rows of tables end without a full stop, so in
 * the text they are part of the sentence beside them; on the page they stand apart. A row of a table is taken whole.
 * @param lines of the sentence
 * @returns the sentence where its lines tell nothing, or where too little would be left to be found again
 */
export function runAround(
  text: string,
  sentence: readonly [start: number, end: number],
  words: readonly [start: number, end: number],
  lines: readonly PlacedLine[],
): readonly [start: number, end: number] {
  const [start, end] = sentence;
  const bareLength = (to: number) => text.slice(start, to).replaceAll(' ', '').length;
  let first = lines.findLastIndex((line) => line.start <= bareLength(words[0]));
  let last = lines.findLastIndex((line) => line.start < bareLength(words[1]));
  if (first < 0 || last < first) return sentence;
  while (first > 0 && runsOn(lines, first)) first -= 1;
  while (last + 1 < lines.length && runsOn(lines, last + 1)) last += 1;
  const unitAt = (bare: number) => {
    let at = start;
    for (let left = bare; at < end && (left > 0 || text[at] === ' '); at += 1) if (text[at] !== ' ') left -= 1;
    return at;
  };
  const next = lines[last + 1];
  const part = [unitAt(lines[first]?.start ?? 0), next ? unitAt(next.start) : end] as const;
  const found = text.slice(...part).trimEnd();
  if (comparable(found).length < shortestQuote || timesIn(text, found) > 1) return sentence;
  return [part[0], part[0] + found.length];
}

/** Whether a line goes on from the one before it. */
function runsOn(lines: readonly PlacedLine[], index: number): boolean {
  if (isBeside(lines, index)) return true;
  const [one, two] = [lines[index - 1]?.box, lines[index]?.box];
  // Words with gaps between them are a row of a table, which ends with the line.
  if (!one || !two || isBeside(lines, index - 1) || isBeside(lines, index + 1)) return false;
  const [high, low] = [one[3] - one[1], two[3] - two[1]];
  const isAsLarge = Math.max(high, low) <= 1.15 * Math.min(high, low);
  // Further up is the next column.
  return isAsLarge && one[1] - two[3] <= low / 2;
}

/** Whether a line's part stands beside the one before it. */
function isBeside(lines: readonly PlacedLine[], index: number): boolean {
  const [one, two] = [lines[index - 1]?.box, lines[index]?.box];
  if (!one || !two) return false;
  return Math.min(one[3], two[3]) - Math.max(one[1], two[1]) > Math.min(one[3] - one[1], two[3] - two[1]) / 2;
}

/** A person selects more of the page, a program gives more of it. */
const refusals = {
  person: {
    short: () =>
      l10n.t('A quote has at least {0} characters, so that it can be found again. Select more.', shortestQuote),
    long: () => l10n.t('A quote has at most {0} characters. Select less.', longestQuote),
    repeated: () => l10n.t('These words are on this page more than once. Select more of the text around them.'),
  },
  program: {
    short: () => `“exact” needs at least ${shortestQuote} characters, so that it can be found again. Give more words.`,
    long: () => `“exact” has at most ${longestQuote} characters. Give fewer words.`,
    repeated: () => '“exact” is on this page more than once. Also give the text next to it, as “prefix” or “suffix”.',
  },
} as const;

interface HowQuoted {
  /** The quote with as much around it as tells it from the same words elsewhere on the page; alone if left out. */
  readonly narrowed?: string;
  /** Which audience is told what to change. */
  readonly by?: keyof typeof refusals;
}

/**
 * Keeps out what could not be found again for certain.
 * @throws Error that asks for more context, in words for a person or for who calls the command
 */
export function requireDistinct(
  { exact }: QuoteWords,
  page: string,
  { narrowed = exact, by = 'person' }: HowQuoted = {},
): void {
  const refusal = refusals[by];
  if (comparable(exact).length < shortestQuote) throw new Error(refusal.short());
  if (exact.length > longestQuote) throw new Error(refusal.long());
  if (timesIn(page, narrowed) > 1) throw new Error(refusal.repeated());
}
