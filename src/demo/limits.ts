import type { Clock } from '../base/clock.ts';
import type { KeyRecord } from './keys.ts';

/** Times of arrival, ms, of which those of the last `span` ms count. */
class Arrivals {
  readonly #span: number;
  readonly #times: number[] = [];

  constructor(span: number) {
    this.#span = span;
  }

  /** How many there were within the span that ends now. */
  count(now: number): number {
    while ((this.#times[0] ?? now) <= now - this.#span) this.#times.shift();
    return this.#times.length;
  }

  add(now: number): void {
    this.#times.push(now);
  }

  /** When the oldest that counts will have left the span. */
  oldestLeaves(now: number): number {
    return (this.#times[0] ?? now) + this.#span;
  }
}

/** What the rate of a key allows. `retryAfter` (s) is set when the request is refused. */
export interface RateReading {
  readonly limit: number;
  readonly remaining: number;
  readonly retryAfter: number | null;
}

/** Requests per minute and key, counted over a sliding minute: the strictest way to read the limit (LIM-1). */
export class RateGate {
  readonly #clock: Clock;
  readonly #arrivals = new Map<string, Arrivals>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Counts one request, unless the minute is full; refused requests are not counted. */
  take({ label, requestsPerMinute: limit }: KeyRecord): RateReading {
    const now = this.#clock.monotonic();
    const seen = this.#arrivals.get(label) ?? new Arrivals(60_000);
    this.#arrivals.set(label, seen);
    const used = seen.count(now);
    if (used >= limit) {
      const retryAfter = Math.max(1, Math.ceil((seen.oldestLeaves(now) - now) / 1000));
      return { limit, remaining: 0, retryAfter };
    }
    seen.add(now);
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

/** Refuses whoever asks too often or over too many connections. */
export class Edge {
  readonly #clock: Clock;
  readonly #limits: EdgeLimits;
  readonly #arrivals = new Arrivals(1_000);

  constructor(clock: Clock, limits: EdgeLimits) {
    this.#clock = clock;
    this.#limits = limits;
  }

  /** True for a request that comes too soon, or over one connection too many; refused ones count too. */
  refuses(openConnections: number): boolean {
    const now = this.#clock.monotonic();
    this.#arrivals.add(now);
    return this.#arrivals.count(now) > this.#limits.requests || openConnections > this.#limits.connections;
  }
}
