import { parentPort, workerData } from 'node:worker_threads';
import { startDemoService } from './service.ts';
import type { DemoOwnerMessage, DemoWorkerData, DemoWorkerMessage } from './workerMessages.ts';

// Runs in a worker thread, so that making PDFs never blocks the thread that asked for the demo.
if (!parentPort) throw new Error('The demo worker is started as a worker thread.');
const owner = parentPort;
const service = await startDemoService((workerData as DemoWorkerData | null) ?? {});

const stop = async () => {
  await service.dispose();
  owner.close();
};
owner.on('message', (message: DemoOwnerMessage) => {
  if (message.kind === 'stop') void stop();
});
owner.once('close', () => void service.dispose());
owner.postMessage({
  kind: 'listening',
  baseUrl: service.baseUrl,
  key: service.key.reveal(),
} satisfies DemoWorkerMessage);
