import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import { notePause, noteReading } from '../../base/pace.ts';
import type { Secret } from '../../base/secret.ts';
import type { SharedState } from '../../base/sharedState.ts';
import type { Priority } from './call.ts';
import { type Connection, Connections } from './connections.ts';
import { type Headers, wholeNumber } from './headers.ts';
import type { Opened } from './network.ts';
import type { RateBoard } from './rateStatus.ts';
import { Turns } from './turns.ts';

export interface LineOptions {
  /** The service's origin; names the state shared with other windows. */
  readonly origin: string;
  readonly key: Secret | null;
  readonly requestsPerSecond: number;
  readonly state: SharedState;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly board: RateBoard;
  open(origin: string): Promise<Opened>;
}

/** How long a connection's place is held without being renewed, ms. */
const ttl = 30_000;

/** The way to one service for one key: pace, pauses and connections, shared with all windows (LIM-1). */
export class Line {
  readonly origin: string;
  readonly #options: LineOptions;
  readonly #turns: Turns;
  readonly #connections: Connections;
  /** Names the key in the shared state without telling anything about it. */
  readonly #fingerprint: string | null;
  readonly #ended = new AbortController();

  constructor(options: LineOptions) {
    const { origin, key, state, clock, logger, requestsPerSecond, board } = options;
    this.origin = origin;
    this.#options = options;
    this.#fingerprint = key && createHash('sha256').update(`${origin}\n${key.reveal()}`).digest('hex').slice(0, 32);
    const holder = { pid: process.pid, host: hostname(), ttl, isAlive };
    this.#connections = new Connections({
      state,
      scope: origin,
      clock,
      logger,
      holder,
      open: (to) => options.open(to),
      onFree: () => this.#turns.wake(),
    });
    this.#turns = new Turns({
      state,
      scope: origin,
      requestsPerSecond,
      clock,
      takeConnection: (to, priority, wanted) => this.#connections.take(to, priority, wanted),
      putBack: (connection) => this.#connections.putBack(connection),
      onPause: (waiting) => board.set({ waiting }),
    });
  }

  /** Aborts when the line is closed. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** Waits for the turn of a request, which must go out at once; the connection must be given back. */
  turn(to: string, priority: Priority, keyed: boolean, signal: AbortSignal): Promise<Connection> {
    const key = keyed ? this.#fingerprint : null;
    return this.#turns.enter({ origin: to, priority, key, paced: to === this.origin, signal });
  }

  giveBack(connection: Connection): void {
    this.#connections.giveBack(connection);
  }

  /** Takes note of the rate that an answer tells. */
  async read(headers: Headers): Promise<void> {
    const { state, clock, board } = this.#options;
    const limit = wholeNumber(headers, 'x-ratelimit-limit');
    const remaining = wholeNumber(headers, 'x-ratelimit-remaining');
    const key = this.#fingerprint;
    if (key === null) return;
    if (limit !== null || remaining !== null) board.set({ limit, remaining, readAt: clock.now() });
    await state.update(`${this.origin} pace`, (stored) => ({
      store: noteReading(stored, key, { limit, remaining }, clock.now()),
      result: undefined,
    }));
  }

  /** Keeps requests away for `ms`: those of this key, or of all keys when the network's edge asked for it. */
  async pause(ms: number, reason: string, everybody: boolean): Promise<void> {
    const { state, clock } = this.#options;
    const key = everybody ? null : this.#fingerprint;
    const pause = { until: clock.now() + ms, reason };
    this.#turns.keepAway(key, ms, pause);
    await state.update(`${this.origin} pace`, (stored) => ({
      store: notePause(stored, key, pause, clock.now()),
      result: undefined,
    }));
  }

  dispose(): Promise<void> {
    this.#ended.abort(new DOMException('The client was closed.', 'AbortError'));
    return this.#connections.dispose();
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // A process of another user is there, but may not be asked.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
