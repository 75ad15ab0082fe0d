import { bareWithSources, normalForm } from './normalForm.ts';
import type { TextBox } from './pdfium.ts';

/** The one text of a page, and where it is printed. */
export interface PlacedText {
  /** What the index holds, Find finds, Quote inserts and `verify_quote` confirms: in the normal form, on one line. */
  readonly text: string;
  /**
   * Four numbers for each UTF-16 unit of the text: left, bottom, right and top in PDF points, to 1/100, of the page as
   * it lies in the file, without its rotation. All are zero for a unit that isn't printed, as a blank.
   */
  readonly boxes: readonly number[];
}

/** @param printed for each UTF-16 unit of the text its character's box, null for none */
export function placedText(read: string, printed: readonly (TextBox | null)[]): { text: string; boxes: number[] } {
  const text = normalForm(read);
  const { sources } = bareWithSources(read);
  const boxes: number[] = [];
  let next = 0;
  for (const unit of text.split('')) {
    const box = unit === ' ' ? null : printed[sources[next++] ?? -1];
    boxes.push(...(box ?? [0, 0, 0, 0]).map((value) => Math.round(value * 100) / 100));
  }
  return { text, boxes };
}
