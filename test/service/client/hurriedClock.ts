import type { Clock } from '../../../src/base/clock.ts';
import { settled } from '../../support/fakeClock.ts';

/** The client waits this long for an answer, ms: a sleep of exactly this length means a request under way. */
const answerLimit = 300_000;

interface Sleeper {
  readonly ms: number;
  readonly due: number;
  wake(): void;
}

/**
 * A clock that jumps to the next sleeper's time as soon as no request is under way: nothing is waited for, answers take
 * no time, and every wait is as long as it was asked to be. So the client is as fast as it ever may be.
 */
export class HurriedClock implements Clock {
  #time = 0;
  /** Later than anything in an invented catalog. */
  readonly #start = Date.parse('2035-03-01T12:00:00Z');
  readonly #sleepers = new Set<Sleeper>();
  #pumping = false;

  now(): number {
    return this.#start + this.#time;
  }

  monotonic(): number {
    return this.#time;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const onAbort = () => {
        this.#sleepers.delete(sleeper);
        this.#pump();
        reject(signal?.reason);
      };
      const wake = () => {
        this.#sleepers.delete(sleeper);
        signal?.removeEventListener('abort', onAbort);
        resolve();
      };
      const sleeper: Sleeper = { ms, due: this.#time + ms, wake };
      signal?.addEventListener('abort', onAbort, { once: true });
      this.#sleepers.add(sleeper);
      this.#pump();
    });
  }

  async #pump(): Promise<void> {
    if (this.#pumping) return;
    this.#pumping = true;
    for (;;) {
      // What an answer sets off may need turns of its own before it sleeps, or before what it asks is written.
      for (let turn = 0; turn < 5; turn++) await settled();
      const sleepers = [...this.#sleepers];
      const next = sleepers.reduce<Sleeper | undefined>((a, b) => (a && a.due <= b.due ? a : b), undefined);
      // An answer under way ends its sleep when it comes, and that starts the pump again.
      if (!next || sleepers.some(({ ms }) => ms === answerLimit)) break;
      this.#time = Math.max(this.#time, next.due);
      next.wake();
    }
    this.#pumping = false;
  }
}
