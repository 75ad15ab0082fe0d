import * as z from 'zod/mini';
import type { Clock } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import type { SharedState } from '../../base/sharedState.ts';
import type { Priority } from '../schemas/page.ts';
import type { Wire } from './network.ts';

/** One of the connections that this window may have. */
export interface Slot {
  readonly origin: string;
  readonly wire: Wire;
  /** One that is asked for does not count until it is granted; one that is being closed counts until it is. */
  state: 'asking' | 'opening' | 'idle' | 'busy' | 'closing';
  /** When its last use ended, ms. */
  idleSince: number;
}

export interface SlotsOptions {
  readonly state: SharedState;
  /** Name of the service in the shared state. */
  readonly scope: string;
  readonly clock: Clock;
  readonly logger: Logger;
  connect(origin: string): Wire;
  /** Called when a slot became free. */
  onFree(): void;
  /** Called when no connection could be opened to an origin to which there is none. */
  onFail(origin: string, error: unknown): void;
}

/** How often a window with connections shows the others that it lives, and looks how many they are, ms. */
const heartbeat = 1000;
/** How long an idle slot is kept, so that the next click finds its connection open, ms. */
const keepIdle = 4000;
/** Connections to one origin that are opened at once. */
const maxOpening = 3;
/** How long an origin that refuses one connection more is not asked for another, ms. */
const afterRefusal = 1000;

/**
 * The connections of this window: never more than its share of those that all windows may have (LIM-1). A window counts
 * while it has one. Each connection is counted before it is opened: if the number of windows alone gave the shares, all
 * would have more than 8 together from the ninth window on, and when one appears while the others, which have not seen
 * it yet, hold 8 in the middle of their files. Told each second, so that a new window waits no longer for its share.
 */
export class Slots {
  readonly #options: SlotsOptions;
  readonly #id: string;
  readonly #slots = new Set<Slot>();
  readonly #ended = new AbortController();
  #share = 1;
  /** When the others were last told what this window has. */
  #toldAt = Number.NEGATIVE_INFINITY;
  #isBeating = false;

  constructor(options: SlotsOptions) {
    this.#options = options;
    this.#id = options.state.holder();
  }

