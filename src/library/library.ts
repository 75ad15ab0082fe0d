import type { Event } from '../base/disposable.ts';
import type { LibraryChange } from './libraryChange.ts';
import type { LibraryMethods } from './libraryMethods.ts';
import type { LibraryStatus } from './store.ts';

/** Every method of a library as a promise. */
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
  /** The same calls, given up when the signal aborts. What has begun is finished; its result is dropped. */
  withSignal(signal: AbortSignal | undefined): LibraryCalls;
  /** What changed, whichever window changed it. */
  readonly onDidChange: Event<LibraryChange>;
  /** Fires when it has been opened, and again when a damaged file made it begin anew. */
  readonly onDidOpen: Event<LibraryStatus>;
  /** Closes it. Calls under way reject. */
  dispose(): Promise<void>;
}
