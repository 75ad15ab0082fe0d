import { isObject } from './json.ts';

/** One of a limited number of places, held for a while. Times are ms since the epoch. */
export interface Lease {
  readonly id: string;
  readonly pid: number;
  /** Names the machine and start of the system, so that a pid is only asked about where it means something. */
  readonly host: string;
  readonly expires: number;
}

/** The leases that are stored; what is none is left out. */
export function readLeases(stored: unknown): readonly Lease[] {
  return Array.isArray(stored) ? stored.filter(isLease) : [];
}

function isLease(value: unknown): value is Lease {
  if (!isObject(value)) return false;
  const { id, pid, host, expires } = value;
  return typeof id === 'string' && Number.isInteger(pid) && typeof host === 'string' && Number.isFinite(expires);
}

/** Who asks for a place, and for how long he holds it without renewing. */
export interface LeaseHolder {
  readonly pid: number;
  readonly host: string;
  readonly ttl: number;
  /** Whether a process of this host still runs. */
  isAlive(pid: number): boolean;
}

/**
 * A place out of `places`, if one is free: leases that ran out are gone, those of dead processes too. The leases are
 * given back with the new one among them, or without it when all places are taken.
 */
export function grantLease(
  leases: readonly Lease[],
  places: number,
  id: string,
  holder: LeaseHolder,
  now: number,
): { readonly granted: boolean; readonly leases: readonly Lease[] } {
  // A clock that was set back would keep leases for longer than anyone may hold them.
  let held = leases.filter((lease) => lease.expires > now && lease.expires <= now + 2 * holder.ttl);
  if (held.length >= places) {
    held = held.filter((lease) => lease.host !== holder.host || lease.pid === holder.pid || holder.isAlive(lease.pid));
  }
  if (held.length >= places) return { granted: false, leases: held };
  const lease = { id, pid: holder.pid, host: holder.host, expires: now + holder.ttl };
  return { granted: true, leases: [...held, lease] };
}

/** Prolongs those of the given leases that are still held, and says which they are. */
export function renewLeases(
  leases: readonly Lease[],
  ids: ReadonlySet<string>,
  ttl: number,
  now: number,
): { readonly renewed: ReadonlySet<string>; readonly leases: readonly Lease[] } {
  const renewed = new Set<string>();
  const result = leases.map((lease) => {
    if (!ids.has(lease.id) || lease.expires <= now) return lease;
    renewed.add(lease.id);
    return { ...lease, expires: now + ttl };
  });
  return { renewed, leases: result };
}
