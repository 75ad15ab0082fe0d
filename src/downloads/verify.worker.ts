import { parentPort, workerData } from 'node:worker_threads';
import { l10n } from '../base/l10n.ts';
import type { LockRow } from './manifest.ts';
import { lookAtFile, type VerifyWorkerData } from './verify.ts';

const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');
const { at, words } = workerData as VerifyWorkerData;
l10n.speak(...words);
// A row at a time; each answer is how its file stands.
port.on('message', async (row: LockRow) => port.postMessage(await lookAtFile(at, row, 'anew')));
