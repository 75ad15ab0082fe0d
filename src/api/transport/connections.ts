import { randomUUID } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { grantLease, type LeaseHolder, readLeases, renewLeases } from '../../base/leases.ts';
import type { Logger } from '../../base/logger.ts';
import type { SharedState } from '../../base/sharedState.ts';
import type { Priority } from './call.ts';
import type { ApiError } from './errors.ts';
import type { Opened } from './network.ts';
import { networkError } from './networkErrors.ts';
import type { Client } from './undici.ts';

/** A place for one socket. Taken for one request at a time, and given back. */
export interface Connection {
  readonly origin: string;
  readonly client: Client;
}

export interface ConnectionsOptions {
  readonly state: SharedState;
  /** Name of the service in the shared state. */
  readonly scope: string;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly holder: LeaseHolder;
  /** Opens a socket. */
  open(origin: string): Promise<Opened>;
  /** Called when a connection became free, or could not be opened. */
  onFree(): void;
}

/** The service takes at most 8 connections, files included (LIM-1). */
const places = 8;
const reserved = 1;
/** Sockets to one origin that may be under way to being opened. */
const mostOpening = 3;
/** How long a failure to open one is told, ms. */
const failureFor = 1000;
/** How long an idle socket is kept, ms: one to each origin for longer, so that the next click finds it open. */
const keepFirst = 4000;
const keepOther = 1000;

interface Held extends Connection {
  readonly id: string;
  readonly socket: Opened['socket'];
  expires: number;
  busy: boolean;
  /** Aborts the timer that closes it while idle. */
  idle: AbortController | null;
}

/**
 * The sockets of this process, never more than it holds places for in the shared state (LIM-1). A place that was lost
 * because the process slept too long takes its socket with it.
 */
export class Connections {
  readonly #options: ConnectionsOptions;
  readonly #held = new Set<Held>();
  readonly #opening: { readonly origin: string; readonly id: string; expires: number }[] = [];
  /** Why a socket could not be opened, until somebody who wanted it asks. */
  #failures: { readonly origin: string; readonly at: number; readonly error: ApiError }[] = [];
  readonly #ended = new AbortController();
  #renewing = false;

  constructor(options: ConnectionsOptions) {
    this.#options = options;
  }

  /**
   * An open and idle connection to the origin, or null: then one is being opened, or all places are taken. Background
   * requests leave one place to interactive ones, which would otherwise wait for a whole file. `wanted` is how many
   * requests wait for the origin. Throws `network` once for each socket that could not be opened just now.
   */
  async take(origin: string, priority: Priority, wanted = 1): Promise<Connection | null> {
    const idle = this.#idle(origin);
    if (idle) return this.#occupy(idle);
    this.#throwFailure(origin);
    const opening = this.#opening.filter((other) => other.origin === origin).length;
    if (opening >= Math.min(mostOpening, wanted)) return null;
    const lease = await this.#lease(priority);
    if (lease) this.#open(origin, lease);
    else this.#makeRoom(origin);
    return null;
  }

