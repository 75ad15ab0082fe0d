import type { Disposable } from '../../base/disposable.ts';

/** The shortest wait after the last reason, and the longest after the first, in ms. */
const shortest = 300;
const longest = 2000;

/**
 * Does something once after several reasons for it: when they pause, but not much later than the first. Slow work is
 * done less often, so that it takes no more than a tenth of the time.
 */
export class Soon implements Disposable {
  readonly #run: () => Promise<unknown>;
  readonly #maxWait: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #since = 0;
  #spent = 0;

  /** @param maxWait the longest wait in ms, however long it takes */
  constructor(run: () => Promise<unknown>, maxWait = Number.POSITIVE_INFINITY) {
    this.#run = run;
    this.#maxWait = maxWait;
  }

  ask(): void {
    const now = performance.now();
    if (this.#timer === undefined) this.#since = now;
    clearTimeout(this.#timer);
    const seldom = this.#spent * 10;
    const pause = Math.min(this.#maxWait, Math.max(shortest, seldom));
    const patience = Math.min(this.#maxWait, Math.max(longest, seldom));
    const wait = Math.min(pause, Math.max(0, this.#since + patience - now));
    this.#timer = setTimeout(() => void this.#go(), wait);
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  async #go(): Promise<void> {
    this.#timer = undefined;
    const start = performance.now();
    await this.#run();
    this.#spent = performance.now() - start;
  }
}
