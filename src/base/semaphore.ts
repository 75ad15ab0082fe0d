/** A number of permits that work takes turns with: interactive work first, else first come, first served. */
export class Semaphore {
  /** What starts those who wait, in the order they came. */
  readonly #interactive = new Set<() => void>();
  readonly #background = new Set<() => void>();
  #free: number;

  constructor(permits: number) {
    this.#free = permits;
  }

  /** Runs the work when a permit is free. Rejects with the signal's reason if it aborts while the work still waits. */
  async run<T>(work: () => Promise<T>, isInteractive = true, signal?: AbortSignal): Promise<T> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free--;
    else await this.#wait(isInteractive ? this.#interactive : this.#background, signal);
    try {
      return await work();
    } finally {
      const [next] = this.#interactive.size > 0 ? this.#interactive : this.#background;
      if (next) next();
      else this.#free++;
    }
  }

  #wait(waiting: Set<() => void>, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        waiting.delete(start);
        reject(signal?.reason);
      };
      const start = () => {
        waiting.delete(start);
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      waiting.add(start);
      signal?.addEventListener('abort', onAbort, { once: true });
    });
  }
}
