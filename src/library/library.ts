import * as z from 'zod/mini';
import { Emitter, type Event } from '../base/disposable.ts';
import { l10n } from '../base/l10n.ts';
import { type Logger, silentLogger } from '../base/logger.ts';
import { type Side, threadSide } from '../base/rpc.ts';
import { WorkerThread } from '../base/workerThread.ts';
import type { LibraryChange } from './libraryChange.ts';
import { LibraryError, type LibraryProblem, libraryError } from './libraryError.ts';
import type { Synonyms } from './sqlite/searchText.ts';
import type { LibraryStore } from './sqlite/sqliteStore.ts';
import type { LibraryStatus } from './store.ts';

/** What a store offers to its own thread only. */
type Hidden = 'status' | 'file' | 'close' | 'poll' | 'recordsAside' | 'applyListPage' | 'applyFeedPage';

/** Everything that can be asked of a library, in whichever thread it runs. */
export type LibraryMethods = Omit<LibraryStore, Hidden>;

export type LibraryCalls = {
  readonly [Name in keyof LibraryMethods]: (
    ...values: Parameters<LibraryMethods[Name]>
  ) => Promise<ReturnType<LibraryMethods[Name]>>;
};

/** The library on this computer. The first call opens the file. Calls reject with a `LibraryError`. */
export interface Library extends LibraryCalls {
  /** The same calls, abandoned when the signal aborts. A running call is finished; its result is dropped. */
  withSignal(signal: AbortSignal | undefined): LibraryCalls;
  readonly onDidChange: Event<LibraryChange>;
  /** Fires when the file was opened, and again after a damaged file was replaced. */
  readonly onDidOpen: Event<LibraryStatus>;
  /** Closes it. Open calls reject. */
  dispose(): Promise<void>;
}

export interface WorkerOptions {
  readonly path: string;
  readonly synonyms: Synonyms;
  /** How often to check for writes of other windows, in ms; 0 for never. */
  readonly pollInterval: number;
}

export interface LibraryOptions {
  readonly path: string;
  /** The worker's script: the bundle's, or `worker.ts` itself where Node runs it. */
  readonly worker: URL;
  /** What a search finds under another name than the service's English one. */
  readonly synonyms?: Synonyms | undefined;
  /** How often to check for writes of other windows, in ms; 1000 by default. */
  readonly pollInterval?: number | undefined;
  readonly logger?: Logger | undefined;
}

/** What the thread answers. `close` closes the file and drops waiting calls. */
export const librarySide = threadSide<{
  call(method: keyof LibraryMethods, values: readonly unknown[]): unknown;
  close(): void;
}>(['call', 'close']);

/** What the thread sends by itself: what a write changed, and how the file was opened. */
export const libraryEvents = {
  calls: {},
  events: { change: z.custom<LibraryChange>(), opened: z.custom<LibraryStatus>() },
} satisfies Side;

/** Adds every method of a library to an object; `call` carries each out. */
export function withCalls<T extends object>(
  own: T,
  call: (method: keyof LibraryMethods, values: unknown[]) => Promise<unknown>,
): T & LibraryCalls {
  const get = (_: T, name: string | symbol) => {
    // A promise that resolves to this object asks whether it has a `then`.
    if (name in own || name === 'then' || typeof name === 'symbol') return own[name as keyof T];
    return (...values: unknown[]) => call(name as keyof LibraryMethods, values);
  };
  return new Proxy(own, { get }) as T & LibraryCalls;
}

/** A page leaves garbage behind. Collecting it often takes a quarter less memory during a load. */
const resourceLimits = { maxYoungGenerationSizeMb: 16 };

/** The library in its worker thread; fetched pages cross unread. The thread starts again after it died. */
export function openLibrary(options: LibraryOptions): Library {
  const changes = new Emitter<LibraryChange>();
  const openings = new Emitter<LibraryStatus>();
  // The thread speaks English.
  const announceOpening = (status: LibraryStatus) =>
    openings.fire({ ...status, notice: status.notice && l10n.word(status.notice) });
  const { path, synonyms = [], pollInterval = 1000 } = options;
  const workerData: WorkerOptions = { path, synonyms, pollInterval };
  const thread = new WorkerThread({
    script: options.worker,
    worker: { workerData, resourceLimits, name: 'report-library' },
    ...{ mine: libraryEvents, theirs: librarySide, log: options.logger ?? silentLogger },
    handlers: { calls: {}, events: { change: (change) => changes.fire(change), opened: announceOpening } },
    revive: ({ message, problem }) => new LibraryError((problem ?? 'unexpected') as LibraryProblem, l10n.word(message)),
    stopped: (cause) => libraryError('worker-stopped', cause),
  });
  const withSignal = <T extends object>(own: T, signal: AbortSignal | undefined) =>
    withCalls(own, (method, values) => thread.call('call', [method, values], signal));

  return withSignal(
    {
      withSignal: (signal: AbortSignal | undefined) => withSignal({}, signal),
      onDidChange: changes.event,
      onDidOpen: openings.event,
      async dispose() {
        await thread.dispose(['close', []]);
        changes.dispose();
        openings.dispose();
      },
    },
    undefined,
  );
}
