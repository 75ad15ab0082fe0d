import type { Clock } from '../../base/clock.ts';
import type { Library } from '../library.ts';

/** How long a lease lasts without renewal, in ms; a window that dies frees it by then. */
const leaseTime = 60_000;

/**
 * Runs `work` while this window is the one that syncs; null when another is. The lease is renewed meanwhile. Losing
 * it, after a long suspension for one, aborts the work's signal; every write checks the generation besides.
 */
export async function withLease<T>(
  library: Library,
  holder: string,
  clock: Clock,
  signal: AbortSignal | undefined,
  work: (generation: number, signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const lease = await library.withSignal(signal).acquireLease(holder, leaseTime);
  if (!lease) return null;
  const ended = new AbortController();
  const lost = new AbortController();
  const renewal = renew(library, lease.generation, clock, ended.signal, lost);
  try {
    return await work(lease.generation, signal ? AbortSignal.any([signal, lost.signal]) : lost.signal);
  } finally {
    ended.abort();
    await renewal;
    // A lease that can't be released runs out by itself; what the work threw matters more.
    await library.releaseLease(lease.generation).catch(() => undefined);
  }
}

async function renew(
  library: Library,
  generation: number,
  clock: Clock,
  ended: AbortSignal,
  lost: AbortController,
): Promise<void> {
  while (!ended.aborted) {
    try {
      await clock.sleep(leaseTime / 3, ended);
      await library.renewLease(generation, leaseTime);
    } catch (error) {
      // Once the work has ended, that is all that the error says.
      if (!ended.aborted) lost.abort(error);
      return;
    }
  }
}
