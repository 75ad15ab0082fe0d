import { Emitter } from '../base/disposable.ts';
import type { Library } from './library.ts';
import { callsOf } from './libraryCalls.ts';
import { isNoChange, type LibraryChange } from './libraryChange.ts';
import { type LibraryMethods, methodsOf } from './libraryMethods.ts';
import type { LibraryStatus, LibraryStore } from './store.ts';

/** A library in the caller's own thread: for tools and tests that have no event loop to keep free. */
export function localLibrary(store: LibraryStore): Library {
  const changes = new Emitter<LibraryChange>();
  const openings = new Emitter<LibraryStatus>();
  const methods = methodsOf(store);

  const call = async (name: keyof LibraryMethods, values: readonly unknown[], signal: AbortSignal | undefined) => {
    signal?.throwIfAborted();
    const method = methods[name] as (...values: readonly unknown[]) => unknown;
    const value = method(...values);
    const change = (value as { readonly change?: LibraryChange } | null)?.change;
    if (change && !isNoChange(change)) changes.fire(change);
    return value;
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
