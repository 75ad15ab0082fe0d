import { createHash } from 'node:crypto';
import PQueue from 'p-queue';
import { type Clock, linkSignals } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/disposable.ts';
import { l10n } from '../../base/l10n.ts';
import type { Logger } from '../../base/logger.ts';
import type { Secret } from '../../base/secret.ts';
import type { SharedState } from '../../base/sharedState.ts';
import type { Priority } from '../schemas/page.ts';
import { ApiError, maxWait } from './errors.ts';
import { type Headers, wholeNumber } from './headers.ts';
import type { Wire, WireRequest } from './network.ts';
import { networkError } from './networkErrors.ts';
import { freshFor, notePause, noteReading, type Pause, takeTurn, type Verdict } from './pace.ts';
import { Slots } from './slots.ts';

/** What the last answers told about the key's rate, and what the client waits for. Times are ms since the epoch. */
export interface RateLimitStatus {
  readonly limit: number | null;
  readonly remaining: number | null;
  /** When `remaining` was read. */
  readonly readAt: number | null;
  /** Set while requests wait because the service asked for it. */
  readonly waiting: { readonly until: number; readonly reason: string } | null;
}

export interface SchedulerOptions {
  /** The service's origin; names the state shared with other windows. */
  readonly origin: string;
  readonly key: Secret | null;
  readonly requestsPerSecond: number;
  readonly state: SharedState;
  readonly clock: Clock;
  readonly logger: Logger;
  connect(origin: string): Wire;
}

/** A request that wants to go out. */
export interface TurnRequest {
  readonly origin: string;
  readonly priority: Priority;
  /** Whether it carries the key, whose requests are counted by the minute. */
  readonly keyed: boolean;
  readonly signal: AbortSignal;
}

/** How soon a connection is asked for again when all are taken, ms. */
const slotPoll = 50;
/** The last moment that a date can name, ms since the epoch. */
const endOfTime = 8.64e15;
/** Puts every interactive request before every background one. */
const urgent = 2 ** 40;

/** The permission to send one request, now. Given back when the answer's body has come. */
export interface Turn {
  /** Throws `TurnMissed` when the request would go out too late: it needs another turn then. */
  readonly request: (wire: WireRequest) => ReturnType<Wire['request']>;
  giveBack(): void;
}

/** Requests that wait in one line: those of one key, those without, or those to one host of files. */
interface Lane {
  readonly queue: PQueue;
  /** Requests that wait in it; it goes with the last one. */
  waiting: number;
  /** The request whose turn comes next. */
  head: { readonly priority: Priority; isOvertaken: boolean } | null;
  /** Ends the sleep of the head. */
  nap: AbortController;
  /** Why its requests wait, if the service asked for it. */
  pause: Pause | null;
}

/**
 * When requests go out (LIM-1). Two gates: a queue for each key in this window, interactive requests first, and the pace
 * that all windows share. A request goes out right after its turn is given, over a connection that is open already, so
 * that what the shared state counts is what the service sees.
 */
export class RequestScheduler {
  readonly origin: string;
  readonly #options: SchedulerOptions;
  readonly #slots: Slots;
  readonly #lanes = new Map<string, Lane>();
  /** Names the key in the shared state without telling anything about it. */
  readonly #fingerprint: string | null;
  readonly #ended = new AbortController();
  readonly #emitter = new Emitter<RateLimitStatus>();
  /** Pauses by this process's own monotonic time too: a clock that jumps ahead ends none early. */
  readonly #pausedUntil = new Map<string, { readonly until: number; readonly pause: Pause }>();
  /** Pauses above 24 hours that requests were refused for, by origin. */
  readonly #longPauses = new Map<string, Pause>();
  /** Origins to which a person lets one request go in spite of a long pause, or where it went. */
  readonly #trials = new Map<string, 'wanted' | 'sent'>();
  #status: RateLimitStatus = { limit: null, remaining: null, readAt: null, waiting: null };
  #entered = 0;
  /** Turns in a row that came too late to be used. */
  #missed = 0;

  /** Fires with each change of {@link status}. */
  readonly onDidChange: Event<RateLimitStatus> = this.#emitter.event;

  constructor(options: SchedulerOptions) {
    const { origin, key } = options;
    this.origin = origin;
    this.#options = options;
    this.#fingerprint = key && hash(`${origin}\n${key.reveal()}`);
    this.#slots = new Slots({ ...options, scope: origin, onFree: () => this.#wake() });
  }

