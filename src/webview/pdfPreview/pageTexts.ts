import type { PlacedText } from '../../base/placedText.ts';

/** The texts of the pages of the PDF that is shown, each asked for once. */
export class PageTexts {
  readonly #read: (page: number) => Promise<PlacedText>;
  #kept = new Map<number, Promise<PlacedText>>();

  /** @param read rejects with words for a person where a page's text can't be read */
  constructor(read: (page: number) => Promise<PlacedText>) {
    this.#read = read;
  }

  /** The text of a page, from 1. */
  of(page: number): Promise<PlacedText> {
    const kept = this.#kept;
    const text = kept.get(page) ?? this.#read(page);
    kept.set(page, text);
    // It may be there the next time.
    text.catch(() => kept.delete(page));
    return text;
  }

  /** Another file is shown. */
  forget(): void {
    this.#kept = new Map();
  }
}
