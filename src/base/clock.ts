import type { Disposable } from './disposable.ts';

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

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  async sleep(ms, signal) {
    for (let left = ms; left > 0; left -= longestTimer) await sleepOnce(Math.min(left, longestTimer), signal);
    signal?.throwIfAborted();
  },
};

/** A time of the service in ms since the epoch, NaN for none. One without a zone is UTC. */
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

/** Aborts when any of the given does, until `unlink`. `AbortSignal.any` would leak on long-lived signals. */
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

/** The shortest wait after the last reason, and the longest after the first, in ms. */
const shortest = 300;
const longest = 2000;

/** Runs once after several reasons, when they pause. Slow work runs less often: a tenth of the time at most. */
export class Soon implements Disposable {
  readonly #run: () => Promise<unknown>;
  readonly #maxWait: number;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #since = 0;
  #spent = 0;

  /** @param maxWait the longest wait in ms, however long it takes */
  constructor(run: () => Promise<unknown>, maxWait = Number.POSITIVE_INFINITY) {
    this.#run = run;
    this.#maxWait = maxWait;
  }

  ask(): void {
    const now = performance.now();
    if (this.#timer === undefined) this.#since = now;
    clearTimeout(this.#timer);
    const seldom = this.#spent * 10;
    const pause = Math.min(this.#maxWait, Math.max(shortest, seldom));
    const patience = Math.min(this.#maxWait, Math.max(longest, seldom));
    const wait = Math.min(pause, Math.max(0, this.#since + patience - now));
    this.#timer = setTimeout(() => void this.#go(), wait);
  }

  async now(): Promise<void> {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    await this.#go();
  }

  dispose(): void {
    clearTimeout(this.#timer);
  }

  async #go(): Promise<void> {
    this.#timer = undefined;
    const start = performance.now();
    await this.#run();
    this.#spent = performance.now() - start;
  }
}
