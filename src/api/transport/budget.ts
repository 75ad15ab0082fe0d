import { createHash } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { type Clock, linkSignals, maxWait } from '../../base/clock.ts';
import { Emitter } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { Secret } from '../../base/secret.ts';
import { Semaphore } from '../../base/semaphore.ts';
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

export interface BudgetOptions {
  /** The service's origin; names the row that processes share. */
  readonly origin: string;
  readonly key: Secret | null;
  /** 1 to 9. */
  readonly requestsPerSecond: number;
  readonly state: SharedState;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Loads what connections need, so that a permitted request doesn't wait for it. */
  prepare(): Promise<unknown>;
  connect(origin: string): HttpConnection;
}

type BudgetRequest = Readonly<{ origin: string; priority: Priority; kind: RequestKind }>;

export type Exchange = Pick<Dispatcher.ResponseData, 'statusCode' | 'body'> & { readonly headers: Headers };

export interface Permit {
  /** Rejects as `network` when no answer came; its errors hold nothing of the request. */
  send(request: HttpRequest): Promise<Exchange>;
  /** Returns the connection: when the body has come, or is given up. */
  release(): void;
}

/** The key's rate by the latest answer, and what requests wait for. Times are ms since the epoch. */
export interface RateLimitStatus {
  readonly limit: number | null;
  readonly remaining: number | null;
  readonly readAt: number | null;
  readonly waiting: Pause | null;
}

/** A connection; one that is being closed counts until it is closed. */
interface PooledConnection extends HttpConnection {
  readonly origin: string;
  use: 'busy' | 'idle' | 'closing';
  idleSince: number;
}

/** The service accepts at most 8 connections, files included (LIM-1). */
const maxConnections = 8;
/** The limits of a process that can't see the others. */
const whileAlone = { requestsPerSecond: 2, maxConnections: 1 };
/** How often a process renews its connections, ms. */
const heartbeat = 1000;
/** How long an idle connection is kept, so that the next click finds it open, ms. */
const keepIdle = 4000;

/**
 * Decides when requests go out (LIM-1), in one row per service that all processes share. A permitted request counts as
 * sent now until it is written, and from then on with that moment.
 */
export class RequestBudget {
  readonly origin: string;
  readonly #options: BudgetOptions;
  /** Names the key in the shared row without revealing anything about it. */
  readonly #fingerprint: string | null;
  readonly #process = leaseHolder();
  /** Requests with the same limits wait in line: only the first of each line asks. */
  readonly #lines = new Map<string, Semaphore>();
  /** Aborts, and is replaced, when the first of each line should ask again. */
  #changed = new AbortController();
  readonly #connections = new Set<PooledConnection>();
  readonly #ended = new AbortController();
  /** Pauses that this process received, by monotonic time: a clock that is set forward ends none early. */
  readonly #pauses = new Map<string, Pause>();
  readonly #fileHosts = new Set<string>();
  readonly #emitter = new Emitter<RateLimitStatus>();
  #rate: RateLimitStatus = { limit: null, remaining: null, readAt: null, waiting: null };
  #lastId = 0;
  /** When this process last renewed its connections. */
  #renewedAt = 0;
  /** Whether a process with fewer connections waits for one of ours. */
  #isWanted = false;
  #isRenewing = false;

  readonly onDidChangeRate = this.#emitter.event;

  constructor(options: BudgetOptions) {
    this.#options = options;
    this.origin = options.origin;
    this.#fingerprint = options.key && hash(`${options.origin}\n${options.key.reveal()}`);
  }

  get rate(): RateLimitStatus {
    return this.#rate;
  }

