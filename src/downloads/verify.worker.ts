import { parentPort, workerData } from 'node:worker_threads';
import { l10n } from '../base/l10n.ts';
import { fileThere, found } from './publish.ts';
import type { FileNews, VerifyWorkerData } from './verify.ts';

const { files, begun, words } = workerData as VerifyWorkerData;
l10n.speak(...words);
// The thread ends once every file was begun, by this thread or another.
for (let index = Atomics.add(begun, 0, 1); ; index = Atomics.add(begun, 0, 1)) {
  const file = files[index];
  if (!file) break;
  const news: FileNews = { index, there: await found(() => fileThere(file)) };
  parentPort?.postMessage(news);
}
