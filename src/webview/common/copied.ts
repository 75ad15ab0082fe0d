/** How long a copied value shows that it was copied, in ms. */
const shownFor = 1500;

/** Remembers for a moment what was copied last, and asks for a new drawing when that changes. */
export class Copied {
  readonly #draw: () => void;
  #id: string | undefined;

  constructor(draw: () => void) {
    this.#draw = draw;
  }

  is(id: string): boolean {
    return this.#id === id;
  }

  show(id: string): void {
    this.#id = id;
    this.#draw();
    setTimeout(() => {
      if (this.#id !== id) return;
      this.#id = undefined;
      this.#draw();
    }, shownFor);
  }
}