  /** Aborts when the client is closed. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  /** The shortest wait while every known file host asks for one: which host serves a link isn't known beforehand. */
  async fileWait(): Promise<Pause | null> {
    return this.#change((row) => {
      const waits = [...this.#fileHosts].map((host) => row.pauses[this.#pauseName(host, 'files')]);
      const [first = null] = waits.every((wait) => wait) ? waits.sort((a, b) => (a?.until ?? 0) - (b?.until ?? 0)) : [];
      return [row, first];
    });
  }

  /** Waits until a request may go out. Rejects as `rate-limited` for a pause that is too long to wait out. */
  async acquire(request: BudgetRequest, signal: AbortSignal): Promise<Permit> {
    await this.#options.prepare();
    if (request.kind === 'file') this.#fileHosts.add(request.origin);
    // Interactive requests have a line of their own; background ones keep some distance from each other.
    const name = `${request.origin} ${request.kind} ${request.priority}`;
    const line = this.#lines.get(name) ?? new Semaphore(1);
    this.#lines.set(name, line);
    const ask = async () => {
      for (;;) {
        const changed = this.#changed.signal;
        const outcome = await this.#try(request);
        if (typeof outcome === 'number') await this.#sleepUntil(outcome, signal, changed);
        else if (signal.aborted) outcome.release();
        else return outcome;
        signal.throwIfAborted();
      }
    };
    return line.run(ask, true, signal);
  }

  /** Ends early when one of the signals aborts. */
  async #sleepUntil(time: number, ...signals: AbortSignal[]): Promise<void> {
    const { clock } = this.#options;
    const { signal, unlink } = linkSignals(...signals);
    await clock.sleep(Math.max(1, time - clock.now()), signal).catch(() => {});
    unlink();
  }

  /** Records the rate in the answer to a request with the key. */
  async read(headers: Headers): Promise<void> {
    const limit = wholeNumber(headers, 'x-ratelimit-limit');
    const remaining = wholeNumber(headers, 'x-ratelimit-remaining');
    const key = this.#fingerprint;
    if (key === null || (limit === null && remaining === null)) return;
    this.#show({ limit, remaining, readAt: this.#options.clock.now() });
    await this.#change((row, now) => [noteReading(row, key, { limit, remaining }, now)]);
  }

  /** Keeps requests away from an origin for `ms`. */
  async pause(origin: string, ms: number, reason: string, scope: PauseScope): Promise<void> {
    const { clock, state } = this.#options;
    const name = this.#pauseName(origin, scope);
    const until = clock.monotonic() + ms;
    // A person may end a longer one in another window, which this process would not notice.
    if ((ms <= maxWait || !state.isShared) && until > (this.#pauses.get(name)?.until ?? 0))
      this.#pauses.set(name, { until, reason });
    await this.#change((row) => [notePause(row, name, { until: clock.now() + ms, reason })]);
  }

  /** Ends every wait above 24 hours: a person said so. */
  async endLongPauses(): Promise<void> {
    const { clock } = this.#options;
    for (const [name, { until }] of this.#pauses) if (until > clock.monotonic() + maxWait) this.#pauses.delete(name);
    await this.#change((row, now) => [endPauses(row, now + maxWait)]);
  }

  dispose(): void {
    this.#ended.abort(new DOMException('The client was closed.', 'AbortError'));
    this.#emitter.dispose();
    const connections = [...this.#connections];
    // The others learn at once that these are free: this process may not live to see them closed.
    this.#connections.clear();
    this.#inBackground(this.#change((row) => [row]));
    for (const connection of connections) void connection.close();
  }

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
        const [next, decided] = decide(row, { ...wish, ...limits, requestsPerSecond: rate }, this.#own, now);
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
      this.#inBackground(this.#renew());
      return this.#permit(connection, isService ? wish : null);
    }
    const { pause } = verdict;
    const isFile = kind === 'file';
    if (pause && pause.until - clock.now() > (isFile ? linkLife : maxWait))
      throw waitTooLong(pause, clock.now(), isFile);
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
      this.#isWanted = isWanted(changed, this.#own, now);
      this.#showPauses(changed);
      return { store: withProcess(changed, this.#own, now), result: result as T };
    });
  }

  /** A process that stood still for longer than its lease has lost its connections to others. */
  get #isLost() {
    return this.#options.clock.now() - this.#renewedAt >= lease;
  }

  get #own(): OwnProcess {
    return { id: this.#process, connections: this.#connections.size };
  }

  /** The row with the pauses that this process was asked for. */
  #withPauses(row: BudgetRow): BudgetRow {
    const { clock } = this.#options;
    let known = row;
    for (const [name, { until, reason }] of this.#pauses) {
      const left = until - clock.monotonic();
      if (left <= 0) this.#pauses.delete(name);
      else known = notePause(known, name, { until: clock.now() + left, reason });
    }
    return known;
  }

  /** Shows the longest wait that holds requests of this client. */
  #showPauses({ pauses }: BudgetRow): void {
    const own = Object.entries(pauses).filter(
      ([name]) => /(origin|files)$/.test(name) || name.startsWith(`${this.#fingerprint} `),
    );
    const [waiting = null] = own.map(([, pause]) => pause).sort((a, b) => b.until - a.until);
    if (waiting?.until !== this.#rate.waiting?.until) this.#show({ waiting });
  }

  #show(change: Partial<RateLimitStatus>): void {
    this.#rate = { ...this.#rate, ...change };
    try {
      this.#emitter.fire(this.#rate);
    } catch {
      // A view that fails to show the rate must not fail the request.
      this.#options.logger.warn('A listener of the request rate failed.');
    }
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

  #pauseName(origin: string, scope: PauseScope): string {
    return `${scope === 'origin' || scope === 'files' ? hash(origin) : this.#fingerprint} ${scope}`;
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
