import type { Event } from '../base/disposable.ts';
import type { LibraryChange } from './libraryChange.ts';
import type { LibraryStore } from './sqlite/sqliteStore.ts';
import type { LibraryStatus } from './store.ts';

/** What a store does for its own thread alone. */
type Hidden = 'status' | 'file' | 'close' | 'poll' | 'recordsAside' | 'applyListPage' | 'applyFeedPage';

/** Everything that can be asked of a library, whichever thread it lives in. */
export type LibraryMethods = Omit<LibraryStore, Hidden>;

export type LibraryCalls = {
  readonly [Name in keyof LibraryMethods]: (
    ...values: Parameters<LibraryMethods[Name]>
  ) => Promise<ReturnType<LibraryMethods[Name]>>;
};

/**
 * The library on this machine, as the rest of the product sees it. Nothing is opened before the first call. Calls
 * reject with a `LibraryError`, or with the signal's reason once it aborts.
 */
export interface Library extends LibraryCalls {
  /** The same calls, given up when the signal aborts. Calls under way are finished; its result is dropped. */
  withSignal(signal: AbortSignal | undefined): LibraryCalls;
  /** What changed, whichever window changed it. */
  readonly onDidChange: Event<LibraryChange>;
  /** Fires when it has opened or waits for another window, and again when a damaged file made it begin anew. */
  readonly onDidOpen: Event<LibraryStatus>;
  /** Closes it. Calls under way reject. */
  dispose(): Promise<void>;
}

export interface WorkerOptions {
  readonly path: string;
  /** How often other windows' writes are looked for, in ms; 0 for never. */
  readonly pollInterval: number;
}