  /** Aborts when the client is closed. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  get status(): RateLimitStatus {
    return this.#status;
  }

  /**
   * Waits for the turn of a request, which must go out at once. Rejects with the signal's reason, as `network` when no
   * connection could be opened, or as `rate-limited` where the origin asked for a wait above 24 hours.
   */
  async turn(request: TurnRequest): Promise<Turn> {
    const { origin, priority, keyed, signal } = request;
    const name = `${origin} ${keyed}`;
    const lane = this.#lanes.get(name) ?? newLane();
    this.#lanes.set(name, lane);
    lane.waiting++;
    const rank = (priority === 'interactive' ? urgent : 0) - ++this.#entered;
    if (priority === 'interactive' && lane.head?.priority === 'background') {
      lane.head.isOvertaken = true;
      lane.nap.abort();
    }
    try {
      for (;;) {
        signal.throwIfAborted();
        const turn = await this.#queued(request, lane, rank);
        if (turn) return turn;
      }
    } finally {
      if (--lane.waiting === 0) this.#lanes.delete(name);
      this.#showWaiting();
    }
  }

  /** Takes note of the rate that an answer to a request with the key tells. */
  async read(headers: Headers): Promise<void> {
    const { clock } = this.#options;
    const limit = wholeNumber(headers, 'x-ratelimit-limit');
    const remaining = wholeNumber(headers, 'x-ratelimit-remaining');
    const key = this.#fingerprint;
    if (key === null) return;
    if (limit !== null || remaining !== null) this.#show({ limit, remaining, readAt: clock.now() });
    await this.#change(this.origin, (stored) => noteReading(stored, key, { limit, remaining }, clock.now()));
  }

