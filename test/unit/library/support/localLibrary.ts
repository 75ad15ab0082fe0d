import { Emitter } from '../../../../src/base/disposable.ts';
import { type Library, type LibraryMethods, withCalls } from '../../../../src/library/library.ts';
import { isNoChange, type LibraryChange } from '../../../../src/library/libraryChange.ts';
import type { LibraryStore } from '../../../../src/library/sqlite/sqliteStore.ts';
import type { LibraryStatus } from '../../../../src/library/store.ts';

/**
 * A library in the caller's own thread, for tests and benchmarks that have no event loop to keep free.
 */
export function localLibrary(store: LibraryStore): Library {
  const changes = new Emitter<LibraryChange>();
  const openings = new Emitter<LibraryStatus>();

  const withSignal = <T extends object>(own: T, signal: AbortSignal | undefined) =>
    withCalls(own, async (name: keyof LibraryMethods, values) => {
      signal?.throwIfAborted();
      const method = store[name] as (...values: readonly unknown[]) => unknown;
      const value = method(...structuredClone(values));
      const change = (value as { readonly change?: LibraryChange } | null)?.change;
      if (change && !isNoChange(change)) changes.fire(change);
      return value;
    });

  return withSignal(
    {
      withSignal: (signal: AbortSignal | undefined) => withSignal({}, signal),
      onDidChange: changes.event,
      onDidOpen: openings.event,
      async dispose() {
        store.close();
        changes.dispose();
        openings.dispose();
      },
    },
    undefined,
  );
}
