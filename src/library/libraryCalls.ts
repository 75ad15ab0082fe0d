import type { LibraryCalls } from './library.ts';
import { type LibraryMethods, libraryMethods } from './libraryMethods.ts';

/** Carries out one call, in whichever thread. */
export type Call = (
  method: keyof LibraryMethods,
  values: readonly unknown[],
  signal: AbortSignal | undefined,
) => Promise<unknown>;

/** Every method of a library as a call that a signal gives up. */
export function callsOf(call: Call, signal: AbortSignal | undefined): LibraryCalls {
  const calls: Record<string, unknown> = {};
  for (const name in libraryMethods) {
    calls[name] = (...values: unknown[]) => call(name as keyof LibraryMethods, values, signal);
  }
  return calls as unknown as LibraryCalls;
}