  /**
   * Keeps requests away from an origin for `ms`: those with the key, or all of them when the network's edge or a host of
   * files asked for it.
   */
  async pause(origin: string, ms: number, reason: string, everybody: boolean): Promise<void> {
    const { clock } = this.#options;
    const key = everybody ? null : this.#fingerprint;
    const pause = { until: Math.min(clock.now() + ms, endOfTime), reason };
    const until = clock.monotonic() + ms;
    const name = pauseName(origin, key);
    for (const [other, kept] of this.#pausedUntil) if (kept.until <= clock.monotonic()) this.#pausedUntil.delete(other);
    if (ms <= maxWait && until > (this.#pausedUntil.get(name)?.until ?? 0))
      this.#pausedUntil.set(name, { until, pause });
    await this.#change(origin, (stored) => notePause(stored, key, pause, clock.now()));
  }

  /** Lets one request go to each origin that asked for a wait above 24 hours: a person wants to know. */
  tryNow(): void {
    const late = this.#options.clock.now() + maxWait;
    for (const [origin, { until }] of this.#longPauses) if (until > late) this.#trials.set(origin, 'wanted');
  }

  /** A request was answered well. If a person sent it in spite of a pause, the pause is over. */
  async succeeded(origin: string): Promise<void> {
    if (this.#trials.get(origin) !== 'sent') return;
    this.#trials.delete(origin);
    const { clock } = this.#options;
    await this.#change(origin, (stored) => notePause(stored, this.#fingerprint, null, clock.now()));
  }

  dispose(): void {
    this.#ended.abort(new DOMException('The client was closed.', 'AbortError'));
    this.#emitter.dispose();
    this.#slots.dispose();
  }

  async #queued(request: TurnRequest, lane: Lane, rank: number): Promise<Turn | null> {
    let led: Promise<Turn | null> | undefined;
    const lead = () => {
      led = this.#lead(request, lane);
      return led;
    };
    try {
      return await lane.queue.add(lead, { priority: rank, signal: request.signal });
    } catch (error) {
      // Cancelled just as its turn came: the connection would be held for ever.
      led?.then((turn) => turn?.giveBack()).catch(() => {});
      throw error;
    }
  }

  /** Waits at the head of a lane; null when a more urgent request goes first, or the request was cancelled. */
  async #lead(request: TurnRequest, lane: Lane): Promise<Turn | null> {
    const head = { priority: request.priority, isOvertaken: false };
    lane.head = head;
    try {
      while (!head.isOvertaken && !request.signal.aborted) {
        lane.nap = new AbortController();
        const outcome = await this.#try(request, lane);
        lane.pause = 'request' in outcome ? null : outcome.pause;
        this.#showWaiting();
        if ('request' in outcome) return outcome;
        await this.#sleep(outcome.wait, lane.nap.signal, request.signal);
      }
      return null;
    } finally {
      // One that was cancelled ends when the next may lead already.
      if (lane.head === head) lane.head = null;
    }
  }

  async #try(
    request: TurnRequest,
    lane: Lane,
  ): Promise<Turn | { readonly wait: number; readonly pause: Pause | null }> {
    const { clock } = this.#options;
    const { origin, priority, signal } = request;
    const kept = this.#keptAway(request);
    if (kept) return kept;
    this.#slots.prepare(origin, priority, lane.queue.size);
    const slot = await this.#slots.take(origin, priority);
    if (!slot) return { wait: slotPoll, pause: null };
    let isUsed = false;
    try {
      await slot.wire.open(signal).catch((error: unknown) => {
        signal.throwIfAborted();
        throw networkError(error);
      });
      const { verdict, since } = await this.#take(request);
      if (!verdict.granted) {
        const { until, pause } = verdict;
        if (pause && until - clock.now() > maxWait) throw this.#longPause(origin, pause);
        return { wait: until - clock.now(), pause };
      }
      // A process that was held up after its turn came would send at a time that others count on by now. Where it is
      // held up every time, as by a slow disk, it would never send: what it takes grows until one goes out.
      const late = freshFor * 2 ** Math.min(10, Math.max(0, this.#missed - 2));
      const mayGo = () => origin !== this.origin || performance.now() - since <= late;
      isUsed = mayGo() && !signal.aborted;
      if (!mayGo()) this.#missed++;
      else if (performance.now() - since <= freshFor) this.#missed = 0;
      if (!isUsed) return { wait: 0, pause: null };
      return { request: (wire) => slot.wire.request(wire, mayGo), giveBack: () => this.#slots.giveBack(slot) };
    } finally {
      if (!isUsed) this.#slots.putBack(slot);
    }
  }

  async #take({ origin, priority, keyed }: TurnRequest): Promise<{ verdict: Verdict; since: number }> {
    const { state, clock, requestsPerSecond, logger } = this.#options;
    const isService = origin === this.origin;
    const tryNow = this.#trials.get(origin) === 'wanted';
    const wish = {
      key: isService && keyed ? this.#fingerprint : null,
      interactive: priority === 'interactive',
      requestsPerSecond: isService ? requestsPerSecond : Number.POSITIVE_INFINITY,
      tryNow,
    };
    const taken = await state.update(this.#rowOf(origin), (stored) => {
      const [pace, verdict] = takeTurn(stored, { ...wish, share: state.share }, clock.now());
      // Of a host of files nothing but its pause is worth a row.
      const store = isService || pace.pause ? pace : null;
      // How long this process is held up has nothing to do with the clock that waits are measured by.
      return { store, result: { verdict, since: performance.now() } };
    });
    if (taken.verdict.granted) this.#longPauses.delete(origin);
    if (tryNow && taken.verdict.granted) {
      this.#trials.set(origin, 'sent');
      logger.info('One request is sent before the time the service asked for, because a person chose Try Now.');
    }
    return taken;
  }

  #keptAway({ origin, keyed }: TurnRequest): { wait: number; pause: Pause } | null {
    const now = this.#options.clock.monotonic();
    for (const name of [pauseName(origin, null), pauseName(origin, keyed ? this.#fingerprint : null)]) {
      const kept = this.#pausedUntil.get(name);
      if (!kept) continue;
      if (kept.until > now) return { wait: kept.until - now, pause: kept.pause };
      this.#pausedUntil.delete(name);
    }
    return null;
  }

  #longPause(origin: string, pause: Pause): ApiError {
    this.#longPauses.set(origin, pause);
    return new ApiError({
      kind: 'rate-limited',
      cause: l10n.t('The server asked not to be contacted before {0}.', new Date(pause.until).toLocaleString()),
      nextStep: l10n.t('Wait until then, or choose Try Now to send one request.'),
      retryAfter: pause.until - this.#options.clock.now(),
    });
  }

  async #change(origin: string, change: (stored: unknown) => unknown): Promise<void> {
    await this.#options.state.update(this.#rowOf(origin), (stored) => ({ store: change(stored), result: undefined }));
  }

  /** Hosts of files are not named: where a signed link leads is nothing to be written down. */
  #rowOf(origin: string): string {
    return `${origin === this.origin ? origin : hash(origin)} pace`;
  }

  /** Looks again at once: a connection became free. */
  #wake(): void {
    for (const lane of this.#lanes.values()) lane.nap.abort();
  }

  async #sleep(ms: number, ...until: readonly AbortSignal[]): Promise<void> {
    const { signal, unlink } = linkSignals(...until);
    try {
      await this.#options.clock.sleep(Math.max(1, ms), signal);
    } catch {
      // Woken, or cancelled: the loop looks.
    } finally {
      unlink();
    }
  }

  #showWaiting(): void {
    const held = [...[...this.#lanes.values()].map(({ pause }) => pause), ...this.#longPauses.values()];
    const waiting = held.find((pause) => pause) ?? null;
    if (waiting?.until !== this.#status.waiting?.until) this.#show({ waiting });
  }

  #show(change: Partial<RateLimitStatus>): void {
    this.#status = { ...this.#status, ...change };
    try {
      this.#emitter.fire(this.#status);
    } catch {
      // A view that fails to show the rate must not fail the request.
      this.#options.logger.warn('A listener of the request rate failed.');
    }
  }
}

function newLane(): Lane {
  return { queue: new PQueue({ concurrency: 1 }), waiting: 0, head: null, nap: new AbortController(), pause: null };
}

function pauseName(origin: string, key: string | null): string {
  return `${origin} ${key ?? ''}`;
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
