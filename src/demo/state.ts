import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Clock } from '../base/clock.ts';
import type { FaultAction, FaultPlan } from './faults.ts';
import type { Feed } from './feed.ts';
import type { Holdings } from './holdings.ts';
import type { KeyRecord, KeyRing } from './keys.ts';
import type { Edge, RateGate, RateReading } from './limits.ts';
import type { Reading } from './readings.ts';
import type { LoggedRequest, RequestLog } from './requestLog.ts';
import type { Signer } from './signer.ts';
import type { ReportWire } from './wire.ts';

/** Everything that one running service holds. Nothing lives in modules, so several can run side by side. */
export interface DemoState {
  /** `http://127.0.0.1:PORT`, known once the service listens. */
  origin: string;
  readonly clock: ShiftedClock;
  readonly holdings: Holdings;
  readonly wire: ReportWire;
  readonly feed: Feed;
  readonly keys: KeyRing;
  readonly usage: UsageLedger;
  readonly rate: RateGate;
  readonly edge: Edge;
  readonly signer: Signer;
  readonly reading: Reading;
  readonly log: RequestLog;
  readonly faults: FaultPlan;
  /** Longest validity of a signed link, s. */
  readonly linkSeconds: number;
}

/** One request on its way through the service. */
export interface Exchange {
  readonly entry: LoggedRequest;
  readonly fault: FaultAction | undefined;
  key: KeyRecord | undefined;
  rate: RateReading | undefined;
}

/** What the routes find in hono's `c.env`. */
export interface DemoBindings extends HttpBindings {
  readonly exchange: Exchange;
}

export type DemoApp = Hono<{ Bindings: DemoBindings }>;

/** The key of an authenticated request. */
export function keyOf(exchange: Exchange): KeyRecord {
  if (!exchange.key) throw new Error('This route is reached with a key only.');
  return exchange.key;
}

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
