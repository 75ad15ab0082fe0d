import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';
import { maxResident, memoryWord } from './readerMessages.ts';

/** How often this thread looks, in ms, and after how many looks without a page read it gives up on the process. */
const interval = 20;
const maxStill = 3000;

/** One number, which the reading thread changes with each page; 0 while it has nothing to read. */
const beat = new Int32Array(workerData as SharedArrayBuffer);
const parent = process.ppid;
let before = 0;
let still = 0;

/**
 * Ends the process when its memory passes what a PDF may use, or when nobody is left who would end it though it stands
 * still: the thread that reads can't look while PDFium is at work.
 */
setInterval(() => {
  const now = Atomics.load(beat, 0);
  still = now === 0 || now !== before ? 0 : still + 1;
  before = now;
  const isTooLarge = process.memoryUsage.rss() > maxResident;
  if (isTooLarge) writeSync(2, memoryWord);
  if (isTooLarge || still > maxStill || process.ppid !== parent) process.kill(process.pid, 'SIGKILL');
}, interval);
