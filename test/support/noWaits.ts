import { mock } from 'node:test';
import { systemClock } from '../../src/base/clock.ts';

/** What the product waits for by its own clock comes at once in the tests around: after what is ready has run. */
export function withoutWaits(): void {
  beforeEach(() => {
    mock.method(systemClock, 'sleep', async (_ms: number, signal?: AbortSignal) => {
      signal?.throwIfAborted();
      await new Promise((resolve) => setImmediate(resolve));
      signal?.throwIfAborted();
    });
  });
  afterEach(() => mock.restoreAll());
}
