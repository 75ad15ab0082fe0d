import { l10n } from '../base/l10n.ts';
import type { PlacedLine } from '../base/placedText.ts';
import { occurrencesBetween, type QuoteContext, searchable } from '../text/match.ts';
import { normalForm } from '../text/normalForm.ts';
import type { QuoteWords } from './anchor.ts';
import { longestQuote } from './record.ts';

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

/** The quotes that words are on a page, where its text agrees with the expected surroundings. */
export function quotesOnPage(text: string, context: QuoteContext): QuoteWords[] {
  const page = searchable(text);
  return occurrencesBetween(page, context).map(({ start, end }) => quoteWords(page.text, start, end));
}

/** The sentence around a position in a page's text. */
export function sentenceAround(text: string, start: number, end: number): readonly [start: number, end: number] {
  const from = Math.max(0, start - sentenceReach);
  const sentences = new Intl.Segmenter(undefined, { granularity: 'sentence' }).segment(
    text.slice(from, end + sentenceReach),
  );
  const [first, last] = [sentences.containing(start - from), sentences.containing(Math.max(start, end - 1) - from)];
  return [from + (first?.index ?? 0), last ? from + last.index + last.segment.trimEnd().length : end];
}

/**
 * The part of a sentence that runs on around words in it. Headings and rows of tables end without a full stop, so in
 * the text they are part of the sentence beside them; on the page they stand apart. A row of a table is taken whole.
 * @param lines of the sentence
 * @returns the sentence if its lines don't show where it ends
 */
export function runAround(
  text: string,
  sentence: readonly [start: number, end: number],
  words: readonly [start: number, end: number],
  lines: readonly PlacedLine[],
): readonly [start: number, end: number] {
  let first = lines.findLastIndex((line) => line.start <= words[0]);
  let last = lines.findLastIndex((line) => line.start < words[1]);
  if (first < 0 || last < first) return sentence;
  while (first > 0 && runsOn(lines, first)) first -= 1;
  while (last + 1 < lines.length && runsOn(lines, last + 1)) last += 1;
  const part = [lines[first]?.start ?? sentence[0], lines[last + 1]?.start ?? sentence[1]] as const;
  return [part[0], part[0] + text.slice(...part).trimEnd().length];
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
    empty: () => l10n.t('Select words or a figure to quote.'),
    long: () => l10n.t('A quote can have up to {0} characters. Select less.', longestQuote),
    repeated: () => l10n.t('These words are on this page more than once. Select more of the text around them.'),
  },
  program: {
    empty: () => '“exact” needs a letter or a digit.',
    long: () => `“exact” has at most ${longestQuote} characters. Give fewer words.`,
    repeated: () => '“exact” is on this page more than once. Also give the text next to it, as “prefix” or “suffix”.',
  },
} as const;

/**
 * Keeps out what could not be found again for certain.
 * @param asked the quote with as much around it as distinguishes it from the same words elsewhere on the page
 * @param by which audience reads what to change
 * @throws Error that asks for more context, in words for a person or for who calls the command
 */
export function requireDistinct(
  words: QuoteWords,
  page: string,
  asked: QuoteContext = words,
  by: keyof typeof refusals = 'person',
): void {
  const refusal = refusals[by];
  if (!/[\p{L}\p{N}]/u.test(words.exact)) throw new Error(refusal.empty());
  if (words.exact.length > longestQuote) throw new Error(refusal.long());
  if (quotesOnPage(page, asked).length > 1) throw new Error(refusal.repeated());
}
