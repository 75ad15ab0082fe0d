import { Emitter } from '../../../../src/base/disposable.ts';
import type { Library, LibraryMethods } from '../../../../src/library/library.ts';
import { isNoChange, type LibraryChange } from '../../../../src/library/libraryChange.ts';
import { type CallLibrary, callsOf } from '../../../../src/library/messages.ts';
import type { LibraryStore } from '../../../../src/library/sqlite/sqliteStore.ts';
import type { LibraryStatus } from '../../../../src/library/store.ts';

/**
 * A library in the caller's own thread, for tests and benchmarks that have no event loop to keep free.
 */
export function localLibrary(store: LibraryStore): Library {
  const changes = new Emitter<LibraryChange>();
  const openings = new Emitter<LibraryStatus>();

  const call: CallLibrary = async (name, values, signal) => {
    signal?.throwIfAborted();
    const method = store[name as keyof LibraryMethods] as (...values: readonly unknown[]) => unknown;
    const value = method(...(structuredClone(values) as unknown[]));
    const change = (value as { readonly change?: LibraryChange } | null)?.change;
    if (change && !isNoChange(change)) changes.fire(change);
    return value as never;
  };

  const withSignal = (signal: AbortSignal | undefined) => callsOf(call, signal);

  return {
    ...withSignal(undefined),
    withSignal,
    onDidChange: changes.event,
    onDidOpen: openings.event,
    async dispose() {
      store.close();
      changes.dispose();
      openings.dispose();
    },
  };
}
