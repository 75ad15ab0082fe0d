import type { PageViewport } from 'pdfjs-dist/legacy/build/pdf.mjs';
import { linesOf, type PlacedText } from '../../base/placedText.ts';
import type { PlacedWord } from './tableGrid.ts';

/** A word, and where it is in the text of its page. */
export interface TextWord extends PlacedWord {
  readonly start: number;
  readonly end: number;
}

/** What of a character's height its font keeps free below and above most letters, and how large the font is. */
const [below, above, fontSize] = [0.2, 0.18, 0.87];

/** The words of a page, placed as it is shown at a size of 1. One that a line's end parts is two, with a hyphen. */
export function tableWords(placed: PlacedText, upright: Pick<PageViewport, 'convertToViewportPoint'>): TextWord[] {
  return [...placed.text.matchAll(/\S+/gu)].flatMap(({ 0: word, index }) => {
    const lines = linesOf(placed, index, index + word.length);
    return lines.map(({ box, start, end, isUpright: isAcross }, at): TextWord => {
      const [[x1 = 0, y1 = 0], [x2 = 0, y2 = 0]] = [
        upright.convertToViewportPoint(box[0], box[1]),
        upright.convertToViewportPoint(box[2], box[3]),
      ];
      const height = isAcross === false ? box[2] - box[0] : box[3] - box[1];
      const [top, bottom] = [Math.min(y1, y2), Math.max(y1, y2)];
      const isUpright = bottom - top < 1.01 * height;
      const printed = placed.text.slice(start, end);
      return {
        text: at + 1 < lines.length && /\p{L}$/u.test(printed) ? `${printed}-` : printed,
        left: Math.min(x1, x2),
        right: Math.max(x1, x2),
        top: isUpright ? top + above * height : top,
        bottom: isUpright ? bottom - below * height : bottom,
        size: fontSize * height,
        ...{ start, end },
      };
    });
  });
}
