import { once } from 'node:events';
import { parentPort } from 'node:worker_threads';
import { l10n } from '../base/l10n.ts';
import { type ReadTask, readTask } from './readers.ts';

if (!parentPort) throw new Error('This script is for a thread.');
const [task] = (await once(parentPort, 'message')) as [ReadTask];
l10n.speak(...task.words);
// The thread ends once every file was begun, by this thread or another.
await readTask(task, (news) => parentPort?.postMessage(news));