  /** A connection to the origin that is open and idle, if there is one. It is to be given back. */
  use(origin: string): Slot | null {
    this.#dropLost();
    for (const slot of this.#in('idle')) if (!slot.wire.isOpen) void this.#close(slot);
    const [idle = null] = this.#in('idle').filter((slot) => slot.origin === origin);
    if (idle) idle.state = 'busy';
    return idle;
  }

  /** Opens connections for waiting requests, where there is room, so that none waits for a handshake in its turn. */
  prepare(origin: string, priority: Priority, waiting: number): void {
    const coming = this.#in('asking', 'opening', 'idle').filter((slot) => slot.origin === origin).length;
    for (let count = coming; count < Math.min(maxOpening, waiting); count++) void this.#open(origin, priority);
  }

  /** Ends the use of a slot; its connection stays open for a while where other windows don't need it more. */
  giveBack(slot: Slot): void {
    this.putBack(slot);
    if (this.#in('idle', 'busy').length > this.#share || !slot.wire.isOpen) void this.#close(slot);
    else this.#options.onFree();
  }

  /** Gives back a slot that nothing was sent over. */
  putBack(slot: Slot): void {
    if (slot.state === 'closing') return;
    slot.state = 'idle';
    slot.idleSince = this.#options.clock.monotonic();
  }

  /** Closes all connections, also those in use. The other windows are told at once: this one may not live to see it. */
  dispose(): void {
    this.#ended.abort();
    void this.#tell(null);
    for (const slot of this.#slots) void this.#close(slot);
  }

  #in(...states: readonly Slot['state'][]): Slot[] {
    return [...this.#slots].filter(({ state }) => states.includes(state));
  }

  /** A process that was suspended for longer than a window counts has lost its share. */
  #dropLost(): void {
    if (this.#isLost) for (const slot of this.#in('idle')) void this.#close(slot);
  }

  get #isLost(): boolean {
    return this.#options.clock.now() - this.#toldAt > windowLife;
  }

  async #open(origin: string, priority: Priority): Promise<void> {
    if (this.#ended.signal.aborted) return;
    const { connect, clock, onFail } = this.#options;
    const slot: Slot = { origin, wire: connect(origin), state: 'asking', idleSince: 0 };
    this.#slots.add(slot);
    try {
      if (!(await this.#tell({ slot, priority }))) {
        this.#slots.delete(slot);
        // Another origin's idle connection makes way for the next look.
        const other = this.#in('idle').find((idle) => idle.origin !== origin);
        if (other && this.#in('closing').length === 0) void this.#close(other);
        return;
      }
      void this.#beat();
      await slot.wire.open();
      // Even a window beyond its share uses it once.
      this.putBack(slot);
      this.#options.onFree();
    } catch (error) {
      const isServed = this.#in('idle', 'busy').some((other) => other.origin === origin);
      if (isServed) await clock.sleep(afterRefusal, this.#ended.signal).catch(() => {});
      else onFail(origin, error);
      await this.#close(slot);
    }
  }

  async #close(slot: Slot): Promise<void> {
    slot.state = 'closing';
    await slot.wire.close();
    this.#slots.delete(slot);
    await this.#tell(null);
    this.#options.onFree();
  }

  /** Tells the other windows what this one has, reads its share, and says whether it may have the one it asks for. */
  async #tell(asked: { readonly slot: Slot; readonly priority: Priority } | null): Promise<boolean> {
    const { state, scope, clock, logger } = this.#options;
    const isLost = this.#isLost;
    try {
      const { granted, share, excess } = await state.update(`${scope} windows`, (stored) => {
        const slot = asked?.slot.state === 'closing' ? undefined : asked?.slot;
        if (slot) slot.state = 'asking';
        // Others that are asked for at the same time may be refused: they count once they are granted.
        const held = [...this.#slots].filter((one) => one.state !== 'asking').length;
        const sockets = this.#ended.signal.aborted ? 0 : held;
        const wish = { id: this.#id, sockets, wants: slot && asked ? asked.priority : null, share: state.share };
        // A window that can't see the others forgets what it knew of them.
        const { store, ...result } = shareSlots(state.isBlind ? undefined : stored, wish, clock.now(), state.isGone);
        if (slot && result.granted) slot.state = 'opening';
        return { store, result };
      });
      this.#share = share;
      this.#toldAt = clock.now();
      const beyond = this.#in('idle', 'busy').length - Math.max(1, share);
      const idle = this.#in('idle').slice(0, Math.max(0, beyond));
      // Work under way is cut off only where all windows together exceed the limit: down to the share, or as far as
      // needed in a window that has lost its own.
      const over = excess - this.#in('closing').length;
      const busy = this.#in('busy').slice(0, Math.max(0, (isLost ? over : Math.min(beyond, over)) - idle.length));
      for (const slot of [...idle, ...busy]) void this.#close(slot);
      return granted && asked?.slot.state === 'opening';
    } catch (error) {
      if (asked) throw error;
      // What this window has is told again soon.
      logger.debug('The other windows could not be told of the connections.');
      return false;
    }
  }

  /** Shows that this window lives while it has connections, and closes those that nobody needs. */
  async #beat(): Promise<void> {
    if (this.#isBeating) return;
    this.#isBeating = true;
    const { clock } = this.#options;
    try {
      while (this.#slots.size > 0) {
        await clock.sleep(heartbeat, this.#ended.signal);
        this.#dropLost();
        for (const slot of this.#in('idle')) if (clock.monotonic() - slot.idleSince >= keepIdle) void this.#close(slot);
        await this.#tell(null);
      }
    } catch {
      // Closed.
    } finally {
      this.#isBeating = false;
    }
  }
}

/** The service takes at most 8 connections, files included (LIM-1). */
const maxSlots = 8;
/** How long a window counts that no longer shows that it lives, ms. */
const windowLife = 15_000;

const windowsSchema = z.record(z.string(), z.object({ seen: z.number(), sockets: z.number() }));

/** What a window has, and whether it wants one slot more. */
interface SlotWish {
  /** Names the window. */
  readonly id: string;
  readonly sockets: number;
  /** The priority of the request that wants another; null when none does. */
  readonly wants: Priority | null;
  /** The part of the limit that may be used, 0 to 1. */
  readonly share: number;
}

/**
 * Divides the connections among the windows at work: each may have an even share, and never more than are left, since a
 * window whose share shrinks first ends what it has begun. From the ninth window on the share is 0: a window then gives
 * up each connection after one request, for the next to take. Returns the windows, with this one unless it has and
 * wants nothing, and `excess`: by how much all together exceed the limit, as after one of them stood still, or where
 * one can't see the others.
 */
export function shareSlots(stored: unknown, wish: SlotWish, now: number, isGone: SharedState['isGone'] = () => false) {
  const { data = {} } = windowsSchema.safeParse(stored);
  const others = Object.entries(data).filter(
    ([id, { seen }]) => id !== wish.id && Math.abs(now - seen) < windowLife && !isGone(id),
  );
  const limit = Math.max(1, Math.floor(maxSlots * wish.share));
  const share = Math.floor(limit / (others.length + 1));
  const used = others.reduce((sum, [, { sockets }]) => sum + sockets, wish.sockets);
  // Background work leaves one to interactive requests, which would otherwise wait for a whole file.
  const kept = wish.wants === 'background' && limit > 1 ? 1 : 0;
  const granted =
    wish.wants !== null && used < limit - kept && wish.sockets < Math.max(1, Math.min(share, limit - kept));
  const sockets = wish.sockets + (granted ? 1 : 0);
  const mine = sockets > 0 || wish.wants ? [[wish.id, { seen: now, sockets }] as const] : [];
  return { store: Object.fromEntries([...others, ...mine]), granted, share, excess: used - limit };
}
