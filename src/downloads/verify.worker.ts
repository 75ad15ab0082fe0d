import { parentPort, workerData } from 'node:worker_threads';
import { l10n } from '../base/l10n.ts';
import type { FolderAt } from './lockFile.ts';
import type { LockRow } from './manifest.ts';
import { lookAtFile } from './verify.ts';

/** Where the files are that the thread is to look at, and the words to say in what is wrong with one. */
export interface VerifyWorkerData {
  readonly at: FolderAt;
  readonly words: ReturnType<typeof l10n.spoken>;
}

const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');
const { at, words } = workerData as VerifyWorkerData;
l10n.speak(...words);
// A row at a time; each answer is how its file stands.
port.on('message', async (row: LockRow) => port.postMessage(await lookAtFile(at, row, 'anew')));
