/** True for the error that an aborted signal or a cancelled operation throws. */
export function isAbortError(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'Canceled');
}

/** One signal that aborts when any of the given ones does; `undefined` entries are left out. */
export function anySignal(...signals: (AbortSignal | undefined)[]): AbortSignal | undefined {
  const present = signals.filter((signal) => signal !== undefined);
  return present.length > 1 ? AbortSignal.any(present) : present[0];
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
