import type { Services } from '../../app/session.ts';
import { type Logger, silentLogger } from '../../base/logger.ts';
import type { Upstream } from '../../downloads/ports.ts';
import { upstreamIn } from '../../downloads/verify.ts';
import { LibraryError } from '../../library/libraryError.ts';

/** What the library knows; or what stands for it where the library can't be opened or read. */
export async function orWithout<T>(log: Logger, otherwise: T, look: () => Promise<T>): Promise<T> {
  try {
    return await look();
  } catch (error) {
    if (!(error instanceof LibraryError)) throw error;
    log.warn(`The library was not asked: ${error.message}`);
    return otherwise;
  }
}

/**
 * What the library on this machine knows of reports at the service, in one question; nothing where it can't be opened
 * or read, since the files are checked all the same.
 */
export async function upstream(
  services: Services,
  reportIds: readonly number[],
  signal?: AbortSignal,
  log: Logger = silentLogger,
): Promise<ReadonlyMap<number, Upstream>> {
  const nothing: ReadonlyMap<number, Upstream> = new Map();
  if (!('connection' in services.session)) return nothing;
  return orWithout(log, nothing, async () => upstreamIn((await services.library()).library, reportIds, signal));
}
