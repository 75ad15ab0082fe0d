import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { closeSync, lstatSync, openSync, readSync, realpathSync } from 'node:fs';
import { basename, extname, join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { breather, unlessAborted } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { l10n } from '../base/l10n.ts';
import { chunkBytes, type FileHash, foldersOn, isPlainFolderBy, onDisk, readFlags } from './disk.ts';
import { type FileAt, found, type LookedAt, refuseUnlessPlain } from './publish.ts';

/** The files to read. Each thread takes the next one that no thread has begun. */
export interface ReadTask {
  readonly files: readonly FileAt[];
  /** How many files were begun: one number, shared by all threads. */
  readonly begun: Int32Array<SharedArrayBuffer>;
  readonly words: ReturnType<typeof l10n.spoken>;
}

/** What a thread tells of a file: its place in the list, and what is there. */
export interface FileNews {
  readonly index: number;
  readonly there: LookedAt<FileHash>;
}

/**
 * Threads that read files beside this one, for one list. Each needs some 50 ms until it can read, so they are started
 * before the list is known.
 */
export class FileReaders implements Disposable {
  readonly #threads: readonly { readonly worker: Worker; readonly ended: Promise<unknown> }[];

  constructor(threads: number) {
    // Bundled too, this module is in a folder beside that of the thread's script.
    const script = new URL(`../downloads/verify.worker${extname(import.meta.url)}`, import.meta.url);
    this.#threads = Array.from({ length: threads }, () => {
      const worker = new Worker(script, { name: 'report-library-verify' });
      const ended = once(worker, 'exit');
      // A failure is told by `read`, once this thread has nothing left to read.
      ended.catch(() => {});
      return { worker, ended };
    });
  }

  /**
   * Reads each file once, in this thread too, which is blocked for some ms at a time.
   * @throws the signal's reason when aborted, or what made a thread fail
   */
  async read(files: readonly FileAt[], take: (news: FileNews) => void, signal?: AbortSignal): Promise<void> {
    const begun = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
    const task: ReadTask = { files, begun, words: l10n.spoken() };
    for (const { worker } of this.#threads) {
      worker.on('message', take);
      worker.postMessage(task);
    }
    await readTask(task, take, signal);
    const ended = Promise.all(this.#threads.map((thread) => thread.ended));
    await (signal ? unlessAborted(ended, signal) : ended);
  }

  dispose(): void {
    for (const { worker } of this.#threads) void worker.terminate();
  }
}

/** Reads the files of a task that no other thread has begun. @throws the signal's reason when aborted */
export async function readTask(
  { files, begun }: ReadTask,
  take: (news: FileNews) => void,
  signal?: AbortSignal,
): Promise<void> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  for (;;) {
    const index = Atomics.add(begun, 0, 1);
    const file = files[index];
    if (!file) return;
    take({ index, there: await found(() => readAtOnce(file, chunk, signal), signal) });
  }
}

/**
 * What lies at a place, as `fileThere` finds it when it knows nothing of the file, in calls that block this thread.
 * That takes half the time: each way to the system's pool and back takes as long as reading a piece.
 * @param chunk what each piece is read into
 */
export function readAtOnce(at: FileAt, chunk: Buffer, signal?: AbortSignal): Promise<FileHash | undefined> {
  return onDisk(async () => {
    const path = findFileAtOnce(at);
    const stats = path === undefined ? undefined : lstatSync(path, { throwIfNoEntry: false });
    if (path === undefined || !stats) return undefined;
    refuseUnlessPlain(path, stats);
    return await hashFileAtOnce(path, chunk, signal);
  });
}

function findFileAtOnce({ root, path }: FileAt): string | undefined {
  const { folders, path: parent } = foldersOn(realpathSync.native(root), path);
  for (const folder of folders)
    if (!isPlainFolderBy(folder, lstatSync(folder, { throwIfNoEntry: false }))) return undefined;
  return join(parent, basename(path));
}

async function hashFileAtOnce(path: string, chunk: Buffer, signal: AbortSignal | undefined): Promise<FileHash> {
  const hash = createHash('sha256');
  // So that a signal is heard, whatever the size of the file.
  const pause = breather();
  const file = openSync(path, readFlags);
  try {
    for (let bytes = 0; ; ) {
      await pause();
      signal?.throwIfAborted();
      const read = readSync(file, chunk, 0, chunk.length, bytes);
      if (read === 0) return { sha256: hash.digest('hex'), bytes };
      hash.update(chunk.subarray(0, read));
      bytes += read;
    }
  } finally {
    closeSync(file);
  }
}
