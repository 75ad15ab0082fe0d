import { createHash } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { type Clock, maxWait } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/disposable.ts';
import { l10n } from '../../base/l10n.ts';
import type { Logger } from '../../base/logger.ts';
import type { Secret } from '../../base/secret.ts';
import type { SharedState } from '../../base/sharedState.ts';
import type { Priority } from '../schemas/page.ts';
import { ApiError } from './errors.ts';
import { type Headers, wholeNumber } from './headers.ts';
import { TurnMissed, type Wire, type WireRequest } from './network.ts';
import { networkError } from './networkErrors.ts';
import { freshFor, notePause, noteReading, type Pause, takeTurn, type Verdict } from './pace.ts';
import { type Slot, Slots } from './slots.ts';

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
  /** Measures how long this process is held up, in ms, which `clock` may not: `performance.now` by default. */
  readonly stopwatch?: () => number;
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
  /** Called right before it goes out. */
  readonly onStart?: () => void;
}

/** A request that went out, and the head of its answer. */
export interface Exchange extends Pick<Dispatcher.ResponseData, 'statusCode' | 'body'> {
  readonly headers: Headers;
  /** Gives the connection back: when the body has come, or is given up. */
  giveBack(): void;
}

/** How soon a connection is asked for again when all are taken, ms. */
const slotPoll = 50;
/** The last moment that a date can name, ms since the epoch. */
const endOfTime = 8.64e15;

/** The permission to send one request, now. */
interface Grant {
  readonly slot: Slot;
  readonly mayGo: () => boolean;
  /** Whether a person lets this one go in spite of a long pause. */
  readonly isTrial: boolean;
}

interface Waiting {
  readonly request: TurnRequest;
  take(turn: Grant): void;
  fail(error: unknown): void;
}

/** Requests that wait in one line: those of one key, those without, or those to one host of files. */
interface Lane {
  readonly origin: string;
  /** Interactive ones first; it goes with the last one. */
  waiting: readonly Waiting[];
  /** Ends the sleep before the next look at the first. */
  nap: AbortController;
  /** Why its requests wait, if the service asked for it. */
  pause: Pause | null;
}

/**
 * When requests go out (LIM-1). A request waits in one line, that of its key in this window, interactive ones first,
 * until it is the first, has one of this window's open connections, and the pace of all windows lets it go. It goes out
 * right then, so that what the shared state counts is what the service sees.
 */
export class RequestScheduler {
  readonly origin: string;
  readonly #options: Required<SchedulerOptions>;
  readonly #slots: Slots;
  readonly #lanes = new Map<string, Lane>();
  /** Names the key in the shared state without telling anything about it. */
  readonly #fingerprint: string | null;
  readonly #ended = new AbortController();
  readonly #emitter = new Emitter<RateLimitStatus>();
  /**
   * Pauses that this window was asked for, by monotonic time: a clock that jumps ahead ends none early, and pauses
   * asked for while the shared state could not be used are passed on later.
   */
  readonly #pauses = new Map<string, { origin: string; key: string | null; until: number; reason: string }>();
  /** Pauses above 24 hours, by origin, until a request goes out. */
  readonly #longPauses = new Map<string, Pause>();
  /** Origins to which a person lets one request go despite a long pause, and how far that request has come. */
  readonly #trials = new Map<string, 'wanted' | 'given' | 'sent'>();
  #status: RateLimitStatus = { limit: null, remaining: null, readAt: null, waiting: null };
  /** Turns in a row that came too late to be used. */
  #missed = 0;

  /** Fires with each change of {@link status}. */
  readonly onDidChange: Event<RateLimitStatus> = this.#emitter.event;

  constructor(options: SchedulerOptions) {
    const { origin, key } = options;
    this.origin = origin;
    this.#options = { stopwatch: () => performance.now(), ...options };
    this.#fingerprint = key && hash(`${origin}\n${key.reveal()}`);
    this.#slots = new Slots({
      ...options,
      scope: origin,
      onFree: () => {
        for (const { nap } of this.#lanes.values()) nap.abort();
      },
      onFail: (failed, error) => {
        for (const lane of this.#lanes.values()) if (lane.origin === failed) lane.waiting[0]?.fail(networkError(error));
      },
    });
  }

  /** Aborts when the client is closed. */
  get ended(): AbortSignal {
    return this.#ended.signal;
  }

  get status(): RateLimitStatus {
    return this.#status;
  }

