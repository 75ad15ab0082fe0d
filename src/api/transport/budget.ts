import { createHash } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { type Clock, linkSignals, maxWait } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { Secret } from '../../base/secret.ts';
import type { SharedState } from '../../base/sharedState.ts';
import { leaseHolder } from '../../machine/lease.ts';
import type { Priority } from '../schemas/page.ts';
import { linkLife } from '../schemas/report.ts';
import {
  type BudgetRow,
  decide,
  endPauses,
  isWanted,
  lease,
  notePause,
  noteReading,
  noteSent,
  type OwnProcess,
  type Pause,
  type PauseScope,
  pausesOf,
  type RequestKind,
  settle,
  type Verdict,
  type Wish,
  withProcess,
} from './budgetRow.ts';
import { waitTooLong } from './errors.ts';
import { type Headers, wholeNumber } from './headers.ts';
import type { HttpConnection, HttpRequest } from './network.ts';
import { networkError } from './networkErrors.ts';
import { RateStatus } from './rateStatus.ts';

export interface BudgetOptions {
  /** The service's origin; names what is shared with other processes. */
  readonly origin: string;
  readonly key: Secret | null;
  /** 1 to 9. */
  readonly requestsPerSecond: number;
  readonly state: SharedState;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Loads what connections need, so that a request that was let go doesn't wait for it. */
  prepare(): Promise<unknown>;
  connect(origin: string): HttpConnection;
}

/** A request that wants to go out. */
interface BudgetRequest {
  readonly origin: string;
  readonly priority: Priority;
  readonly kind: RequestKind;
}

/** The head of an answer. */
export interface Exchange extends Pick<Dispatcher.ResponseData, 'statusCode' | 'body'> {
  readonly headers: Headers;
}

/** The permission to send one request, now. */
export interface Permit {
  /** Rejects as `network` when no answer came; its errors hold nothing of the request. */
  send(request: HttpRequest): Promise<Exchange>;
  /** Returns the connection: when the body has come, or is given up. */
  release(): void;
}

/** A connection and its use; one that is being closed counts until it is. */
interface PooledConnection extends HttpConnection {
  readonly origin: string;
  use: 'busy' | 'idle' | 'closing';
  /** When its last use ended, ms. */
  idleSince: number;
}

/** The service takes at most 8 connections, files included (LIM-1). */
const maxConnections = 8;
/** What a process may do that can't see the others. */
const whileAlone = { requestsPerSecond: 2, maxConnections: 1 };
/** How often a process renews its connections, ms. */
const heartbeat = 1000;
/** How long an idle connection is kept, so that the next click finds it open, ms. */
const keepIdle = 4000;
/** The last moment that a date can name, ms since the epoch. */
const endOfTime = 8.64e15;
const noPause: Pause = { until: 0, reason: '' };

/**
 * When requests go out (LIM-1). All processes of a computer share one stored row for each service. A request is let go
 * in one transaction, counts as sent now until it is written, and from then on with that moment, however long its
 * connection takes to open. Interactive requests of a process go before its background ones.
 */
export class RequestBudget {
  readonly origin: string;
  readonly status: RateStatus;
  readonly #options: BudgetOptions;
  /** Names the key in the shared row without revealing anything about it. */
  readonly #fingerprint: string | null;
  readonly #process = leaseHolder();
  /** Requests that wait for the same: those of one kind to one origin. */
  readonly #queues = new Map<string, BudgetRequest[]>();
  /** Aborts, and is replaced, when those that wait should try again. */
  #changed = new AbortController();
  readonly #connections = new Set<PooledConnection>();
  readonly #ended = new AbortController();
  /** Pauses that this process was asked for, by monotonic time: a clock that is set forward ends none early. */
  readonly #pauses = new Map<string, Pause>();
  /** The hosts of files, and what each asked to wait for. */
  readonly #fileHosts = new Map<string, Pause>();
  #lastId = 0;
  /** When this process renewed its connections last. */
  #renewedAt = 0;
  /** Whether a process with fewer connections waits for one of ours. */
  #isWanted = false;
  #isRenewing = false;

  constructor(options: BudgetOptions) {
    this.#options = options;
    this.origin = options.origin;
    this.status = new RateStatus(options.logger);
    this.#fingerprint = options.key && hash(`${options.origin}\n${options.key.reveal()}`);
  }

