import { parentPort, workerData } from 'node:worker_threads';
import { silentLogger } from '../base/logger.ts';
import { Channel, type Failure, type Port, threadPort } from '../base/rpc.ts';
import { fileAt, setFileAside } from '../machine/sqliteFile.ts';
import type { LibraryMethods, WorkerOptions } from './library.ts';
import { anyChange, isNoChange, type LibraryChange } from './libraryChange.ts';
import { LibraryError, libraryError } from './libraryError.ts';
import { libraryEvents, librarySide, writes } from './messages.ts';
import { openStore } from './sqlite/openStore.ts';
import type { LibraryStore } from './sqlite/sqliteStore.ts';
import type { WriteResult } from './store.ts';

/**
 * The library's side of the channel. Calls run one at a time, reads before writes that wait, so that a view never waits
 * for more than the one page that is being stored.
 */
class WorkerServer {
  readonly #options: WorkerOptions;
  readonly #channel: Channel<typeof librarySide, typeof libraryEvents>;
  readonly #reads: (() => Promise<void>)[] = [];
  readonly #writes: (() => Promise<void>)[] = [];
  #open: LibraryStore | null = null;
  /** Why the file that is opened next is another one. */
  #notice: string | null = null;
  #running = false;
  #poll: ReturnType<typeof setInterval> | undefined;
  /** A change that is not yet announced: its own caller gets the answer first. */
  #unannounced: LibraryChange | null = null;

  constructor(options: WorkerOptions, port: Port) {
    this.#options = options;
    const names = Object.keys(librarySide.calls) as (keyof LibraryMethods)[];
    const calls = names.map((name) => [
      name,
      (values: unknown[], signal: AbortSignal) => this.#queue(name, values, signal),
    ]);
    this.#channel = new Channel({
      ...{ port, mine: librarySide, theirs: libraryEvents, log: silentLogger },
      handlers: { calls: { ...Object.fromEntries(calls), close: () => this.#closeNext() }, events: {} },
      explain: failureOf,
    });
  }

  #queue(method: keyof LibraryMethods, values: readonly unknown[], signal: AbortSignal): Promise<unknown> {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const queue = writes.some((name) => name === method) ? this.#writes : this.#reads;
    queue.push(async () => {
      if (signal.aborted) reject(signal.reason);
      else await this.#answer(method, values).then(resolve, reject);
    });
    this.#wake();
    return promise;
  }

  /** Closes the file in place of the calls that wait. */
  #closeNext(): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#writes.length = 0;
    this.#reads.splice(0, this.#reads.length, async () => {
      clearInterval(this.#poll);
      this.#close();
      resolve();
    });
    this.#wake();
    return promise;
  }

  /** Runs one call at a time: two at once would both open the file, and leave no turn for a reader. */
  #wake(): void {
    if (this.#running) return;
    this.#running = true;
    setImmediate(() => void this.#next());
  }

  /** Runs one call, then yields to the event loop, so that cancels and more urgent calls come in between. */
  async #next(): Promise<void> {
    if (this.#unannounced) this.#channel.send('change', this.#unannounced);
    this.#unannounced = null;
    await (this.#reads.shift() ?? this.#writes.shift())?.();
    if (this.#reads.length + this.#writes.length > 0 || this.#unannounced) setImmediate(() => void this.#next());
    else this.#running = false;
  }

  async #answer(method: keyof LibraryMethods, values: readonly unknown[]): Promise<unknown> {
    try {
      this.#open ??= await this.#openStore();
      const call = this.#open[method] as (...values: readonly unknown[]) => unknown;
      const value = call(...values);
      // What a write answers with.
      const change = (value as Partial<WriteResult> | null | undefined)?.change;
      if (change && !isNoChange(change)) this.#unannounced = change;
      return value;
    } catch (error) {
      throw error instanceof LibraryError && error.problem === 'corrupt' ? this.#setAside(error) : error;
    }
  }

  async #openStore(): Promise<LibraryStore> {
    const store = await openStore({ path: this.#options.path, now: Date.now });
    this.#channel.send('opened', { ...store.status, notice: store.status.notice ?? this.#notice });
    this.#notice = null;
    if (this.#options.pollInterval > 0 && !this.#poll) {
      this.#poll = setInterval(() => this.#pollFile(), this.#options.pollInterval);
      this.#poll.unref();
    }
    return store;
  }

  /** Announces other windows' writes, and a file they have set aside. The next call reports a failure of this too. */
  #pollFile(): void {
    if (this.#running) return;
    try {
      const file = this.#open?.file ?? null;
      if (file !== null && file !== fileAt(this.#options.path)) this.#reopen();
      const change = this.#open?.poll();
      if (change && !isNoChange(change)) this.#channel.send('change', change);
    } catch (error) {
      if (!(error instanceof LibraryError)) throw error;
    }
  }

  /**
   * Sets aside a file that turned out damaged in use, as when opened, unless another window has done so; the next call
   * opens anew. Returns the error for the caller.
   */
  #setAside(error: LibraryError): unknown {
    const file = this.#open?.file;
    this.#close();
    this.#channel.send('change', anyChange);
    try {
      if (file) setFileAside(this.#options.path, file, Date.now(), libraryError);
      return error;
    } catch (failure) {
      return failure;
    }
  }

  /** Another window found the file damaged: this one goes on with the new file. */
  #reopen(): void {
    this.#close();
    this.#notice = libraryError('corrupt').message;
    this.#channel.send('change', anyChange);
  }

  #close(): void {
    try {
      this.#open?.close();
    } catch (error) {
      // A damaged file may fail even at this; it is given up either way.
      if (!(error instanceof Error)) throw error;
    }
    this.#open = null;
  }
}

function failureOf(error: unknown): Failure {
  const { message, problem } = error instanceof LibraryError ? error : libraryError('unexpected', error);
  const detail = problem === 'unexpected' && error instanceof Error ? ` (${error.message})` : '';
  return { message: message + detail, problem };
}

/** The worker thread that a library lives in: one typed channel, nothing else. */
const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');
new WorkerServer(workerData as WorkerOptions, threadPort(port));
