import { parentPort, workerData } from 'node:worker_threads';
import type { HostData } from './channel.ts';
import { gatherGarbage } from './gatherGarbage.ts';
import { LibraryHost } from './libraryHost.ts';

/** The worker thread that a library lives in: one typed channel, nothing else. */
const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');

const host = new LibraryHost(
  { ...(workerData as HostData), now: Date.now, rest: gatherGarbage, restAfter: 2000 },
  (reply) => port.postMessage(reply.message, reply.transfer),
);
port.on('message', (message) => host.receive(message));
