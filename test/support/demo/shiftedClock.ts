import type { Clock } from '../../../src/base/clock.ts';

/** A clock that can be moved ahead of the one beneath it, so that delays and expiries can be seen without waiting. */
export class ShiftedClock implements Clock {
  readonly #beneath: Clock;
  #shift = 0;

  constructor(beneath: Clock) {
    this.#beneath = beneath;
  }

  now(): number {
    return this.#beneath.now() + this.#shift;
  }

  monotonic(): number {
    return this.#beneath.monotonic() + this.#shift;
  }

  /** Sleeps by the clock beneath: a shift shortens no sleep that is under way. */
  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return this.#beneath.sleep(ms, signal);
  }

  /** Moves time forward by `ms`. */
  advance(ms: number): void {
    if (!(ms >= 0)) throw new RangeError('Time only moves forward.');
    this.#shift += ms;
  }
}
