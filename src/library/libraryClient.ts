import { Worker } from 'node:worker_threads';
import { Emitter } from '../base/disposable.ts';
import { l10n } from '../base/l10n.ts';
import { type Logger, silentLogger } from '../base/logger.ts';
import { Channel, type Side, threadPort } from '../base/rpc.ts';
import type { CallLibrary, Library, WorkerOptions } from './library.ts';
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

interface Running {
  readonly worker: Worker;
  readonly channel: Channel<typeof libraryEvents, Side>;
}

/**
 * The library in its worker thread, seen from the main thread, which only passes messages on: fetched pages go
 * over unread. The thread starts with the first call, and again with the next one after it has died.
 */
export function openLibrary(options: LibraryOptions): Library {
  const logger = options.logger ?? silentLogger;
  const changes = new Emitter<LibraryChange>();
  const openings = new Emitter<LibraryStatus>();
  let running: Running | null = null;
  let disposed = false;
  let underWay = 0;

  // Its thread speaks English.
  const tellOpening = (status: LibraryStatus) =>
    openings.fire({ ...status, notice: status.notice && l10n.word(status.notice) });

  const start = (): Running => {
    const workerData: WorkerOptions = { path: options.path, pollInterval: options.pollInterval ?? 1000 };
    const worker = new Worker(options.worker, { workerData, resourceLimits, name: 'report-library' });
    // It must not keep the process alive by itself; a call under way does.
    worker.unref();
    const channel = new Channel({
      port: threadPort(worker),
      ...{ mine: libraryEvents, theirs: librarySide, log: logger },
      handlers: {
        calls: {},
        events: { change: (change) => changes.fire(change), opened: tellOpening },
      },
      explain: String,
      revive: ({ message, problem }) =>
        new LibraryError((problem ?? 'unexpected') as LibraryProblem, l10n.word(message)),
    });
    const started = { worker, channel };
    worker.on('error', (error) => stopped(started, error));
    worker.on('exit', () => stopped(started, undefined));
    return started;
  };

  const stopped = (which: Running, error: unknown) => {
    if (running === which) running = null;
    if (error instanceof Error) logger.error(`The library's thread failed: ${error.message}`);
    which.channel.dispose(libraryError('worker-stopped', error));
  };

  const call: CallLibrary = async (method, values, signal) => {
    if (disposed) throw libraryError('worker-stopped');
    signal?.throwIfAborted();
    running ??= start();
    const { worker, channel } = running;
    worker.ref();
    underWay++;
    try {
      return await channel.call(method, [...values], signal);
    } finally {
      if (--underWay === 0) worker.unref();
    }
  };

  const withSignal = (signal: AbortSignal | undefined) => callsOf(call, signal);

  return {
    ...withSignal(undefined),
    withSignal,
    onDidChange: changes.event,
    onDidOpen: openings.event,
    async dispose() {
      if (disposed) return;
      disposed = true;
      if (running) {
        const { worker, channel } = running;
        worker.ref();
        // A thread that died meanwhile has nothing left to close.
        await channel.call('close', []).catch(() => undefined);
        channel.dispose(libraryError('worker-stopped'));
        await worker.terminate();
      }
      changes.dispose();
      openings.dispose();
    },
  };
}
