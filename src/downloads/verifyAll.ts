import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import { l10n } from '../base/l10n.ts';
import type { FolderAt } from './lockFile.ts';
import type { LockRow } from './manifest.ts';
import { type HeldFile, lookAtFile } from './verify.ts';
import type { VerifyWorkerData } from './verify.worker.ts';

interface LookOptions {
  readonly threads: number;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((checked: number) => void) | undefined;
}

/** Fewer bytes for each thread are hashed sooner than one more has started. */
const leastForThread = 64_000_000;

/**
 * Reads the file of every row, whatever was known of it, and compares its hash; in the order of the rows.
 * @throws the signal's reason when aborted
 */
export async function lookAtFiles(
  at: FolderAt,
  rows: readonly LockRow[],
  { threads, signal, onProgress }: LookOptions,
): Promise<readonly HeldFile[]> {
  const held: HeldFile[] = [];
  // The largest first, so that no thread is left alone with one at the end.
  const order = rows.map((row, index) => ({ row, index })).sort((a, b) => b.row.bytes - a.row.bytes);
  const left = order.values();
  let checked = 0;
  const work = async (look: (row: LockRow) => Promise<HeldFile>) => {
    for (const { row, index } of left) {
      signal?.throwIfAborted();
      held[index] = await look(row);
      onProgress?.(++checked);
    }
  };
  const bytes = rows.reduce((sum, row) => sum + row.bytes, 0);
  const more = Math.min(threads, rows.length, Math.ceil(bytes / leastForThread)) - 1;
  const { root, folder, isPrivate } = at;
  const others = Array.from({ length: more }, () => thread({ at: { root, folder, isPrivate }, words: l10n.spoken() }));
  try {
    await Promise.all([work((row) => lookAtFile(at, row, 'anew', signal)), ...others.map(({ look }) => work(look))]);
  } finally {
    await Promise.all(others.map(({ end }) => end()));
  }
  return held;
}

/** A thread that looks at one file after the other. */
function thread(workerData: VerifyWorkerData) {
  // Bundled too, this module is in a folder beside that of the thread's script.
  const script = new URL(`../downloads/verify.worker${extname(import.meta.url)}`, import.meta.url);
  const worker = new Worker(script, { workerData, name: 'report-library-verify' });
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => {});
  worker.on('error', ended.reject);
  worker.on('exit', () => ended.reject(new Error('The thread that verifies files ended too early.')));
  return {
    look(row: LockRow): Promise<HeldFile> {
      const answer = new Promise<HeldFile>((resolve) => worker.once('message', resolve));
      worker.postMessage(row);
      return Promise.race([answer, ended.promise]);
    },
    end: () => worker.terminate(),
  };
}
