import type { PageViewport } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PlacedWord } from './tableGrid.ts';

/** A piece of text as pdf.js gives it. */
export interface TextPiece {
  readonly str: string;
  readonly hasEOL: boolean;
  /** Of the text's own coordinates, into points of the PDF. */
  readonly transform: readonly number[];
  /** In points. */
  readonly width: number;
  readonly height: number;
}

/** Usual widths of characters in most fonts, relative to each other: their sum is known. */
const widths: readonly (readonly [kind: RegExp, width: number])[] = [
  [/[\s.,;:!|'’ijlIf()[\]/\\-]/, 0.29],
  [/[\d$€£a-z–]/, 0.54],
  [/[mwMW%@—]/, 0.86],
  [/[A-Z&]/, 0.68],
];

function widthOf(text: string): number {
  return [...text].reduce((sum, character) => sum + (widths.find(([kind]) => kind.test(character))?.[1] ?? 0.6), 0);
}

/** A word, and where it is in the text of its page. */
interface TextWord extends PlacedWord {
  readonly start: number;
  readonly end: number;
}

/** The text of a page, in the order of its content as a selection has it, and its words in that order. */
export interface PlacedText {
  readonly text: string;
  readonly words: readonly TextWord[];
}

/**
 * The words of a page, placed as it is shown at a size of 1. Where a piece has several, each one's place is estimated
 * by the usual widths of its letters.
 */
export function placedText(
  pieces: readonly TextPiece[],
  viewport: Pick<PageViewport, 'convertToViewportPoint'>,
): PlacedText {
  const words: TextWord[] = [];
  let text = '';
  for (const piece of pieces) {
    const box = boxesOf(piece, viewport);
    const width = widthOf(piece.str);
    let [at, left] = [0, 0];
    for (const { 0: word, index } of piece.str.matchAll(/\S+/gu)) {
      left += widthOf(piece.str.slice(at, index));
      const right = left + widthOf(word);
      const start = text.length + index;
      words.push({ text: word, ...box(left / width, right / width), start, end: start + word.length });
      [at, left] = [index + word.length, right];
    }
    text += piece.hasEOL ? `${piece.str}\n` : piece.str;
  }
  return { text, words };
}

/** What of a piece is between two parts of its width, as a box on the page. */
function boxesOf({ transform, width, height }: TextPiece, viewport: Parameters<typeof placedText>[1]) {
  const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = transform;
  const [along, up] = [Math.hypot(a, b) || 1, Math.hypot(c, d) || 1];
  const size = height || up;
  const point = (part: number, rise: number): readonly number[] => {
    const [on, above] = [(part * width) / along, (rise * size) / up];
    return viewport.convertToViewportPoint(x + a * on + c * above, y + b * on + d * above);
  };
  return (from: number, to: number) => {
    const corners = [point(from, 0), point(to, 0), point(from, 0.72), point(to, 0.72)];
    const [xs, ys] = [corners.map(([left = 0]) => left), corners.map(([, top = 0]) => top)];
    const [left, right] = [Math.min(...xs), Math.max(...xs)];
    const [top, bottom] = [Math.min(...ys), Math.max(...ys)];
    return { left, top, right, bottom, size };
  };
}
