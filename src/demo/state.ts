import type { Socket } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { Hono, MiddlewareHandler } from 'hono';
import type { Clock } from '../base/clock.ts';
import type { Feed } from './feed.ts';
import type { Holdings } from './holdings.ts';
import type { KeyRecord, KeyRing } from './keys.ts';
import type { Edge, RateGate, RateReading } from './limits.ts';
import type { Signer } from './signer.ts';
import type { ReportWire } from './wire.ts';

/** Everything that one running service holds. Nothing lives in modules, so several can run side by side. */
export interface DemoState {
  /** `http://127.0.0.1:PORT`, known once the service listens. */
  origin: string;
  readonly clock: Clock;
  readonly holdings: Holdings;
  readonly wire: ReportWire;
  readonly feed: Feed;
  readonly keys: KeyRing;
  readonly usage: UsageLedger;
  readonly rate: RateGate;
  readonly edge: Edge;
  readonly signer: Signer;
  readonly connections: Set<Socket>;
  /** Told of errors of the service's own making. */
  readonly failed: (error: Error) => void;
  /** Longest validity of a signed link, s. */
  readonly linkSeconds: number;
}

export interface RequestContext {
  key: KeyRecord | undefined;
  rate: RateReading | undefined;
}

/** What the routes find in hono's `c.env`. */
interface DemoBindings extends HttpBindings {
  readonly context: RequestContext;
}

export type DemoApp = Hono<{ Bindings: DemoBindings }>;
export type DemoMiddleware = MiddlewareHandler<{ Bindings: DemoBindings }>;

/** Where tests stand around a service that they start, with faults and a log of what it saw. */
export interface DemoHooks {
  /** Around everything, the network edge too. */
  readonly outside: DemoMiddleware;
  /** Where a route is about to answer: behind the key and its rate, and before files. */
  readonly inside: DemoMiddleware;
}

/** The key of an authenticated request. */
export function keyOf(context: RequestContext): KeyRecord {
  if (!context.key) throw new Error('This route is reached with a key only.');
  return context.key;
}

/** What a key did in one calendar month, UTC (LIM-2). */
export interface KeyUsage {
  /** YYYY-MM. */
  readonly month: string;
  requests: number;
  downloads: number;
}

/** Counts requests and link requests of each key (DL-1, rule 4 of the download). */
export class UsageLedger {
  readonly #clock: Clock;
  readonly #byKey = new Map<string, KeyUsage>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** The running month of a key; a new month starts at zero. */
  of(label: string): KeyUsage {
    const month = new Date(this.#clock.now()).toISOString().slice(0, 7);
    const held = this.#byKey.get(label);
    if (held?.month === month) return held;
    const fresh = { month, requests: 0, downloads: 0 };
    this.#byKey.set(label, fresh);
    return fresh;
  }
}
