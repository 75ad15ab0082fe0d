import { type Clock, isAbortError } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { DiskProblem, type DiskProblemCode } from './diskProblem.ts';
import { hashOpenFile } from './fileHash.ts';
import { type FileThere, openUnfinished, type PlaceAt } from './place.ts';
import type { ContentStore } from './ports.ts';

interface CopyPorts {
  readonly clock: Clock;
  readonly logger: Logger;
  readonly stores?: readonly ContentStore[] | undefined;
}

/** What is wrong with the place itself. Anything else may be the store's, and then the next source is tried. */
const decisive: ReadonlySet<DiskProblemCode> = new Set(['symlink', 'outside', 'foreign', 'in-the-way', 'no-space']);

/**
 * Puts bytes that some store has already in their place, after hashing the copy. Undefined when no store has them; a
 * store whose copy fails or holds other bytes is told and the next one is asked.
 * @throws DiskProblem when the place itself is not free
 */
export async function copyFrom(
  sha256: string,
  at: PlaceAt,
  mayReplace: readonly string[],
  { stores = [], clock, logger }: CopyPorts,
  signal?: AbortSignal,
): Promise<FileThere | undefined> {
  for (const store of stores) {
    try {
      const from = await store.find(sha256);
      if (from === undefined) continue;
      const copied = await copyChecked(from, sha256, at, mayReplace, clock, signal);
      if (copied) return copied;
      await store.reject?.(sha256);
    } catch (error) {
      if (isAbortError(error) || signal?.aborted || (error instanceof DiskProblem && decisive.has(error.code)))
        throw error;
      logger.warn(`A kept copy could not be used: ${error instanceof Error ? error.name : 'unknown error'}`);
    }
  }
  return undefined;
}

async function copyChecked(
  from: string,
  sha256: string,
  at: PlaceAt,
  mayReplace: readonly string[],
  clock: Clock,
  signal?: AbortSignal,
): Promise<FileThere | undefined> {
  const unfinished = await openUnfinished(at, clock, { from });
  try {
    const found = await hashOpenFile(unfinished.file, signal);
    if (found.sha256 !== sha256) return undefined;
    await unfinished.commit([...mayReplace, sha256]);
    return found;
  } finally {
    await unfinished.discard();
  }
}
