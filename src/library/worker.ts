import { parentPort, workerData } from 'node:worker_threads';
import type { WorkerOptions } from './library.ts';
import { WorkerServer } from './workerServer.ts';

/** The worker thread that a library lives in: one typed channel, nothing else. */
const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');
new WorkerServer(workerData as WorkerOptions, {
  post: (message, transfer = []) => port.postMessage(message, [...transfer]),
  onMessage(listener) {
    port.on('message', listener);
    return { dispose: () => void port.off('message', listener) };
  },
});
