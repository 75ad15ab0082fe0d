import { Worker } from 'node:worker_threads';
import { Emitter } from '../base/disposable.ts';
import { l10n } from '../base/l10n.ts';
import { type Logger, silentLogger } from '../base/logger.ts';
import type { HostData, Reply, Request } from './channel.ts';
import type { Library } from './library.ts';
import { callsOf } from './libraryCalls.ts';
import type { LibraryChange } from './libraryChange.ts';
import { LibraryError, libraryError } from './libraryError.ts';
import type { LibraryMethods } from './libraryMethods.ts';
import type { LibraryStatus } from './store.ts';

/** How a library is reached. */
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

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * The library in its worker thread, seen from the main thread, which only passes messages on: fetched pages are handed
 * over as they are. The thread starts with the first call, and again with the next one after it has died.
 */
export function openLibrary(options: LibraryOptions): Library {
  const logger = options.logger ?? silentLogger;
  const changes = new Emitter<LibraryChange>();
  const openings = new Emitter<LibraryStatus>();
  const pending = new Map<number, Pending>();
  let worker: Worker | null = null;
  let closed: (() => void) | null = null;
  let disposed = false;
  let lastId = 0;

  const start = (): Worker => {
    const workerData: HostData = { path: options.path, pollInterval: options.pollInterval ?? 1000 };
    const started = new Worker(options.worker, { workerData, resourceLimits, name: 'report-library' });
    // It must not keep the process alive by itself; a call under way does.
    started.unref();
    started.on('message', (reply: Reply) => receive(reply));
    started.on('error', (error) => stopped(started, error));
    started.on('exit', () => stopped(started, null));
    return started;
  };

  const stopped = (which: Worker, error: unknown) => {
    if (worker !== which) return;
    worker = null;
    if (error instanceof Error) logger.error(`The library's thread failed: ${error.message}`);
    for (const call of pending.values()) call.reject(libraryError('worker-stopped', error ?? undefined));
    pending.clear();
    closed?.();
  };

  const receive = (reply: Reply) => {
    if (reply.kind === 'change') return changes.fire(reply.change);
    if (reply.kind === 'opened') return openings.fire(reply.status);
    if (reply.kind === 'closed') return closed?.();
    const call = pending.get(reply.id);
    if (!call) return undefined;
    settle(reply.id);
    if (reply.kind === 'result') return call.resolve(reply.value);
    // Its thread speaks English.
    return call.reject(new LibraryError(reply.problem, l10n.word(reply.message)));
  };

  const settle = (id: number) => {
    pending.delete(id);
    if (pending.size === 0) worker?.unref();
  };

  const call = (method: keyof LibraryMethods, values: readonly unknown[], signal: AbortSignal | undefined) =>
    new Promise<unknown>((resolve, reject) => {
      if (disposed) return reject(libraryError('worker-stopped'));
      if (signal?.aborted) return reject(signal.reason);
      worker ??= start();
      const id = ++lastId;
      const onAbort = () => {
        settle(id);
        worker?.postMessage({ kind: 'cancel', id } satisfies Request);
        reject(signal?.reason);
      };
      const done = () => signal?.removeEventListener('abort', onAbort);
      pending.set(id, {
        resolve: (value) => {
          done();
          resolve(value);
        },
        reject: (error) => {
          done();
          reject(error);
        },
      });
      signal?.addEventListener('abort', onAbort, { once: true });
      worker.ref();
      worker.postMessage({ kind: 'call', id, method, values } satisfies Request, pageBuffers(values[0]));
    });

  const withSignal = (signal: AbortSignal | undefined) => callsOf(call, signal);

  return {
    ...withSignal(undefined),
    withSignal,
    onDidChange: changes.event,
    onDidOpen: openings.event,
    async dispose() {
      if (disposed) return;
      disposed = true;
      const ending = worker;
      if (ending) {
        await new Promise<void>((resolve) => {
          closed = resolve;
          ending.ref();
          ending.postMessage({ kind: 'close' } satisfies Request);
        });
        await ending.terminate();
      }
      for (const waiting of pending.values()) waiting.reject(libraryError('worker-stopped'));
      pending.clear();
      changes.dispose();
      openings.dispose();
    },
  };
}

/** The buffer of a page's bytes, when all of it is the page's: it changes hands instead of being copied. */
function pageBuffers(value: unknown): ArrayBuffer[] {
  if (typeof value !== 'object' || value === null || !('incoming' in value)) return [];
  const { incoming } = value;
  if (typeof incoming !== 'object' || incoming === null || !('bytes' in incoming)) return [];
  const { bytes } = incoming;
  if (!(bytes instanceof Uint8Array) || !(bytes.buffer instanceof ArrayBuffer)) return [];
  // A small Buffer is a slice of a pool that others use too, and Node refuses to hand that over.
  return bytes.byteLength === bytes.buffer.byteLength && bytes.byteLength > 65_536 ? [bytes.buffer] : [];
}
