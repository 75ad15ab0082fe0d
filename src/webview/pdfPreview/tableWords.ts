import type { PageViewport } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { PlacedWord } from './tableGrid.ts';

/** A piece of text as pdf.js tells it. */
export interface TextPiece {
  readonly str: string;
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

function widthOf(character: string): number {
  return widths.find(([kind]) => kind.test(character))?.[1] ?? 0.6;
}

/**
 * The words of a page where they are shown at a size of 1. Where a piece has several, each one's place is estimated by
 * what is usual of its letters.
 */
export function placedWords(
  pieces: readonly TextPiece[],
  viewport: Pick<PageViewport, 'convertToViewportPoint'>,
): PlacedWord[] {
  return pieces.flatMap((piece) => {
    const box = boxesOf(piece, viewport);
    const all = [...piece.str];
    const total = all.reduce((sum, character) => sum + widthOf(character), 0);
    let [done, start, text] = [0, 0, ''];
    const words: PlacedWord[] = [];
    const finish = () => {
      if (text !== '' && total > 0) words.push({ text, ...box(start / total, done / total) });
      text = '';
    };
    for (const character of all) {
      if (/\s/.test(character)) finish();
      else {
        if (text === '') start = done;
        text += character;
      }
      done += widthOf(character);
    }
    finish();
    return words;
  });
}

/** What of a piece is between two parts of its width, as a box on the page. */
function boxesOf({ transform, width, height }: TextPiece, viewport: Parameters<typeof placedWords>[1]) {
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
