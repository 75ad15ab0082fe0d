import { Emitter } from '../base/disposable.ts';
import { l10n } from '../base/l10n.ts';
import { type Logger, silentLogger } from '../base/logger.ts';
import { WorkerThread } from '../base/workerThread.ts';
import type { Library, WorkerOptions } from './library.ts';
import type { LibraryChange } from './libraryChange.ts';
import { LibraryError, type LibraryProblem, libraryError } from './libraryError.ts';
import { callsOf, libraryEvents, librarySide } from './messages.ts';
import type { LibraryStatus } from './store.ts';

export interface LibraryOptions {
  /** The library's file. One per connection. */
  readonly path: string;
  /** The worker's script: the bundle's, or `worker.ts` itself where Node runs it. */
  readonly worker: URL;
  /** How often other windows' writes are looked for, in ms; 1000 by default. */
  readonly pollInterval?: number | undefined;
  readonly logger?: Logger | undefined;
}

/** What a page leaves behind is cleared away after a few pages, not gathered: a quarter less memory during a load. */
const resourceLimits = { maxYoungGenerationSizeMb: 16 };

/**
 * The library in its worker thread, seen from the main thread, which only passes messages on: fetched pages go
 * over unread. The thread starts with the first call, and again with the next one after it has died.
 */
export function openLibrary(options: LibraryOptions): Library {
  const changes = new Emitter<LibraryChange>();
  const openings = new Emitter<LibraryStatus>();
  // Its thread speaks English.
  const announceOpening = (status: LibraryStatus) =>
    openings.fire({ ...status, notice: status.notice && l10n.word(status.notice) });
  const workerData: WorkerOptions = { path: options.path, pollInterval: options.pollInterval ?? 1000 };
  const thread = new WorkerThread({
    script: options.worker,
    worker: { workerData, resourceLimits, name: 'report-library' },
    ...{ mine: libraryEvents, theirs: librarySide, log: options.logger ?? silentLogger },
    handlers: { calls: {}, events: { change: (change) => changes.fire(change), opened: announceOpening } },
    revive: ({ message, problem }) => new LibraryError((problem ?? 'unexpected') as LibraryProblem, l10n.word(message)),
    stopped: (cause) => libraryError('worker-stopped', cause),
  });
  const withSignal = (signal: AbortSignal | undefined) => callsOf(thread.call, signal);

  return {
    ...withSignal(undefined),
    withSignal,
    onDidChange: changes.event,
    onDidOpen: openings.event,
    async dispose() {
      await thread.dispose(['close', []]);
      changes.dispose();
      openings.dispose();
    },
  };
}
