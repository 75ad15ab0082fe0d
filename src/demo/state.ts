import type { HttpBindings } from '@hono/node-server';
import type { Hono } from 'hono';
import type { Edge } from './edge.ts';
import type { FaultAction, FaultPlan } from './faults.ts';
import type { Feed } from './feed.ts';
import type { Holdings } from './holdings.ts';
import type { KeyRecord, KeyRing } from './keys.ts';
import type { RateGate, RateReading } from './rateGate.ts';
import type { Reading } from './readings/reading.ts';
import type { LoggedRequest, RequestLog } from './requestLog.ts';
import type { ShiftedClock } from './shiftedClock.ts';
import type { Signer } from './signer.ts';
import type { UsageLedger } from './usage.ts';
import type { ReportWire } from './wire/report.ts';

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
  /** The body, where a route has it as bytes already: a stream of them would cost several times as much. */
  body: Uint8Array | undefined;
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
