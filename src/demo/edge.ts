import type { Clock } from '../base/clock.ts';
import { type Answer, htmlPage } from './deliver.ts';

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

  /** The page for a request that comes too soon, refused ones counted; undefined when it may pass. */
  refuse(): Answer | undefined {
    if (this.#requestsPerSecond === Number.POSITIVE_INFINITY) return undefined;
    const now = this.#clock.monotonic();
    this.#arrivals = this.#arrivals.filter((time) => time > now - 1_000);
    this.#arrivals.push(now);
    return this.#arrivals.length > this.#requestsPerSecond ? htmlPage(429, 1) : undefined;
  }
}
