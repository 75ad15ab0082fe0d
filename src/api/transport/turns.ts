import type { Clock } from '../../base/clock.ts';
import { type Pause, takeTurn, type Verdict } from '../../base/pace.ts';
import type { SharedState } from '../../base/sharedState.ts';
import type { Priority } from './call.ts';
import type { Connection } from './connections.ts';

/** A request that waits for its turn. */
export interface TurnRequest {
  readonly origin: string;
  readonly priority: Priority;
  /** Fingerprint of the key that counts the request, null when it carries none. */
  readonly key: string | null;
  /** False for requests to another host than the service's: they need a connection, but count for no rate. */
  readonly paced: boolean;
  readonly signal: AbortSignal;
}

export interface TurnsOptions {
  readonly state: SharedState;
  readonly scope: string;
  readonly requestsPerSecond: number;
  readonly clock: Clock;
  /** An open and idle connection, null when there is none yet. Rejects with what opening one failed with. */
  takeConnection(origin: string, priority: Priority, wanted: number): Promise<Connection | null>;
  /** Takes back a connection that was not used. */
  putBack(connection: Connection): void;
  /** Told when requests wait because the service asked for it, and with null when they no longer do. */
  onPause(pause: Pause | null): void;
}

interface Waiting {
  /** Counts up with each request that enters. */
  readonly order: number;
  readonly request: TurnRequest;
  readonly resolve: (connection: Connection) => void;
  readonly reject: (reason: unknown) => void;
  readonly onAbort: () => void;
}

/** How soon a place is asked for again when all are taken, ms. */
const placePoll = 25;
/** A turn that is older than this is no longer used, ms. */
const stale = 150;

/**
 * Lets requests go one after the other, as soon as a connection and the pace allow it (LIM-1): interactive ones before
 * background ones, otherwise first come, first served. A request goes out right after its turn is given, so that what
 * the shared state counts is what the service sees.
 */
export class Turns {
  readonly #options: TurnsOptions;
  /** Requests in different lanes don't hold each other up. */
  readonly #lanes: Waiting[][] = [[], [], [], [], [], []];
  /** Pauses by this process's own monotonic time too: a clock that jumps ahead ends none of them early. */
  readonly #pausedUntil = new Map<string | null, { readonly until: number; readonly pause: Pause }>();
  #entered = 0;
  #running = false;
  #nap: AbortController | null = null;
  #woken = false;
  #paused: Pause | null = null;

  constructor(options: TurnsOptions) {
    this.#options = options;
  }

  /** Waits for the turn and gives the connection to use. Rejects with the signal's reason when it aborts first. */
  enter(request: TurnRequest): Promise<Connection> {
    return new Promise((resolve, reject) => {
      const { signal } = request;
      if (signal.aborted) return reject(signal.reason);
      const lane = this.#lanes[laneOf(request)] as Waiting[];
      const waiting: Waiting = {
        order: ++this.#entered,
        request,
        resolve,
        reject,
        onAbort: () => {
          lane.splice(lane.indexOf(waiting), 1);
          reject(signal.reason);
          this.wake();
        },
      };
      signal.addEventListener('abort', waiting.onAbort, { once: true });
      lane.push(waiting);
      this.wake();
      this.#run();
    });
  }

  /** Keeps the requests of a key, or all of them (null), away for `ms`, in this process whatever the clock does. */
  keepAway(key: string | null, ms: number, pause: Pause): void {
    const until = this.#options.clock.monotonic() + ms;
    const known = this.#pausedUntil.get(key);
    if (!known || known.until < until) this.#pausedUntil.set(key, { until, pause });
  }

  /** Looks again at once: a connection became free, or the wait is no longer needed. */
  wake(): void {
    this.#woken = true;
    this.#nap?.abort();
  }

  async #run(): Promise<void> {
    if (this.#running) return;
    this.#running = true;
    try {
      while (this.#lanes.some((lane) => lane.length > 0)) {
        this.#woken = false;
        const wait = await this.#tryLanes();
        if (wait > 0 && !this.#woken) await this.#sleep(wait);
      }
    } finally {
      this.#running = false;
      this.#tellPause(null);
    }
  }

  /** The first of each lane: interactive ones first, then in the order in which they came. */
  #heads(): readonly (readonly [Waiting, Waiting[]])[] {
    const heads = this.#lanes.flatMap((lane) => (lane[0] ? [[lane[0], lane] as const] : []));
    return heads.sort(([a], [b]) => rank(a) - rank(b) || a.order - b.order);
  }