  #throwFailure(origin: string): void {
    const now = this.#options.clock.now();
    // Whoever waited for an older one has been cancelled since.
    this.#failures = this.#failures.filter(({ at }) => at > now - failureFor);
    const at = this.#failures.findIndex((failure) => failure.origin === origin);
    const [failure] = at < 0 ? [] : this.#failures.splice(at, 1);
    if (failure) throw failure.error;
  }

  async #lease(priority: Priority): Promise<{ id: string; expires: number } | null> {
    const { state, scope, holder, clock } = this.#options;
    const id = randomUUID();
    const now = clock.now();
    const granted = await state.update(`${scope} connections`, (stored) => {
      const shared = Math.floor(places * state.share);
      const most = Math.max(1, priority === 'background' ? shared - reserved : shared);
      const { granted, leases } = grantLease(readLeases(stored), most, id, holder, now);
      return { store: leases, result: granted };
    });
    return granted ? { id, expires: now + holder.ttl } : null;
  }

  async #open(origin: string, lease: { id: string; expires: number }): Promise<void> {
    const { open, onFree } = this.#options;
    const opening = { ...lease, origin };
    this.#opening.push(opening);
    this.#keepRenewing();
    try {
      const { client, socket } = await open(origin);
      const held: Held = { ...opening, client, socket, busy: false, idle: null };
      this.#held.add(held);
      // A socket that the server closes gives its place back, so that no request ever waits for another handshake.
      socket.once('close', () => !held.busy && this.#close(held));
      if (this.#ended.signal.aborted || socket.destroyed) await this.#close(held);
      else this.putBack(held);
    } catch (error) {
      this.#failures.push({ origin, at: this.#options.clock.now(), error: networkError(error) });
      await this.#release(lease.id);
    } finally {
      this.#opening.splice(this.#opening.indexOf(opening), 1);
      onFree();
    }
  }

  /** Ends the use of a connection; its socket stays open for a while. */
  giveBack(connection: Connection): void {
    this.putBack(connection);
    this.#options.onFree();
  }

  /** Gives back a connection that was taken and not used. */
  putBack(connection: Connection): void {
    const held = connection as Held;
    held.busy = false;
    if (!this.#held.has(held)) return;
    if (held.socket.destroyed) {
      this.#close(held);
      return;
    }
    const idle = new AbortController();
    held.idle = idle;
    this.#closeLater(held, idle.signal).catch(() => {
      // Taken again, or closed already.
    });
  }

  /** Closes all sockets, also those in use, and gives the places back. */
  async dispose(): Promise<void> {
    this.#ended.abort();
    await Promise.all([...this.#held].map((held) => this.#close(held)));
  }

  /** Closes an idle socket: soon while another to the same origin is idle too, else later. */
  async #closeLater(held: Held, signal: AbortSignal): Promise<void> {
    await this.#options.clock.sleep(keepOther, signal);
    const spare = [...this.#held].some((other) => other !== held && other.origin === held.origin && !other.busy);
    if (!spare) await this.#options.clock.sleep(keepFirst - keepOther, signal);
    await this.#close(held);
  }

  #idle(origin: string): Held | undefined {
    const now = this.#options.clock.now();
    for (const held of this.#held) {
      if (held.busy || held.origin !== origin || held.socket.destroyed) continue;
      if (held.expires > now) return held;
      // The process was suspended for longer than the place was its own.
      this.#close(held);
    }
    return undefined;
  }

  #occupy(held: Held): Held {
    held.busy = true;
    held.idle?.abort();
    held.idle = null;
    return held;
  }

  /** Another origin's idle socket makes way. */
  #makeRoom(origin: string): void {
    const other = [...this.#held].find((held) => !held.busy && held.origin !== origin);
    if (other) this.#close(other);
  }

  async #close(held: Held): Promise<void> {
    if (!this.#held.delete(held)) return;
    held.idle?.abort();
    held.socket.destroy();
    await held.client.destroy().catch(() => this.#options.logger.debug('A connection did not close in order.'));
    await this.#release(held.id);
  }

  async #release(id: string): Promise<void> {
    const { state, scope, logger } = this.#options;
    try {
      await state.update(`${scope} connections`, (stored) => ({
        store: readLeases(stored).filter((lease) => lease.id !== id),
        result: undefined,
      }));
    } catch {
      // The place runs out by itself.
      logger.debug('A connection could not be given back at once.');
    }
  }

  async #keepRenewing(): Promise<void> {
    if (this.#renewing) return;
    this.#renewing = true;
    const { clock, holder, logger } = this.#options;
    while (this.#held.size + this.#opening.length > 0 && !this.#ended.signal.aborted) {
      try {
        await clock.sleep(holder.ttl / 3, this.#ended.signal);
        await this.#renew();
      } catch {
        if (!this.#ended.signal.aborted) logger.debug('Connections could not be renewed.');
      }
    }
    this.#renewing = false;
  }

  async #renew(): Promise<void> {
    const { state, scope, clock, holder } = this.#options;
    const holding = [...this.#held, ...this.#opening];
    const ids = new Set(holding.map(({ id }) => id));
    if (ids.size === 0) return;
    const now = clock.now();
    const renewed = await state.update(`${scope} connections`, (stored) => {
      const { renewed, leases } = renewLeases(readLeases(stored), ids, holder.ttl, now);
      return { store: leases, result: renewed };
    });
    for (const held of holding) if (renewed.has(held.id)) held.expires = now + holder.ttl;
    for (const held of [...this.#held]) if (ids.has(held.id) && !renewed.has(held.id)) this.#close(held);
  }
}
