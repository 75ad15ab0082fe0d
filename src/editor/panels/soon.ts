import type { Disposable } from '../../base/disposable.ts';

/** Does something once after several reasons for it: when they pause, and no later than `patience` after the first. */
export class Soon implements Disposable {
  readonly #run: () => void;
  readonly #pause: number;
  readonly #patience: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #since = 0;

  /** Times are ms. */
  constructor(run: () => void, { pause = 300, patience = 2000 } = {}) {
    this.#run = run;
    this.#pause = pause;
    this.#patience = patience;
  }

  ask(): void {
    const now = performance.now();
    if (this.#timer === undefined) this.#since = now;
    clearTimeout(this.#timer);
    const wait = Math.min(this.#pause, Math.max(0, this.#since + this.#patience - now));
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#run();
    }, wait);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }
}