  /** Gives one turn, or tells for how many ms there is none. */
  async #tryLanes(): Promise<number> {
    let wait = Number.POSITIVE_INFINITY;
    let pause: Pause | null = null;
    for (const [head, lane] of this.#heads()) {
      try {
        const outcome = await this.#try(head, lane);
        if (outcome === null) {
          this.#tellPause(null);
          return 0;
        }
        wait = Math.min(wait, outcome.wait);
        pause ??= outcome.pause;
      } catch (error) {
        this.#leave(head, lane);
        head.reject(error);
        return 0;
      }
    }
    this.#tellPause(pause);
    return Number.isFinite(wait) ? Math.max(1, wait) : 0;
  }

  async #try(head: Waiting, lane: Waiting[]): Promise<{ wait: number; pause: Pause | null } | null> {
    const { takeConnection, putBack, clock } = this.#options;
    const { request } = head;
    const kept = request.paced ? this.#keptAway(request.key) : null;
    if (kept) return kept;
    const connection = await takeConnection(request.origin, request.priority, this.#waitingFor(request.origin));
    if (!connection) return { wait: placePoll, pause: null };
    let used = false;
    try {
      const { verdict, at } = request.paced ? await this.#take(request) : { verdict: granted, at: clock.now() };
      if (!verdict.granted) {
        const { until, reason } = verdict;
        return { wait: until - clock.now(), pause: reason === null ? null : { until, reason } };
      }
      // A process that slept after its turn came would send at a time that others count on by now.
      if (clock.now() - at > stale) return { wait: 0, pause: null };
      used = this.#leave(head, lane);
      if (used) head.resolve(connection);
      return null;
    } finally {
      if (!used) putBack(connection);
    }
  }

  #waitingFor(origin: string): number {
    return this.#lanes.flat().filter(({ request }) => request.origin === origin).length;
  }

  #take(request: TurnRequest): Promise<{ verdict: Verdict; at: number }> {
    const { state, scope, clock, requestsPerSecond } = this.#options;
    const interactive = request.priority === 'interactive';
    return state.update(`${scope} pace`, (stored) => {
      const wish = { key: request.key, interactive, requestsPerSecond, share: state.share };
      const at = clock.now();
      const [store, verdict] = takeTurn(stored, wish, at);
      return { store, result: { verdict, at } };
    });
  }

  #keptAway(key: string | null): { wait: number; pause: Pause } | null {
    const now = this.#options.clock.monotonic();
    for (const name of [null, key]) {
      const kept = this.#pausedUntil.get(name);
      if (!kept) continue;
      if (kept.until > now) return { wait: kept.until - now, pause: kept.pause };
      this.#pausedUntil.delete(name);
    }
    return null;
  }

  /** False when it has left already. */
  #leave(head: Waiting, lane: Waiting[]): boolean {
    const at = lane.indexOf(head);
    if (at < 0) return false;
    lane.splice(at, 1);
    head.request.signal.removeEventListener('abort', head.onAbort);
    return true;
  }

  async #sleep(ms: number): Promise<void> {
    const nap = new AbortController();
    this.#nap = nap;
    try {
      await this.#options.clock.sleep(ms, nap.signal);
    } catch {
      // Woken.
    } finally {
      this.#nap = null;
    }
  }

  #tellPause(pause: Pause | null): void {
    if (pause?.until === this.#paused?.until && pause?.reason === this.#paused?.reason) return;
    this.#paused = pause;
    this.#options.onPause(pause);
  }
}

const granted: Verdict = { granted: true };

function laneOf({ priority, key, paced }: TurnRequest): number {
  const kind = !paced ? 0 : key === null ? 1 : 2;
  return (priority === 'interactive' ? 0 : 3) + kind;
}

function rank({ request }: Waiting): number {
  return request.priority === 'interactive' ? 0 : 1;
}
