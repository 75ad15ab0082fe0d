import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { type Clock, linkSignals, systemClock } from '../base/clock.ts';
import { isObject } from '../base/json.ts';
import type { SharedState } from '../base/sharedState.ts';
import { sharedMachineState } from './machineState.ts';

interface LeaseOptions {
  /** How long the lease lasts without being renewed, in ms. It is renewed three times as often. */
  readonly ttl?: number;
  /** Ends the waiting with the signal's reason, and aborts the signal that the work gets. */
  readonly signal?: AbortSignal | undefined;
}

/** Aborts work whose lease another process took over, as after a suspension that lasted longer than the lease. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

export interface Leases {
  /**
   * Waits until the name is free, then runs the work. Its signal aborts with a {@link LeaseLost} when the lease is
   * lost.
   * @throws what the work throws, or the signal's reason while it waits
   */
  lease<T>(name: string, work: (signal: AbortSignal) => Promise<T>, options?: LeaseOptions): Promise<T>;
  /** The same without waiting: undefined when another holds the name. */
  leaseIfFree<T>(
    name: string,
    work: (signal: AbortSignal) => Promise<T>,
    options?: LeaseOptions,
  ): Promise<{ readonly result: T } | undefined>;
  /** Whether somebody holds the name now, this process included. */
  isLeased(name: string): Promise<boolean>;
}

const defaultTtl = 30_000;
/** A lease that ends later than this was written before the clock was set back, and counts as ended, in ms. */
const longestTtl = 10 * 60_000;
/** First and longest pause between two attempts to get a lease, in ms. */
const shortestPause = 10;
const longestPause = 200;

interface LeaseRow {
  readonly holder: string;
  /** ms since the epoch. */
  readonly until: number;
}

/**
 * Leases of names among all processes of this user. The leases of a process that has ended are free.
 */
export function leases(state: SharedState, clock: Clock): Leases {
  /** Takes, renews or (with a ttl of 0) gives back a lease; false when another holds it. */
  const change = (name: string, holder: string, ttl: number) =>
    state.update(rowName(name), (stored) => {
      const held = heldIn(stored, clock.now());
      if (held && held.holder !== holder) return { result: false };
      if (ttl === 0) return { store: null, result: true };
      return { store: { holder, until: clock.now() + ttl }, result: true };
    });

  const renew = async (name: string, holder: string, ttl: number, lost: AbortController) => {
    for (let until = clock.now() + ttl; ; ) {
      await clock.sleep(ttl / 3, lost.signal);
      const end = clock.now() + ttl;
      try {
        if (!(await change(name, holder, ttl))) break;
        until = end;
      } catch {
        // A database that is busy or full is tried again while some of the lease is left.
        if (clock.now() >= until) break;
      }
    }
    lost.abort(new LeaseLost(`Another process took over ${name}.`));
  };

  const holding = async <T>(
    name: string,
    holder: string,
    work: (signal: AbortSignal) => Promise<T>,
    { ttl = defaultTtl, signal }: LeaseOptions,
  ): Promise<T> => {
    const lost = new AbortController();
    const { signal: both, unlink } = linkSignals(signal, lost.signal);
    // Ends with its signal alone.
    const renewing = renew(name, holder, ttl, lost).catch(() => {});
    try {
      return await work(both);
    } finally {
      unlink();
      lost.abort();
      await renewing;
      // One that can't be given back ends by itself.
      await change(name, holder, 0).catch(() => false);
    }
  };

  return {
    async lease(name, work, options = {}) {
      const holder = leaseHolder();
      const { ttl = defaultTtl, signal } = options;
      for (let pause = shortestPause; !(await change(name, holder, ttl)); pause = Math.min(2 * pause, longestPause))
        await clock.sleep(pause * (0.5 + Math.random()), signal);
      return holding(name, holder, work, options);
    },
    async leaseIfFree(name, work, options = {}) {
      const holder = leaseHolder();
      if (!(await change(name, holder, options.ttl ?? defaultTtl))) return undefined;
      return { result: await holding(name, holder, work, options) };
    },
    isLeased: (name) => state.update(rowName(name), (stored) => ({ result: heldIn(stored, clock.now()) !== null })),
  };
}

let shared: Leases | undefined;

/** The leases that all windows and command lines of this user share. */
export function machineLeases(): Leases {
  shared ??= leases(sharedMachineState(), systemClock);
  return shared;
}

const rowName = (name: string) => `lease ${name}`;

/** Who holds a lease; null when nobody does any longer. */
function heldIn(stored: unknown, now: number): LeaseRow | null {
  const { holder, until } = isObject(stored) ? stored : {};
  if (typeof holder !== 'string' || typeof until !== 'number') return null;
  return until > now && until <= now + longestTtl && !isHolderGone(holder) ? { holder, until } : null;
}

/** A name for this window as the holder of a lease: machine, process, its start, and the part of it. */
export function leaseHolder(): string {
  return `${hostname()} ${process.pid} ${startOf(process.pid) ?? '-'} ${randomUUID()}`;
}

/**
 * True when the holder was a process of this computer and has ended. A holder that can't be checked counts as alive.
 */
export function isHolderGone(holder: string): boolean {
  const [host, pid, start = ''] = holder.split(' ');
  if (host !== hostname() || pid === undefined || !/^[1-9]\d*$/.test(pid)) return false;
  // A container that starts again has the same name, and its processes the same numbers.
  const present = /^\d+$/.test(start) ? startOf(Number(pid)) : undefined;
  if (present !== undefined) return present !== start;
  if (Number(pid) === process.pid) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'ESRCH';
  }
}

/** When a process of this machine started, in the ticks that Linux counts; undefined where that can't be told. */
function startOf(pid: number): string | undefined {
  try {
    // Its name, in brackets, may hold blanks and brackets.
    return readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ')[19];
  } catch {
    return undefined;
  }
}
