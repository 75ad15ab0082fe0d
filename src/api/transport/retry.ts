import type { Clock } from '../../base/clock.ts';
import { ApiError } from './errors.ts';

/** A wait before the next try of a call, for views that show it. Times are ms since the epoch. */
export interface RetryWait {
  readonly until: number;
  readonly reason: string;
  /** The try that failed, from 1. */
  readonly attempt: number;
}

export interface RetryOptions {
  readonly clock: Clock;
  /** From 0 up to 1, as `Math.random`. */
  readonly random: () => number;
  readonly onWait: (wait: RetryWait) => void;
}

/** How often a call is tried at most. */
export const maxTries = 5;
const firstDelay = 500;
const longestDelay = 30_000;
/** 0.5, 2, 8 and 30 s: the longest delays between five tries. */
const growth = 4;

const retried = new Set([429, 500, 502, 503, 504]);

/** True for what may go away by itself (ERR-3). Everything the client asks is a read, so that asking again is safe. */
export function mayRetry(error: unknown): error is ApiError {
  if (!(error instanceof ApiError)) return false;
  const { kind, status, permanent } = error.problem;
  return kind === 'network' ? !permanent : status !== undefined && retried.has(status);
}

/** How long to wait after the given failed try, in ms: exponential with full jitter. */
export function backoff(attempt: number, random: () => number): number {
  return random() * Math.min(longestDelay, firstDelay * growth ** (attempt - 1));
}

/**
 * Calls until it works, at most `tries` times. When the service said when to come back, `ask` itself is held until
 * then by the turns; otherwise the wait is here. Rejects with the signal's reason when it aborts first.
 */
export async function retrying<T>(
  ask: () => Promise<T>,
  tries: number,
  signal: AbortSignal | undefined,
  { clock, random, onWait }: RetryOptions,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ask();
    } catch (error) {
      signal?.throwIfAborted();
      if (attempt >= tries || !mayRetry(error)) throw error;
      const told = error.problem.retryAfter;
      const delay = told ?? backoff(attempt, random);
      onWait({ until: clock.now() + delay, reason: error.problem.cause, attempt });
      if (told === undefined) await clock.sleep(delay, signal);
    }
  }
}
