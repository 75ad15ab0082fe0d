import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { SharedState } from '../../base/sharedState.ts';
import type { Priority } from '../schemas/page.ts';
import { ApiError } from './errors.ts';
import type { OpenedSocket } from './network.ts';
import { networkError } from './networkErrors.ts';
import { heartbeat, shareSockets, windowLife } from './pace.ts';

/** An open connection to an origin, for one request at a time. */
export interface ReadySocket extends Pick<OpenedSocket, 'dispatcher' | 'guarded'> {
  readonly origin: string;
}

export interface SocketsOptions {
  readonly state: SharedState;
  /** Name of the service in the shared state. */
  readonly scope: string;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Opens a socket. */
  open(origin: string): Promise<OpenedSocket>;
  /** Called when a socket became free, or could not be opened. */
  onFree(): void;
}

/** Sockets to one origin that may be under way to being opened. */
const maxOpening = 3;
/** How long a failure to open one is told, ms. */
const failureFor = 1000;
/** How long an idle socket is kept, ms: one to each origin for longer, so that the next click finds it open. */
const keepFirst = 4000;
const keepOther = 1000;
/** How often a window that works looks at what the others need, ms. */
const lookAgain = 500;

interface Held {
  readonly origin: string;
  /** Undefined while it is being opened. */
  opened?: OpenedSocket & ReadySocket;
  busy: boolean;
  /** Aborts the timer that closes it while idle. */
  idle?: AbortController;
}

/**
 * The sockets of this window: never more than its share of the connections that all windows may have (LIM-1). A window
 * counts from its first socket until its last one is closed.
 */
export class Sockets {
  readonly #options: SocketsOptions;
  readonly #id = randomUUID();
  readonly #held = new Set<Held>();
  readonly #ended = new AbortController();
  /** Why a socket could not be opened, until a request that wanted it asks. */
  #failures: { readonly origin: string; readonly at: number; readonly error: ApiError }[] = [];
  #share = 1;
  /** When the others were last told what this window holds. */
  #toldAt = Number.NEGATIVE_INFINITY;
  #beating = false;

  constructor(options: SocketsOptions) {
    this.#options = options;
  }

