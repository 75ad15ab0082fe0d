interface Waiter {
  readonly isInteractive: boolean;
  start(): void;
}

/** A number of places that work takes turns in: interactive work first, else first come, first served. */
export class Slots {
  readonly #waiting: Waiter[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** Runs the work when a place is free. Rejects with the signal's reason if it aborts while the work still waits. */
  async run<T>(work: () => Promise<T>, isInteractive = true, signal?: AbortSignal): Promise<T> {
    await this.#enter(isInteractive, signal);
    try {
      return await work();
    } finally {
      this.#leave();
    }
  }

  #enter(isInteractive: boolean, signal: AbortSignal | undefined): Promise<void> {
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

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next.start();
    else this.#free++;
  }
}
