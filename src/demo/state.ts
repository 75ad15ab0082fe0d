import type { Socket } from 'node:net';
import type { HttpBindings } from '@hono/node-server';
import type { Hono, MiddlewareHandler } from 'hono';
import type { Clock } from '../base/clock.ts';
import type { Catalog } from './catalog.ts';
import { Feed } from './feed.ts';
import { Holdings } from './holdings.ts';
import { type KeyRecord, KeyRing, type RateReading } from './keys.ts';
import { Signer } from './signer.ts';
import { ReportWire } from './wire.ts';

/** Everything that one running service holds. Nothing lives in modules, so several can run side by side. */
export type DemoState = ReturnType<typeof makeState>;

export function makeState(catalog: Catalog, clock: Clock, settlingSeconds: number) {
  const holdings = new Holdings(catalog);
  return {
    /** `http://127.0.0.1:PORT`, known once the service listens. */
    origin: '',
    clock,
    holdings,
    wire: new ReportWire(holdings),
    feed: new Feed(clock, settlingSeconds * 1000, holdings.reports),
    keys: new KeyRing(),
    signer: new Signer(),
    /** Requests in any second, files included, and open connections that the network edge lets through (LIM-1). */
    edge: { requests: 9, connections: 8 },
    connections: new Set<Socket>(),
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

export function keyOf(context: RequestContext): KeyRecord {
  if (!context.key) throw new Error('This route is reached with a key only.');
  return context.key;
}
