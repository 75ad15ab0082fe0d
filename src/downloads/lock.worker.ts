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
 * A message of the thread: the problem of the file; else some rows as JSON, few enough for the window to stay
 * responsive. Everything but the rows comes last.
 */
export type LockPiece = { readonly problem: Pick<LockProblem, 'code' | 'message'> } | string | Pick<Lock, 'other'>;

/** Of rows in a piece, in characters. */
const pieceLength = 500_000;

function* piecesOf({ text, isConflict, words }: LockReading): Generator<LockPiece> {
  l10n.speak(...words);
  try {
    const { reports, other } = isConflict ? resolveConflict(text) : parseLock(text);
    for (let at = 0; at < reports.length; ) {
      const rows: string[] = [];
      for (let length = 0; length < pieceLength && at < reports.length; length += rows.at(-1)?.length ?? 0)
        rows.push(JSON.stringify(reports[at++]));
      yield `[${rows.join()}]`;
    }
    yield { other };
  } catch (error) {
    if (!(error instanceof LockProblem)) throw error;
    yield { problem: { code: error.code, message: error.message } };
  }
}

for (const piece of piecesOf(workerData as LockReading)) parentPort?.postMessage(piece);
