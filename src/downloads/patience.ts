import type { Clock } from '../base/clock.ts';
import { systemCode } from './diskProblem.ts';

/** How long a file that another program holds is waited for on Windows, and between tries; ms. */
const longestWait = 60_000;
const firstPause = 10;
const longestPause = 100;

/**
 * Runs a rename or removal again while a virus scanner or indexer holds the file, which on Windows shows as a refused
 * permission. Other systems give that error for good reasons, so there it is thrown at once.
 */
export async function patiently<T>(
  action: () => Promise<T>,
  clock: Clock,
  platform: NodeJS.Platform = process.platform,
): Promise<T> {
  const start = clock.monotonic();
  for (let pause = firstPause; ; pause = Math.min(pause + 10, longestPause)) {
    try {
      return await action();
    } catch (error) {
      const isHeld = ['EPERM', 'EBUSY', 'EACCES'].includes(systemCode(error) ?? '');
      if (platform !== 'win32' || !isHeld || clock.monotonic() - start >= longestWait) throw error;
      await clock.sleep(pause);
    }
  }
}
