/** Highest body of rows, in px. Browsers end at 33 million px of the screen, fewer px of a zoomed page. */
const highest = 3_000_000;

/** Within this distance of both ends, in px, a px of the scroll bar stands for one px of rows. */
const edge = 100_000;

/**
 * Where rows stand in a body that scrolls. A body higher than a browser allows is cut short: its scroll bar then moves
 * in proportion, while the wheel, keys and other small moves go px by px. Shorter bodies stay as they are.
 */
export class ScrollMap {
  readonly #rowHeight: number;
  /** px of all rows that the body has no room for. */
  #missing = 0;
  /** How much further down the rows are than the scroll bar says. */
  #shift = 0;
  #last = 0;
  #body = 0;

  constructor(rowHeight: number) {
    this.#rowHeight = rowHeight;
  }

  /** Takes so many rows; tells the height of their body. */
  count(rows: number): number {
    const whole = rows * this.#rowHeight;
    this.#body = Math.min(whole, highest);
    this.#missing = whole - this.#body;
    this.#shift = Math.min(this.#shift, this.#missing);
    return this.#body;
  }

  /** How far all rows are scrolled, for what the scroll bar says now in a window of this height. */
  topAt(scrolled: number, height: number): number {
    if (this.#missing === 0) return scrolled;
    const max = this.#maxScroll(height);
    const isJump = Math.abs(scrolled - this.#last) > height;
    if (scrolled <= 0) this.#shift = 0;
    else if (scrolled >= max - 1) this.#shift = this.#missing;
    else if (isJump) this.#shift = this.#shiftAt(scrolled, max);
    this.#last = scrolled;
    return scrolled + this.#shift;
  }

  /** What the scroll bar has to say for the rows to be scrolled so far. */
  scrolledFor(top: number, height: number): number {
    if (this.#missing === 0) return top;
    const max = this.#maxScroll(height);
    const far = max + this.#missing;
    let scrolled = top;
    if (top >= far - edge) scrolled = top - this.#missing;
    else if (top > edge) scrolled = edge + ((top - edge) * (max - 2 * edge)) / (far - 2 * edge);
    this.#last = Math.max(0, Math.min(Math.round(scrolled), max));
    this.#shift = Math.max(0, Math.min(top, far)) - this.#last;
    return this.#last;
  }

  /** Where a row stands in the body, in px. */
  placeOf(row: number): number {
    return row * this.#rowHeight - this.#shift;
  }

  #shiftAt(scrolled: number, max: number): number {
    const share = (scrolled - edge) / (max - 2 * edge);
    return Math.round(this.#missing * Math.max(0, Math.min(share, 1)));
  }

  /** The farthest that the scroll bar can be; the head, as high as a row, is above the body. */
  #maxScroll(height: number): number {
    return this.#body + this.#rowHeight - height;
  }
}
