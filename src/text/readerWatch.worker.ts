import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import type { ReaderWatch, WatchedFailure } from './readerMessages.ts';

const interval = 20;

const { shared, memory, fileTime, pageTime } = workerData as ReaderWatch;
const progress = new Int32Array(shared);
const parent = process.ppid;
const secondsUsed = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
};
let file = 0;
let begun = 0;

function failure(): WatchedFailure | null {
  if (process.memoryUsage.rss() > memory) return 'too-much-memory';
  const [now = 0, pages = 0] = [Atomics.load(progress, 0), Atomics.load(progress, 1)];
  // Between files, the next one's time begins anew.
  if (now !== file || now === 0) begun = secondsUsed();
  file = now;
  return secondsUsed() - begun > fileTime + pages * pageTime ? 'too-slow' : null;
}

/**
 * Ends the process when a PDF wants more memory or computing than it may have, or when its parent is gone: the thread
 * that reads can't look while PDFium is at work. Says why as the process's last word.
 */
setInterval(() => {
  const why = failure();
  if (why) writeSync(2, why);
  if (why || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, interval);
