import type { Clock } from '../../src/base/clock.ts';

interface Sleeper {
  readonly ms: number;
  readonly due: number;
  wake(): void;
}

/** A clock that stands still until a test moves it. Wall-clock and monotonic time can be moved apart. */
export class FakeClock implements Clock {
  #now: number;
  #monotonic = 1000;
  #sleepers: Sleeper[] = [];
  #watchers: { readonly wanted: (ms: number) => boolean; readonly resolve: (ms: number) => void }[] = [];
  /** Every sleep that was begun, in ms. */
  readonly slept: number[] = [];

  constructor(start = Date.parse('2026-03-01T12:00:00Z')) {
    this.#now = start;
  }

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#monotonic;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const forget = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
      };
      const onAbort = () => {
        forget();
        reject(signal?.reason);
      };
      const sleeper: Sleeper = {
        ms,
        due: this.#monotonic + ms,
        wake() {
          forget();
          signal?.removeEventListener('abort', onAbort);
          resolve();
        },
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.slept.push(ms);
      this.#sleepers.push(sleeper);
      for (const watcher of this.#watchers.filter(({ wanted }) => wanted(ms))) watcher.resolve(ms);
      this.#watchers = this.#watchers.filter(({ wanted }) => !wanted(ms));
    });
  }

  /** Moves time on; sleeps that are over end one after the other, each with the time at which it was due. */
  async advance(ms: number): Promise<void> {
    const end = this.#monotonic + ms;
    for (;;) {
      await settled();
      const next = this.#sleepers.reduce<Sleeper | undefined>((a, b) => (a && a.due <= b.due ? a : b), undefined);
      if (!next || next.due > end) break;
      this.#move(next.due - this.#monotonic);
      next.wake();
    }
    this.#move(end - this.#monotonic);
    await settled();
  }

  /** Sets the wall clock without any time passing, as a person or a time server does. */
  setBy(ms: number): void {
    this.#now += ms;
  }

  /** Resolves with the length of the next sleep that is wanted, pending ones included. */
  untilSleeping(wanted: (ms: number) => boolean): Promise<number> {
    const pending = this.#sleepers.find(({ ms }) => wanted(ms));
    if (pending) return Promise.resolve(pending.ms);
    return new Promise((resolve) => this.#watchers.push({ wanted, resolve }));
  }

  #move(ms: number): void {
    if (ms <= 0) return;
    this.#monotonic += ms;
    this.#now += ms;
  }
}

/** Lets everything run that waits for nothing but its turn. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
