import type { Clock } from '../src/base/clock.ts';

/** Time that passes only when everybody waits for it, and then at once. */
export class VirtualTime implements Clock {
  #now = 0;
  #sleepers: { readonly at: number; readonly wake: () => void }[] = [];

  now(): number {
    return Date.UTC(2026, 0, 1) + this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      const sleeper = { at: this.#now + ms, wake: resolve };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal.reason);
      });
    });
  }

  /** Lets time pass until the work is done. */
  async run<T>(work: Promise<T>): Promise<T> {
    let done = false;
    const finished = work.finally(() => {
      done = true;
    });
    finished.catch(() => undefined);
    while (!done) {
      await new Promise((resolve) => setImmediate(resolve));
      if (done) break;
      const next = this.#sleepers.reduce<number | null>((first, { at }) => Math.min(first ?? at, at), null);
      if (next === null) continue;
      this.#now = next;
      const due = this.#sleepers.filter(({ at }) => at <= next);
      this.#sleepers = this.#sleepers.filter(({ at }) => at > next);
      for (const { wake } of due) wake();
    }
    return finished;
  }
}
