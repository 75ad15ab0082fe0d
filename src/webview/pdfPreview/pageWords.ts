import type { PageViewport } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { type Box, linesOf, type PlacedText } from '../../base/placedText.ts';

/** A part of a page as it is turned now, in points from its upper left. */
export interface Area {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The smallest area that has both points. */
export function areaBetween([x1 = 0, y1 = 0]: readonly number[], [x2 = 0, y2 = 0]: readonly number[]): Area {
  return { left: Math.min(x1, x2), top: Math.min(y1, y2), right: Math.max(x1, x2), bottom: Math.max(y1, y2) };
}

type Viewport = Pick<PageViewport, 'convertToViewportPoint'>;

/** Where a rectangle of the PDF is on its page. */
export function areaOf(page: Viewport, [x1, y1, x2, y2]: Box): Area {
  return areaBetween(page.convertToViewportPoint(x1, y1), page.convertToViewportPoint(x2, y2));
}

/** A word of a page as it is shown. Its bottom is where letters stand. */
export interface PlacedWord extends Area {
  readonly text: string;
  /** Of its letters, in points. */
  readonly size: number;
}

/** A word, and where it is in the text of its page. */
export interface TextWord extends PlacedWord {
  readonly start: number;
  readonly end: number;
}

/** Whether a word is in a box, by its middle. */
export function isInside(word: Area, box: Area): boolean {
  const [x, y] = [(word.left + word.right) / 2, (word.top + word.bottom) / 2];
  return x >= box.left && x <= box.right && y >= box.top && y <= box.bottom;
}

/** What of a character's height its font keeps free below and above most letters, and how large the font is. */
const [below, above, fontSize] = [0.2, 0.18, 0.87];

/** The words of a page. One that a line's end parts is two, with a hyphen. */
export function tableWords(placed: PlacedText, page: Viewport): TextWord[] {
  return [...placed.text.matchAll(/\S+/gu)].flatMap(({ 0: word, index }) => {
    const lines = linesOf(placed, index, index + word.length);
    return lines.map(({ box, start, end, isUpright: isAcross }, at): TextWord => {
      const area = areaOf(page, box);
      const height = isAcross === false ? box[2] - box[0] : box[3] - box[1];
      const free = area.bottom - area.top < 1.01 * height ? height : 0;
      const printed = placed.text.slice(start, end);
      return {
        ...area,
        text: at + 1 < lines.length && /\p{L}$/u.test(printed) ? `${printed}-` : printed,
        top: area.top + above * free,
        bottom: area.bottom - below * free,
        size: fontSize * height,
        start,
        end,
      };
    });
  });
}
