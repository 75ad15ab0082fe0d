import { availableParallelism } from 'node:os';
import { FileReaders } from '../downloads/readers.ts';
import type { CommandContext, CommandOutcome } from './context.ts';

/** More threads than this read no disk any faster. */
const maxThreads = 4;

/**
 * Reads every PDF of the lock and compares its hash with the lock's; no network and no key. It adds what the service
 * last published only where the account's library is on this machine and the lock is of its service.
 */
export async function verify(context: CommandContext): Promise<CommandOutcome> {
  const threads = Math.min(maxThreads, availableParallelism());
  const readers = context.store.add(new FileReaders(threads - 1));
  // The threads start while this one loads the rest and reads the lock.
  const { compare } = await import('./check.ts');
  return compare(context, readers);
}