  /**
   * An open and idle socket to the origin, or null: then one is being opened, or all are taken. `wanted` is how many
   * requests wait for the origin. Throws once for each socket that could not be opened just now: `network`, or the refusal
   * of its address.
   */
  async take(origin: string, priority: Priority, wanted = 1): Promise<ReadySocket | null> {
    const ready = this.#idle(origin);
    if (ready) return ready;
    this.#throwFailure(origin);
    const opening = [...this.#held].filter((held) => held.origin === origin && !held.opened).length;
    if (opening >= Math.min(maxOpening, wanted) || this.#ended.signal.aborted) return null;
    const held: Held = { origin, busy: true };
    this.#held.add(held);
    const granted = await this.#tell(priority).catch((error: unknown) => {
      this.#held.delete(held);
      throw error;
    });
    if (granted) void this.#open(held);
    else {
      this.#held.delete(held);
      // Another origin's idle socket makes way.
      const other = [...this.#held].find(({ busy, origin: to }) => !busy && to !== origin);
      if (other) this.#close(other);
    }
    return null;
  }

  /** Ends the use of a socket; it stays open for a while where other windows don't need it more. */
  giveBack(socket: ReadySocket): void {
    const held = this.#putBack(socket);
    const { clock, onFree } = this.#options;
    if (held && this.#held.size > this.#share) this.#close(held);
    else if (clock.now() - this.#toldAt > lookAgain) void this.#tell(null);
    onFree();
  }

  /** Gives back a socket that was taken and not used. */
  putBack(socket: ReadySocket): void {
    this.#putBack(socket);
  }

  /** Closes all sockets, also those in use. */
  dispose(): void {
    this.#ended.abort();
    for (const held of [...this.#held]) this.#close(held);
  }

  #putBack(socket: ReadySocket): Held | undefined {
    const held = [...this.#held].find(({ opened }) => opened === socket);
    if (!held) return undefined;
    held.busy = false;
    if (held.opened?.socket.destroyed) {
      this.#close(held);
      return undefined;
    }
    held.idle = new AbortController();
    this.#closeLater(held, held.idle.signal).catch(() => {
      // Taken again, or closed already.
    });
    return held;
  }

  #idle(origin: string): ReadySocket | undefined {
    // A process that was suspended for longer than a window counts has lost its share.
    const isLost = this.#options.clock.now() - this.#toldAt > windowLife;
    for (const held of [...this.#held]) {
      if (held.busy || !held.opened) continue;
      if (isLost || held.opened.socket.destroyed) this.#close(held);
      else if (held.origin === origin) {
        held.busy = true;
        held.idle?.abort();
        return held.opened;
      }
    }
    return undefined;
  }

  #throwFailure(origin: string): void {
    const now = this.#options.clock.now();
    // The request that waited for an older one has been cancelled since.
    this.#failures = this.#failures.filter(({ at }) => at > now - failureFor);
    const at = this.#failures.findIndex((failure) => failure.origin === origin);
    const [failure] = at < 0 ? [] : this.#failures.splice(at, 1);
    if (failure) throw failure.error;
  }

  async #open(held: Held): Promise<void> {
    const { open, onFree, clock } = this.#options;
    const { origin } = held;
    void this.#beat();
    try {
      const opened = { origin, ...(await open(origin)) };
      held.opened = opened;
      // A socket that the server closes is given up, so that no request ever waits for another handshake.
      opened.socket.once('close', () => held.busy || this.#close(held));
      if (this.#held.has(held)) this.#putBack(opened);
      else await opened.dispatcher.destroy();
    } catch (error) {
      // An address that may not be connected to stays what it is: nobody is to try that again.
      this.#failures.push({ origin, at: clock.now(), error: error instanceof ApiError ? error : networkError(error) });
      this.#close(held);
    } finally {
      onFree();
    }
  }

  /** Closes an idle socket: soon while another to the same origin is idle too, else later. */
  async #closeLater(held: Held, signal: AbortSignal): Promise<void> {
    const { clock } = this.#options;
    await clock.sleep(keepOther, signal);
    const isSpare = [...this.#held].some((other) => other !== held && other.origin === held.origin && !other.busy);
    if (!isSpare) await clock.sleep(keepFirst - keepOther, signal);
    this.#close(held);
  }

  #close(held: Held): void {
    if (!this.#held.delete(held)) return;
    held.idle?.abort();
    held.opened?.dispatcher.destroy().catch(() => this.#options.logger.debug('A connection did not close in order.'));
    void this.#tell(null);
  }

  /** Tells the other windows what this one holds, reads its share, and says whether it may open one more. */
  async #tell(wants: Priority | null): Promise<boolean> {
    const { state, scope, clock, logger } = this.#options;
    try {
      const { granted, share } = await state.update(`${scope} windows`, (stored) => {
        // The socket that is wanted is held already.
        const sockets = this.#held.size - (wants ? 1 : 0);
        const { store, ...result } = shareSockets(
          stored,
          { id: this.#id, sockets, wants, share: state.share },
          clock.now(),
        );
        return { store, result };
      });
      this.#share = share;
      this.#toldAt = clock.now();
      const mine = this.#held.size - (wants && !granted ? 1 : 0);
      const idle = [...this.#held].filter(({ busy }) => !busy);
      for (const held of idle.slice(0, Math.max(0, mine - Math.max(1, share)))) this.#close(held);
      return granted;
    } catch (error) {
      if (wants) throw error;
      // What this window holds is told again soon.
      logger.debug('The other windows could not be told of the connections.');
      return false;
    }
  }

  async #beat(): Promise<void> {
    if (this.#beating) return;
    this.#beating = true;
    try {
      while (this.#held.size > 0) {
        await this.#options.clock.sleep(heartbeat, this.#ended.signal);
        await this.#tell(null);
      }
    } catch {
      // Closed.
    } finally {
      this.#beating = false;
    }
  }
}
