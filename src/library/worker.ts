import { parentPort, Worker, workerData } from 'node:worker_threads';
import type { HostData, LoadEndData } from './channel.ts';
import { gatherGarbage } from './gatherGarbage.ts';
import { LibraryHost } from './libraryHost.ts';

/** The worker thread that a library lives in: one typed channel, nothing else. At the end of a load, a second one. */
const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');
const given = workerData as HostData | LoadEndData;

if ('endsLoad' in given) {
  const { endLoad } = await import('./sqlite/loadEnd.ts');
  await endLoad(given.path, () => port.postMessage('made'));
} else {
  const options = { ...given, now: Date.now, rest: gatherGarbage, restAfter: 2000, endLoad: endLoadBeside };
  const host = new LibraryHost(options, (reply) => port.postMessage(reply.message, reply.transfer));
  port.on('message', (message) => host.receive(message));
}

/** Settles when the other thread has made what the end of the load waits for, or is gone, whatever the reason. */
function endLoadBeside(path: string): Promise<void> {
  const data: LoadEndData = { path, endsLoad: true };
  return new Promise((resolve) => {
    const thread = new Worker(new URL(import.meta.url), { workerData: data, name: 'report-library-load-end' });
    thread.on('message', () => resolve());
    // What it could not do, the end of the load does itself, and meets the same error where somebody hears of it.
    thread.on('error', () => resolve());
    thread.on('exit', () => resolve());
  });
}
