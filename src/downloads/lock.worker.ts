import { parentPort, workerData } from 'node:worker_threads';
import { l10n } from '../base/l10n.ts';
import { type Lock, LockProblem, parseLock, resolveConflict } from './manifest.ts';

/** What the thread is to read, and the words to say in what is wrong with it. */
export interface LockReading {
  readonly text: string;
  /** True for a file with a merge conflict, whose two sides are joined. */
  readonly isConflict: boolean;
  readonly words: ReturnType<typeof l10n.spoken>;
}

/**
 * What is wrong with the file; else the lock, its rows as JSON in pieces: the window that reads one is at hand again within a
 * few ms.
 */
export type LockAnswer =
  | { readonly problem: Pick<LockProblem, 'code' | 'message'> }
  | (Pick<Lock, 'other'> & { readonly pieces: readonly string[] });

/** Of a piece, in characters. */
const pieceLength = 500_000;

function answerTo({ text, isConflict, words }: LockReading): LockAnswer {
  l10n.speak(...words);
  try {
    const { reports, other } = isConflict ? resolveConflict(text) : parseLock(text);
    const pieces: string[] = [];
    for (let at = 0; at < reports.length; ) {
      const rows: string[] = [];
      for (let length = 0; length < pieceLength && at < reports.length; length += rows.at(-1)?.length ?? 0)
        rows.push(JSON.stringify(reports[at++]));
      pieces.push(`[${rows.join()}]`);
    }
    return { other, pieces };
  } catch (error) {
    if (!(error instanceof LockProblem)) throw error;
    return { problem: { code: error.code, message: error.message } };
  }
}

parentPort?.postMessage(answerTo(workerData as LockReading));
