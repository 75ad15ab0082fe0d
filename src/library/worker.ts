import { parentPort, workerData } from 'node:worker_threads';
import { LibraryHost } from './libraryHost.ts';

/** The worker thread that a library lives in: one typed channel, nothing else. */
const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');

const host = new LibraryHost({ ...workerData, now: Date.now }, (reply) =>
  port.postMessage(reply.message, reply.transfer),
);
port.on('message', (message) => host.receive(message));