  /** Aborts when the client is closed. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** Set while every file host asked for a wait. Which host serves a link is unknown until it is requested. */
  get fileWait(): Pause | null {
    const [first = noPause] = [...this.#fileHosts.values()].sort((a, b) => a.until - b.until);
    return first.until > this.#options.clock.now() ? first : null;
  }

  /**
   * Waits until a request may go out. Rejects with the signal's reason, or as `rate-limited` where the service asked
   * for a wait above 24 hours, or a host of files for one that the link would not outlast.
   */
  async acquire(given: BudgetRequest, signal: AbortSignal): Promise<Permit> {
    const { clock } = this.#options;
    const request = { ...given };
    await this.#options.prepare();
    signal.throwIfAborted();
    const name = `${request.origin} ${request.kind}`;
    const queue = this.#queues.get(name) ?? [];
    this.#queues.set(name, queue);
    const isLater = ({ priority }: BudgetRequest) => priority === 'background' && request.priority === 'interactive';
    const at = queue.findIndex(isLater);
    queue.splice(at < 0 ? queue.length : at, 0, request);
    try {
      for (;;) {
        const changed = this.#changed.signal;
        const outcome = queue[0] === request ? await this.#try(request) : undefined;
        if (typeof outcome === 'object') {
          if (!signal.aborted) return outcome;
          outcome.release();
        }
        const nap = linkSignals(signal, changed);
        if (typeof outcome === 'number')
          await clock.sleep(Math.max(1, outcome - clock.now()), nap.signal).catch(() => {});
        else await aborted(nap.signal);
        nap.unlink();
        signal.throwIfAborted();
      }
    } finally {
      queue.splice(queue.indexOf(request), 1);
      if (queue.length === 0) this.#queues.delete(name);
      this.#wake();
    }
  }

  /** Notes the rate that the answer to a request with the key names. */
  async read(headers: Headers): Promise<void> {
    const limit = wholeNumber(headers, 'x-ratelimit-limit');
    const remaining = wholeNumber(headers, 'x-ratelimit-remaining');
    const key = this.#fingerprint;
    if (key === null || (limit === null && remaining === null)) return;
    this.status.setRate(limit, remaining, this.#options.clock.now());
    await this.#change((row, now) => [noteReading(row, key, { limit, remaining }, now)]);
  }

  /** Keeps requests away from an origin for `ms`. */
  async pause(origin: string, ms: number, reason: string, scope: PauseScope): Promise<void> {
    const { clock, state } = this.#options;
    const name = this.#pauseName(origin, scope);
    const until = clock.monotonic() + ms;
    // A longer one may be ended by a person in another window, which this process would not notice.
    if ((ms <= maxWait || !state.isShared) && until > (this.#pauses.get(name)?.until ?? 0))
      this.#pauses.set(name, { until, reason });
    const pause = { until: Math.min(clock.now() + ms, endOfTime), reason };
    if (ms > maxWait) this.status.setPause(name, pause);
    if (scope === 'files') this.#fileHosts.set(origin, pause);
    await this.#change((row) => [notePause(row, name, pause)]);
  }

  /** Ends every wait above 24 hours: a person said so. */
  async endLongPauses(): Promise<void> {
    const { clock } = this.#options;
    for (const [name, { until }] of this.#pauses) if (until > clock.monotonic() + maxWait) this.#pauses.delete(name);
    await this.#change((row, now) => [endPauses(row, now + maxWait)]);
    this.status.clearPauses();
    for (const [host, { until }] of this.#fileHosts)
      if (until > clock.now() + maxWait) this.#fileHosts.set(host, noPause);
  }

  dispose(): void {
    this.#ended.abort(new DOMException('The client was closed.', 'AbortError'));
    this.status.dispose();
    const connections = [...this.#connections];
    // The others learn at once that these are free: this process may not live to see them closed.
    this.#connections.clear();
    this.#inBackground(this.#change((row) => [row]));
    for (const connection of connections) void connection.close();
  }

  /** A permit, or when to try again. */
  async #try({ origin, kind, priority }: BudgetRequest): Promise<Permit | number> {
    const { state, clock, connect, requestsPerSecond } = this.#options;
    const isService = origin === this.origin;
    const key = kind === 'keyed' || kind === 'link' ? this.#fingerprint : null;
    const idle = this.#idle().find((one) => one.origin === origin);
    const connection: PooledConnection = idle ?? { ...connect(origin), origin, use: 'busy', idleSince: 0 };
    // Before anything is waited for: another queue may look for one meanwhile.
    connection.use = 'busy';
    const wish = {
      ...{ id: `${this.#process} ${++this.#lastId}`, key, isBackground: priority === 'background' },
      pauses: pausesOf[kind].map((scope) => this.#pauseName(origin, scope)),
      needsConnection: !idle,
    };
    let verdict: Verdict | undefined;
    try {
      verdict = await this.#change((row, now) => {
        if (!idle) this.#connections.delete(connection);
        const limits = state.isShared ? { requestsPerSecond, maxConnections } : whileAlone;
        const rate = isService ? limits.requestsPerSecond : null;
        const [next, decided] = decide(row, { ...wish, ...limits, requestsPerSecond: rate }, this.#own(), now);
        if (decided.isGranted) this.#connections.add(connection);
        return [next, decided];
      });
    } finally {
      if (!verdict?.isGranted) {
        connection.use = 'idle';
        if (!idle) this.#connections.delete(connection);
      }
    }
    if (verdict.isGranted) {
      for (const name of wish.pauses) this.status.setPause(name, null);
      if (kind === 'file') this.#fileHosts.set(origin, noPause);
      this.#inBackground(this.#renew());
      return this.#permit(connection, isService ? wish : null);
    }
    const { pause, pausedBy = '' } = verdict;
    if (pause) {
      this.status.setPause(pausedBy, pause);
      if (kind === 'file') this.#fileHosts.set(origin, pause);
      if (pause.until - clock.now() > (kind === 'file' ? linkLife : maxWait))
        throw waitTooLong(pause, clock.now(), kind === 'file');
    }
    // An idle connection to another origin makes way.
    const other = verdict.lacksConnection && this.#idle()[0];
    if (other) this.#inBackground(this.#close(other));
    return verdict.until;
  }

  /** @param counted what the shared row knows the request by; null where nobody counts it */
  #permit(connection: PooledConnection, counted: Pick<Wish, 'id' | 'key'> | null): Permit {
    const { clock } = this.#options;
    let exchange: Exchange | undefined;
    let isNoted = counted === null;
    const note = (at: number | null) => {
      if (counted && !isNoted) this.#inBackground(this.#change((row) => [noteSent(row, counted, at)]));
      isNoted = true;
    };
    const onStart = () => {
      // After a suspension, others no longer count this request.
      if (connection.use !== 'busy' || this.#isLost) throw new Error('The connection was lost.');
      note(clock.now());
    };
    return {
      send: async (request) => {
        try {
          exchange = await connection.send(request, onStart);
          return exchange;
        } catch (error) {
          if (request.signal instanceof AbortSignal) request.signal.throwIfAborted();
          throw networkError(error);
        }
      },
      release: () => {
        note(null);
        if (connection.use !== 'busy') return;
        connection.use = 'idle';
        connection.idleSince = clock.monotonic();
        // One that broke off may still be open on the other side.
        const isWhole = exchange?.body.readableEnded === true;
        if (!isWhole || this.#isWanted || this.#ended.signal.aborted) this.#inBackground(this.#close(connection));
        else this.#wake();
      },
    };
  }

  #idle(): PooledConnection[] {
    return [...this.#connections].filter(({ use }) => use === 'idle');
  }

  async #close(connection: PooledConnection): Promise<void> {
    if (connection.use === 'closing') return;
    connection.use = 'closing';
    await connection.close();
    this.#connections.delete(connection);
    await this.#change((row) => [row]);
    this.#wake();
  }

  /** Renews the connections while there are any, and closes those that this process no longer needs. */
  async #renew(): Promise<void> {
    if (this.#isRenewing) return;
    this.#isRenewing = true;
    const { clock } = this.#options;
    try {
      while (this.#connections.size > 0) {
        await clock.sleep(heartbeat, this.#ended.signal);
        for (const idle of this.#idle())
          if (this.#isWanted || clock.monotonic() - idle.idleSince >= keepIdle) this.#inBackground(this.#close(idle));
        await this.#change((row) => [row]);
      }
    } finally {
      this.#isRenewing = false;
    }
  }

  /** Changes the shared row in one transaction, and renews what this process has. `change` may be called again. */
  async #change<T>(change: (row: BudgetRow, now: number) => readonly [BudgetRow, T?]): Promise<T> {
    const { state, clock } = this.#options;
    const lost = this.#isLost ? [...this.#connections] : [];
    this.#renewedAt = clock.now();
    for (const connection of lost) this.#inBackground(this.#close(connection));
    return state.update(`${this.origin} budget`, (stored) => {
      const [row, now] = settle(stored, this.#process, clock.now());
      const [changed, result] = change(this.#withPauses(row), now);
      this.#isWanted = isWanted(changed, this.#own(), now);
      return { store: withProcess(changed, this.#own(), now), result: result as T };
    });
  }

  /** A process that stood still for longer than its lease has lost its connections to others. */
  get #isLost(): boolean {
    return this.#options.clock.now() - this.#renewedAt >= lease;
  }

  #own(): OwnProcess {
    return { id: this.#process, connections: this.#connections.size };
  }

  /** The row with the pauses that this process was asked for. */
  #withPauses(row: BudgetRow): BudgetRow {
    const { clock } = this.#options;
    let known = row;
    for (const [name, { until, reason }] of this.#pauses) {
      const left = until - clock.monotonic();
      if (left <= 0) this.#pauses.delete(name);
      else known = notePause(known, name, { until: Math.min(clock.now() + left, endOfTime), reason });
    }
    return known;
  }

  #wake(): void {
    const changed = this.#changed;
    this.#changed = new AbortController();
    changed.abort();
  }

  #inBackground(work: Promise<void>): void {
    work.catch((error: unknown) => {
      if (!this.#ended.signal.aborted)
        this.#options.logger.warn(`The request budget could not be updated: ${String(error)}`);
    });
  }

  /** The key's fingerprint says nothing about the key; a request without one is held by its origin alone. */
  #pauseName(origin: string, scope: PauseScope): string {
    const isOfOrigin = scope === 'origin' || scope === 'files';
    return `${isOfOrigin ? hash(origin) : this.#fingerprint} ${scope}`;
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
