import type { Clock } from '../base/clock.ts';
import type { KeyRecord } from './keys.ts';

/** Times of arrival, ms, of which those of the last `span` ms count; the others are dropped. */
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

/** Requests per minute and key, counted over a sliding minute: the strictest way to read the limit (LIM-1). */
export class RateGate {
  readonly #clock: Clock;
  readonly #arrivals = new Map<string, number[]>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts one request, unless the minute is full; refused requests are not counted. */
  take({ label, requestsPerMinute: limit }: KeyRecord): RateReading {
    const now = this.#clock.monotonic();
    const times = this.#arrivals.get(label) ?? [];
    this.#arrivals.set(label, times);
    const used = within(times, minute, now);
    if (used >= limit) {
      const freeIn = (times[0] ?? now) + minute - now;
      return { limit, remaining: 0, retryAfter: Math.max(1, Math.ceil(freeIn / 1000)) };
    }
    times.push(now);
    return { limit, remaining: limit - used - 1, retryAfter: null };
  }
}

/** What the network edge lets through from one address (LIM-1). Either bound may be Infinity. */
interface EdgeLimits {
  /** In any second, files included. */
  readonly requests: number;
  /** Open at a time. */
  readonly connections: number;
}

/** Refuses clients with too many requests or connections. */
export class Edge {
  readonly #clock: Clock;
  readonly #limits: EdgeLimits;
  readonly #times: number[] = [];

  constructor(clock: Clock, limits: EdgeLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** True for a request that comes too soon, or over one connection too many; refused ones count too. */
  refuses(openConnections: number): boolean {
    const now = this.#clock.monotonic();
    this.#times.push(now);
    return within(this.#times, 1_000, now) > this.#limits.requests || openConnections > this.#limits.connections;
  }
}
