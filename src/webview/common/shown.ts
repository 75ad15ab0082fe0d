/** What a page shows: its view, or the reason why there is none. Undefined both while it is being read. */
export class Shown<View> {
  readonly #draw: () => void;
  #view: View | undefined;
  #problem: string | undefined;

  constructor(draw: () => void) {
    this.#draw = draw;
  }

  get view(): View | undefined {
    return this.#view;
  }

  get problem(): string | undefined {
    return this.#problem;
  }

  /** Puts a view in place of what was there. */
  show(view: View): void {
    this.#view = view;
    this.#problem = undefined;
    this.#draw();
  }

  /** Puts the reason in place of what was there. */
  fail({ message }: { readonly message: string }): void {
    this.#view = undefined;
    this.#problem = message;
    this.#draw();
  }

  /** Takes the reason away while it is tried again. */
  retry(): void {
    this.#problem = undefined;
    this.#draw();
  }
}
