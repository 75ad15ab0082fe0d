import { parentPort, workerData } from 'node:worker_threads';
import { silentLogger } from '../base/logger.ts';
import { Channel, type Failure, threadPort } from '../base/rpc.ts';
import { fileAt, setFileAside } from '../machine/sqliteFile.ts';
import { type LibraryMethods, libraryEvents, librarySide, type WorkerOptions } from './library.ts';
import { anyChange, isNoChange, type LibraryChange } from './libraryChange.ts';
import { LibraryError, libraryError } from './libraryError.ts';
import { isWrite, openStore } from './sqlite/openStore.ts';
import { setSynonyms } from './sqlite/searchText.ts';
import type { LibraryStore } from './sqlite/sqliteStore.ts';
import type { WriteResult } from './store.ts';

/** The library's thread. Calls run one at a time, reads before writes: a view waits for one page at most. */
const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');
const { path, synonyms, pollInterval } = workerData as WorkerOptions;
setSynonyms(synonyms);

const reads: (() => Promise<void>)[] = [];
const writes: (() => Promise<void>)[] = [];
let store: LibraryStore | null = null;
/** Why the file that is opened next is a new one. */
let notice: string | null = null;
let isRunning = false;
let poll: ReturnType<typeof setInterval> | undefined;
/** A change to announce after its own caller got the answer. */
let unannounced: LibraryChange | null = null;

const channel = new Channel({
  ...{ port: threadPort(port), mine: librarySide, theirs: libraryEvents, log: silentLogger },
  handlers: {
    calls: { call: ([method, values], signal) => enqueue(method, values, signal), close: closeNext },
    events: {},
  },
  explain: failureOf,
});

function enqueue(method: keyof LibraryMethods, values: readonly unknown[], signal: AbortSignal): Promise<unknown> {
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  (isWrite(method) ? writes : reads).push(async () => {
    if (signal.aborted) reject(signal.reason);
    else await answer(method, values).then(resolve, reject);
  });
  wake();
  return promise;
}

/** Closes the file in place of the waiting calls. */
function closeNext(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  writes.length = 0;
  reads.splice(0, reads.length, async () => {
    clearInterval(poll);
    close();
    resolve();
  });
  wake();
  return promise;
}

/** Runs one call at a time: two at once would both open the file, and leave no turn for a reader. */
function wake(): void {
  if (isRunning) return;
  isRunning = true;
  setImmediate(() => void next());
}

/** Runs one call, then yields to the event loop, so that cancels and more urgent calls come in between. */
async function next(): Promise<void> {
  if (unannounced) channel.send('change', unannounced);
  unannounced = null;
  await (reads.shift() ?? writes.shift())?.();
  if (reads.length + writes.length > 0 || unannounced) setImmediate(() => void next());
  else isRunning = false;
}

async function answer(method: keyof LibraryMethods, values: readonly unknown[]): Promise<unknown> {
  try {
    store ??= await open();
    const value = (store[method] as (...values: readonly unknown[]) => unknown)(...values);
    // The answer of a write.
    const change = (value as Partial<WriteResult> | null | undefined)?.change;
    if (change && !isNoChange(change)) unannounced = change;
    return value;
  } catch (error) {
    throw error instanceof LibraryError && error.problem === 'corrupt' ? setAside(error) : error;
  }
}

async function open(): Promise<LibraryStore> {
  const opened = await openStore({ path, now: Date.now });
  channel.send('opened', { ...opened.status, notice: opened.status.notice ?? notice });
  notice = null;
  if (pollInterval > 0) poll ??= setInterval(pollFile, pollInterval).unref();
  return opened;
}

/** Announces other windows' writes, and a file that they replaced. The next call reports a failure of this too. */
function pollFile(): void {
  if (isRunning || !store) return;
  try {
    if (store.file !== null && store.file !== fileAt(path)) {
      close();
      notice = libraryError('corrupt').message;
      channel.send('change', anyChange);
      return;
    }
    const change = store.poll();
    if (!isNoChange(change)) channel.send('change', change);
  } catch (error) {
    if (!(error instanceof LibraryError)) throw error;
  }
}

/** Sets aside a damaged file, unless another window has done so. Returns the error for the caller. */
function setAside(error: LibraryError): unknown {
  const file = store?.file;
  close();
  channel.send('change', anyChange);
  try {
    if (file) setFileAside(path, file, Date.now(), libraryError);
    return error;
  } catch (failure) {
    return failure;
  }
}

function close(): void {
  try {
    store?.close();
  } catch (error) {
    // Even closing a damaged file may fail; it is given up either way.
    if (!(error instanceof Error)) throw error;
  }
  store = null;
}

function failureOf(error: unknown): Failure {
  const { message, problem } = error instanceof LibraryError ? error : libraryError('unexpected', error);
  const detail = problem === 'unexpected' && error instanceof Error ? ` (${error.message})` : '';
  return { message: message + detail, problem };
}
