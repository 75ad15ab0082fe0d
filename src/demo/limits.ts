import type { Clock } from '../base/clock.ts';
import type { KeyRecord } from './keys.ts';

/** Drops the times of arrival, in ms, that are older than `span`, and counts the others. */
function within(times: number[], span: number, now: number): number {
  while ((times[0] ?? now) <= now - span) times.shift();
  return times.length;
}

const minute = 60_000;

/** What the rate of a key allows. `retryAfter` (s) is set when the request is refused. */
export interface RateReading {
  readonly limit: number;
  readonly remaining: number;
  readonly retryAfter: number | null;
}

export class Limits {
  /** Requests in any second, files included, and open connections that the network edge lets through (LIM-1). */
  edge = { requests: 9, connections: 8 };
  readonly #clock: Clock;
  readonly #byKey = new Map<string, number[]>();
  readonly #all: number[] = [];

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Counts one request with a key, unless the minute is full; refused requests are not counted. The minute slides: the
   * strictest reading of the limit (LIM-1).
   */
  take({ label, requestsPerMinute: limit }: KeyRecord): RateReading {
    const now = this.#clock.monotonic();
    const times = this.#byKey.get(label) ?? [];
    this.#byKey.set(label, times);
    const used = within(times, minute, now);
    if (used >= limit) {
      const freeIn = (times[0] ?? now) + minute - now;
      return { limit, remaining: 0, retryAfter: Math.max(1, Math.ceil(freeIn / 1000)) };
    }
    times.push(now);
    return { limit, remaining: limit - used - 1, retryAfter: null };
  }

  /** Whether the network edge refuses a request; refused ones count too. */
  refuses(openConnections: number): boolean {
    const now = this.#clock.monotonic();
    this.#all.push(now);
    return within(this.#all, 1_000, now) > this.edge.requests || openConnections > this.edge.connections;
  }
}
