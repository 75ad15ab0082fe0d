interface Waiter {
  readonly isInteractive: boolean;
  start(): void;
}

/** A number of permits that work takes turns with: interactive work first, else first come, first served. */
export class Semaphore {
  readonly #waiting: Waiter[] = [];
  #free: number;

  constructor(permits: number) {
    this.#free = permits;
  }

  /** Runs the work when a permit is free. Rejects with the signal's reason if it aborts while the work still waits. */
  async run<T>(work: () => Promise<T>, isInteractive = true, signal?: AbortSignal): Promise<T> {
    await this.#acquire(isInteractive, signal);
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next.start();
      else this.#free++;
    }
  }

  #acquire(isInteractive: boolean, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#free > 0) {
      this.#free--;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const onAbort = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(signal?.reason);
      };
      const waiter: Waiter = {
        isInteractive,
        start() {
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      const before = isInteractive ? this.#waiting.findIndex((other) => !other.isInteractive) : -1;
      this.#waiting.splice(before === -1 ? this.#waiting.length : before, 0, waiter);
    });
  }
}
