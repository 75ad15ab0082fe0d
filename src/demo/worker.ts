import { parentPort, workerData } from 'node:worker_threads';
import { silentLogger } from '../base/logger.ts';
import { once } from '../base/once.ts';
import { Channel, silent, threadPort } from '../base/rpc.ts';
import { type DemoWorkerData, demoSide } from './demoThread.ts';
import { startDemoService } from './service.ts';

/** The thread that the demo service runs in. Terminating it ends the service. */
const port = parentPort;
if (!port) throw new Error('This file is the entry of a worker thread.');
const service = once(() => startDemoService(workerData as DemoWorkerData));

async function start() {
  const { baseUrl, key } = await service.get();
  return { baseUrl, key: key.reveal() };
}

new Channel({
  ...{ port: threadPort(port), mine: demoSide, theirs: silent, log: silentLogger },
  handlers: { calls: { start }, events: {} },
  explain: (error) => (error instanceof Error ? error.message : String(error)),
});
