/** Time as the product sees it. Everything that waits or stamps takes one, so that tests never sleep. */
export interface Clock {
  /** Wall-clock time in ms since the epoch. */
  now(): number;
  /** Time in ms that never goes backwards; only differences mean anything. */
  monotonic(): number;
  /** Resolves after `ms`; rejects with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

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
