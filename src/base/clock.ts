/** Time as the product sees it. Everything that waits or stamps takes one, so that tests never sleep. */
export interface Clock {
  /** Wall-clock time in ms since the epoch. */
  now(): number;
  /** Time in ms that never goes backwards; only differences mean anything. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A longer wait, in ms, is nearly always a mistake: requests fail at once, until a person ends it or it is over. */
export const maxWait = 24 * 3_600_000;

/** Node clamps longer timers to 1 ms, so long waits are cut into pieces of this many ms. */
const longestTimer = 0x7fff_ffff;

/** The machine's own clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(ms, signal) {
    for (let left = ms; left > 0; left -= longestTimer) await sleepOnce(Math.min(left, longestTimer), signal);
    signal?.throwIfAborted();
  },
};

/**
 * A time of the service in ms since the epoch, NaN for none. Its times are UTC, so one that names no zone is, too, and
 * not this machine's.
 */
export function utcTime(iso: string): number {
  const text = iso.trim();
  const namesNoZone = /\d:\d\d(?::\d\d(?:[.,]\d+)?)?$/.test(text) && !/[+-]\d\d:\d\d$/.test(text);
  return Date.parse(namesNoZone ? `${text}Z` : text);
}

function sleepOnce(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}

/** Lets everything else have its turn whenever long work has held the thread for this many ms. */
export function breather(longest = 10): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < longest) return undefined;
    return new Promise<void>((resolve) => setImmediate(resolve)).then(() => {
      since = performance.now();
    });
  };
}

/** The result of work, or the signal's reason once it aborts; the work itself goes on. */
export function unlessAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const ended = new AbortController();
  const { promise, reject } = Promise.withResolvers<never>();
  if (signal.aborted) reject(signal.reason);
  signal.addEventListener('abort', () => reject(signal.reason), { signal: ended.signal });
  return Promise.race([work, promise]).finally(() => ended.abort());
}

/** True for the error that an aborted signal or a cancelled operation throws. */
export function isAbortError(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'Canceled');
}

/**
 * One signal that aborts when any of the given ones does, until `unlink` is called. Unlike `AbortSignal.any` it leaves
 * nothing behind on signals that live as long as the product.
 */
export function linkSignals(...signals: (AbortSignal | undefined)[]): { signal: AbortSignal; unlink(): void } {
  const controller = new AbortController();
  const abort = (event: Event) => controller.abort((event.target as AbortSignal).reason);
  for (const signal of signals) {
    if (signal?.aborted) controller.abort(signal.reason);
    else signal?.addEventListener('abort', abort, { once: true });
  }
  return {
    signal: controller.signal,
    unlink() {
      for (const signal of signals) signal?.removeEventListener('abort', abort);
    },
  };
}
