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

/** What is wrong with the file; else JSON of a {@link LockHead}, and then of some rows each time that more are asked for. */
export type LockPiece = Pick<LockProblem, 'code' | 'message'> | string;

/** All of a lock but its rows, and how many those are. */
export interface LockHead extends Pick<Lock, 'other'> {
  readonly count: number;
}

/** Rows in a piece, in characters: the window that takes them is at hand again within a few ms. */
const pieceLength = 500_000;

function* piecesOf({ text, isConflict, words }: LockReading): Generator<LockPiece> {
  l10n.speak(...words);
  try {
    const { reports, other } = isConflict ? resolveConflict(text) : parseLock(text);
    const head: LockHead = { other, count: reports.length };
    yield JSON.stringify(head);
    for (let at = 0; at < reports.length; ) {
      const rows: string[] = [];
      for (let length = 0; length < pieceLength && at < reports.length; length += rows.at(-1)?.length ?? 0)
        rows.push(JSON.stringify(reports[at++]));
      yield `[${rows.join()}]`;
    }
  } catch (error) {
    if (!(error instanceof LockProblem)) throw error;
    yield { code: error.code, message: error.message };
  }
}

const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');
const pieces = piecesOf(workerData as LockReading);
const tell = () => {
  const { value, done } = pieces.next();
  if (done) port.close();
  else port.postMessage(value);
};
port.on('message', tell);
tell();
