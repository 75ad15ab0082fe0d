import type { Clock } from '../base/clock.ts';
import type { KeyRecord } from './keys.ts';

const windowMs = 60_000;

/** What the rate of a key allows. `retryAfter` (s) is set when the request is refused. */
export interface RateReading {
  readonly limit: number;
  readonly remaining: number;
  readonly retryAfter: number | null;
}

/** Requests per minute and key, counted over a sliding minute: the strictest way to read the limit (LIM-1). */
export class RateGate {
  readonly #clock: Clock;
  readonly #arrivals = new Map<string, { times: number[]; head: number }>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts one request, unless the minute is full; refused requests are not counted. */
  take(key: KeyRecord): RateReading {
    const now = this.#clock.monotonic();
    const seen = this.#arrivals.get(key.label) ?? { times: [], head: 0 };
    this.#arrivals.set(key.label, seen);
    while (seen.head < seen.times.length && (seen.times[seen.head] as number) <= now - windowMs) seen.head++;
    if (seen.head > 10_000) {
      seen.times.splice(0, seen.head);
      seen.head = 0;
    }
    const limit = key.requestsPerMinute;
    const used = seen.times.length - seen.head;
    if (used >= limit) {
      const oldest = seen.times[seen.head] ?? now;
      return { limit, remaining: 0, retryAfter: Math.max(1, Math.ceil((oldest + windowMs - now) / 1000)) };
    }
    seen.times.push(now);
    return { limit, remaining: limit - used - 1, retryAfter: null };
  }
}

/** What the network edge lets through from one address: requests in any second, files included (LIM-1). */
export class Edge {
  readonly #clock: Clock;
  readonly #requestsPerSecond: number;
  #arrivals: number[] = [];

  /** `requestsPerSecond` may be Infinity: then nothing is refused. */
  constructor(clock: Clock, requestsPerSecond: number) {
    this.#clock = clock;
    this.#requestsPerSecond = requestsPerSecond;
  }

  /** True for a request that comes too soon; refused ones count too. */
  refuses(): boolean {
    if (this.#requestsPerSecond === Number.POSITIVE_INFINITY) return false;
    const now = this.#clock.monotonic();
    this.#arrivals = this.#arrivals.filter((time) => time > now - 1_000);
    this.#arrivals.push(now);
    return this.#arrivals.length > this.#requestsPerSecond;
  }
}
