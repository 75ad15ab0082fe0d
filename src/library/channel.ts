import type { LibraryChange } from './libraryChange.ts';
import type { LibraryProblem } from './libraryError.ts';
import type { LibraryMethods } from './libraryMethods.ts';
import type { LibraryStatus } from './store.ts';

/** What the library's thread is asked. */
export type Request =
  | {
      readonly kind: 'call';
      readonly id: number;
      readonly method: keyof LibraryMethods;
      readonly values: readonly unknown[];
    }
  /** The caller no longer wants the answer; a call that has not begun is not begun. */
  | { readonly kind: 'cancel'; readonly id: number }
  | { readonly kind: 'close' };

/** What it says. Every call is answered exactly once, a failed one too. */
export type Reply =
  | { readonly kind: 'result'; readonly id: number; readonly value: unknown }
  | { readonly kind: 'failure'; readonly id: number; readonly problem: LibraryProblem; readonly message: string }
  | { readonly kind: 'change'; readonly change: LibraryChange }
  | { readonly kind: 'opened'; readonly status: LibraryStatus }
  | { readonly kind: 'closed' };

/** How the thread is started. */
export interface HostData {
  readonly path: string;
  /** How often other windows' writes are looked for, in ms; 0 for never. */
  readonly pollInterval: number;
}

/** How the thread is started that does the last work of a first load beside the library's own. */
export interface LoadEndData {
  readonly path: string;
  readonly endsLoad: true;
}