  /**
   * Sends a request in its turn. Rejects with the signal's reason, as `network` when no answer came, or as
   * `rate-limited` where the origin asked for a wait above 24 hours; its errors hold nothing of the request.
   */
  async send(request: TurnRequest, wire: WireRequest): Promise<Exchange> {
    const { signal } = request;
    for (let isFirst = true; ; isFirst = false) {
      const turn = await this.#turn(request, isFirst);
      const { slot, mayGo } = turn;
      try {
        const { statusCode, headers, body } = await slot.wire.request({ ...wire, signal }, mayGo);
        return { statusCode, headers, body, giveBack: () => this.#slots.giveBack(slot) };
      } catch (error) {
        this.#giveUp(turn);
        signal.throwIfAborted();
        if (!(error instanceof TurnMissed)) throw networkError(error);
      }
    }
  }

  /** Takes note of the rate that an answer to a request with the key tells. */
  async read(headers: Headers): Promise<void> {
    const { clock } = this.#options;
    const limit = wholeNumber(headers, 'x-ratelimit-limit');
    const remaining = wholeNumber(headers, 'x-ratelimit-remaining');
    const key = this.#fingerprint;
    if (key === null || (limit === null && remaining === null)) return;
    this.#show({ limit, remaining, readAt: clock.now() });
    await this.#change(this.origin, (stored) => noteReading(stored, key, { limit, remaining }, clock.now()));
  }

  /**
   * Keeps requests away from an origin for `ms`: those with the key, or all of them when the network's edge or a file
   * host asked for it.
   */
  async pause(origin: string, ms: number, reason: string, everybody: boolean): Promise<void> {
    const { clock, state } = this.#options;
    const key = everybody ? null : this.#fingerprint;
    const until = clock.monotonic() + ms;
    const name = `${origin} ${key}`;
    // A longer one may be ended by a person in another window, which then says so in the shared state.
    if ((ms <= maxWait || state.isBlind) && until > (this.#pauses.get(name)?.until ?? 0))
      this.#pauses.set(name, { origin, key, until, reason });
    const pause = { until: Math.min(clock.now() + ms, endOfTime), reason };
    if (ms > maxWait) this.#longPauses.set(origin, pause);
    await this.#change(origin, (stored) => notePause(stored, key, pause, clock.now()));
    this.#showWaiting();
  }

  /** Lets one request go to each origin that asked for a wait above 24 hours: a person wants to know. */
  tryNow(): void {
    const late = this.#options.clock.now() + maxWait;
    for (const [origin, { until }] of this.#longPauses)
      if (until > late && this.#trials.get(origin) !== 'given') this.#trials.set(origin, 'wanted');
  }

  /** A request was answered well. If a person sent it in spite of a pause, the pause is over. */
  async succeeded(origin: string): Promise<void> {
    if (this.#trials.get(origin) !== 'sent') return;
    this.#trials.delete(origin);
    for (const [name, pause] of this.#pauses) if (pause.origin === origin) this.#pauses.delete(name);
    await this.#change(origin, (stored) => notePause(stored, this.#fingerprint, null, this.#options.clock.now()));
  }

  dispose(): void {
    this.#ended.abort(new DOMException('The client was closed.', 'AbortError'));
    this.#emitter.dispose();
    this.#slots.dispose();
  }

  /** One that missed its turn goes before its equals. */
  #turn(request: TurnRequest, isFirst: boolean): Promise<Grant> {
    const { origin, keyed, signal } = request;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(signal.reason);
      const name = `${origin} ${keyed}`;
      const known = this.#lanes.get(name);
      const lane: Lane = known ?? { origin, waiting: [], nap: new AbortController(), pause: null };
      const leave = () => {
        signal.removeEventListener('abort', cancel);
        lane.waiting = lane.waiting.filter((other) => other !== entry);
        lane.nap.abort();
      };
      const fail = (error: unknown) => {
        leave();
        reject(error);
      };
      const cancel = () => fail(signal.reason);
      const take = (turn: Grant) => {
        leave();
        resolve(turn);
      };
      const entry: Waiting = { request, take, fail };
      signal.addEventListener('abort', cancel, { once: true });
      const places = [isFirst ? [] : [entry], lane.waiting, isFirst ? [entry] : []].flat();
      const isUrgent = (waiting: Waiting) => waiting.request.priority === 'interactive';
      lane.waiting = [...places.filter(isUrgent), ...places.filter((waiting) => !isUrgent(waiting))];
      lane.nap.abort();
      if (known) return;
      this.#lanes.set(name, lane);
      void this.#serve(name, lane);
    });
  }

  /** Gives turns to those who wait in a lane until there is none. */
  async #serve(name: string, lane: Lane): Promise<void> {
    for (let first = lane.waiting[0]; first; first = lane.waiting[0]) {
      lane.nap = new AbortController();
      try {
        const outcome = await this.#try(first.request, lane);
        lane.pause = 'slot' in outcome ? null : outcome.pause;
        this.#showWaiting();
        if (!('slot' in outcome)) await this.#options.clock.sleep(outcome.wait, lane.nap.signal).catch(() => {});
        else if (lane.waiting.includes(first)) first.take(outcome);
        else this.#giveUp(outcome);
      } catch (error) {
        first.fail(error);
      }
    }
    this.#lanes.delete(name);
    this.#showWaiting();
  }

  async #try(
    request: TurnRequest,
    lane: Lane,
  ): Promise<Grant | { readonly wait: number; readonly pause: Pause | null }> {
    const { clock } = this.#options;
    const { origin, priority } = request;
    const slot = this.#slots.use(origin);
    const isTrial = this.#trials.get(origin) === 'wanted';
    // Before anything is waited for: it is the turn of one request alone.
    if (slot && isTrial) this.#trials.set(origin, 'given');
    let turn: Grant | null = null;
    try {
      const { verdict, since } = await this.#take(request, slot !== null, isTrial);
      const pause = verdict.granted ? null : verdict.pause;
      if (pause && pause.until - clock.now() > maxWait) throw this.#longPause(origin, pause);
      if (!pause) this.#slots.prepare(origin, priority, lane.waiting.length - (slot ? 1 : 0));
      if (!verdict.granted) return { wait: Math.max(1, verdict.until - clock.now()), pause };
      if (!slot) return { wait: slotPoll, pause };
      turn = { slot, isTrial, mayGo: () => this.#mayGo(request, since, isTrial) };
      return turn;
    } finally {
      if (slot && !turn) {
        if (isTrial) this.#trials.set(origin, 'wanted');
        this.#slots.putBack(slot);
      }
    }
  }

  /** Ends a turn without an answer. Where nothing was sent, the next request may have what a person let go. */
  #giveUp({ slot, isTrial }: Grant): void {
    if (isTrial && this.#trials.get(slot.origin) === 'given') this.#trials.set(slot.origin, 'wanted');
    this.#slots.giveBack(slot);
  }

  /** Asks the pace; only a request that has a connection to go over is counted. */
  async #take(request: TurnRequest, hasSlot: boolean, isTrial: boolean): Promise<{ verdict: Verdict; since: number }> {
    const { state, clock, requestsPerSecond, stopwatch } = this.#options;
    const { origin, priority, keyed } = request;
    const isService = origin === this.origin;
    const wish = {
      key: isService && keyed ? this.#fingerprint : null,
      interactive: priority === 'interactive',
      requestsPerSecond: isService ? requestsPerSecond : Number.POSITIVE_INFINITY,
      tryNow: isTrial,
    };
    const taken = await state.update(this.#rowOf(origin), (stored) => {
      const known = this.#withPauses(origin, stored);
      const [pace, verdict] = takeTurn(known, { ...wish, share: state.share }, clock.now());
      // Of a host of files nothing but its pause is worth a row.
      const row = isService || pace.pause ? pace : null;
      return { store: verdict.granted && !hasSlot ? undefined : row, result: { verdict, since: stopwatch() } };
    });
    if (taken.verdict.granted) this.#longPauses.delete(origin);
    return taken;
  }

  /**
   * Asked right before a request is written. A process that was held up after its turn came would send at a time that
   * others count on by now. Where it is held up every time, as by a slow disk, it would never send: what it takes grows
   * until one goes out.
   */
  #mayGo({ origin, onStart }: TurnRequest, since: number, isTrial: boolean): boolean {
    const late = this.#options.stopwatch() - since;
    if (origin === this.origin) {
      if (late > freshFor * 2 ** Math.min(10, Math.max(0, this.#missed - 2))) {
        this.#missed++;
        return false;
      }
      if (late <= freshFor) this.#missed = 0;
    }
    if (isTrial) {
      this.#trials.set(origin, 'sent');
      this.#options.logger.info(
        'One request is sent before the time the service asked for, because a person chose Try Now.',
      );
    }
    onStart?.();
    return true;
  }

  /** What is stored of an origin, with the pauses that this window was asked for. */
  #withPauses(origin: string, stored: unknown): unknown {
    const { clock } = this.#options;
    let known = stored;
    for (const [name, pause] of this.#pauses) {
      const left = pause.until - clock.monotonic();
      if (left <= 0) this.#pauses.delete(name);
      else if (pause.origin === origin) {
        const until = Math.min(clock.now() + left, endOfTime);
        known = notePause(known, pause.key, { until, reason: pause.reason }, clock.now());
      }
    }
    return known;
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

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}
