import type { Clock } from '../base/clock.ts';

/** What a key did in one calendar month, UTC (LIM-2). */
export interface MonthUsage {
  /** YYYY-MM. */
  readonly month: string;
  requests: number;
  downloads: number;
}

/** Counts requests and link requests of each key (DL-1, rule 4 of the download). */
export class UsageLedger {
  readonly #clock: Clock;
  readonly #byKey = new Map<string, MonthUsage>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The running month of a key; a new month starts at zero. */
  of(label: string): MonthUsage {
    const month = new Date(this.#clock.now()).toISOString().slice(0, 7);
    const held = this.#byKey.get(label);
    if (held?.month === month) return held;
    const fresh = { month, requests: 0, downloads: 0 };
    this.#byKey.set(label, fresh);
    return fresh;
  }
}
