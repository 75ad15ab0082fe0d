import type { Socket } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { Hono, MiddlewareHandler } from 'hono';
import type { Clock } from '../base/clock.ts';
import type { Catalogue } from './catalogue.ts';
import { Feed } from './feed.ts';
import { Holdings } from './holdings.ts';
import { type KeyRecord, KeyRing } from './keys.ts';
import { Limits, type RateReading } from './limits.ts';
import { Signer } from './signer.ts';
import { ReportWire } from './wire.ts';

/** Everything that one running service holds. Nothing lives in modules, so several can run side by side. */
export type DemoState = ReturnType<typeof makeState>;

export function makeState(catalogue: Catalogue, clock: Clock, settlingSeconds: number) {
  const holdings = new Holdings(catalogue);
  return {
    /** `http://127.0.0.1:PORT`, known once the service listens. */
    origin: '',
    clock,
    holdings,
    wire: new ReportWire(holdings),
    feed: new Feed(clock, settlingSeconds * 1000, holdings.reports),
    keys: new KeyRing(),
    usage: new UsageLedger(clock),
    limits: new Limits(clock),
    signer: new Signer(),
    connections: new Set<Socket>(),
    /** Reports errors of the service itself. */
    failed: (error: Error): void => process.emitWarning(error),
  };
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
