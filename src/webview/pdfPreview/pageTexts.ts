import { l10n } from '../../base/l10n.ts';
import { linesOf, type PlacedText } from '../../base/placedText.ts';
import type { Passage } from '../../protocol/pdfPreview.ts';

/** The texts of the pages of the PDF that is shown, each requested once. */
export class ShownTexts {
  readonly #read: (page: number) => Promise<PlacedText>;
  readonly #kept = new Map<number, Promise<PlacedText>>();

  /** @param read rejects with words for a person where a page's text can't be read */
  constructor(read: (page: number) => Promise<PlacedText>) {
    this.#read = read;
  }

  /** The text of a page, from 1. */
  of(page: number): Promise<PlacedText> {
    const text = this.#kept.get(page) ?? this.#read(page);
    this.#kept.set(page, text);
    // The next call tries again.
    text.catch(() => this.#kept.get(page) === text && this.#kept.delete(page));
    return text;
  }

  /** To be called when the file changed. */
  forget(): void {
    this.#kept.clear();
  }
}

/** Characters around a selection in which its first and last word are searched. */
const longestWord = 200;

/** A part of a text, widened so that its first and last word or number are whole. */
export function wholeWords(text: string, start: number, end: number): readonly [start: number, end: number] {
  const from = Math.max(0, start - longestWord);
  const words = new Intl.Segmenter(undefined, { granularity: 'word' }).segment(text.slice(from, end + longestWord));
  const [first, last] = [words.containing(start - from), words.containing(end - 1 - from)];
  return [from + (first?.index ?? 0), last ? from + last.index + last.segment.length : end];
}

/** Maximum number of pages of a quote. */
const maxPages = 5;

/** A part of a page's text that is quoted. */
interface QuotedPart {
  readonly page: number;
  readonly label: string | null;
  readonly placed: PlacedText;
  readonly start: number;
  readonly end: number;
}

/**
 * Joins parts of consecutive pages. Headers and footers that two of the pages share are removed between them.
 * @throws Error with words for a person when these are too many pages
 */
export function passageOf(quoted: readonly QuotedPart[]): Passage | undefined {
  const isFilled = ({ placed, start, end }: QuotedPart) => placed.text.slice(start, end).trim() !== '';
  const filled = quoted.filter(isFilled);
  const parts = filled
    .map((part, index) => {
      const { text } = part.placed;
      const [before, after] = [filled[index - 1], filled[index + 1]];
      const from = before ? commonEdge(part.placed, before.placed, 'head') : 0;
      const to = Math.max(from, text.length - (after ? commonEdge(part.placed, after.placed, 'foot') : 0));
      return { ...part, start: Math.max(part.start, from), end: Math.min(part.end, to), from, to };
    })
    .filter(isFilled);
  if (parts.length > maxPages) throw new Error(l10n.t('A quote can span up to {0} pages. Select less.', maxPages));
  const text = parts.map(({ placed, from, to }) => placed.text.slice(from, to)).join('\n');
  const [first, last] = [parts[0], parts.at(-1)];
  const regions = parts.map(({ page, label, placed, start, end }) => {
    const lines = linesOf(placed, start, end).slice(0, 1000);
    return { page, label, rectangles: lines.map(({ box }) => box) };
  });
  return first && last && { text, start: first.start - first.from, end: text.length - (last.to - last.end), regions };
}

/** How much of a page's first or last lines another page has too, apart from numbers. */
function commonEdge(one: PlacedText, two: PlacedText, edge: 'head' | 'foot'): number {
  const linesFrom = (placed: PlacedText) => {
    const starts = linesOf(placed).map(({ start }) => start);
    const lines = starts.map((start, index) => placed.text.slice(start, starts[index + 1]));
    return edge === 'head' ? lines : lines.reverse();
  };
  const others = linesFrom(two);
  const bare = (line = '') => line.replace(/[0-9]+/g, '0').trim();
  const own = linesFrom(one);
  const differs = own.findIndex((line, index) => index >= others.length || bare(line) !== bare(others[index]));
  return own.slice(0, differs === -1 ? own.length : differs).join('').length;
}
