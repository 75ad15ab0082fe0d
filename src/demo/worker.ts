import { parentPort, workerData } from 'node:worker_threads';
import { type DemoOptions, startDemoService } from './service.ts';

/** `workerData` of the demo's worker: the options that can be copied into another thread. */
export type DemoWorkerData = Pick<
  DemoOptions,
  | 'companies'
  | 'seed'
  | 'port'
  | 'requestsPerMinute'
  | 'settlingSeconds'
  | 'linkSeconds'
  | 'readings'
  | 'live'
  | 'liveSeconds'
>;

/** The worker's first and only message by itself, once the service listens. When it can't, the worker ends with an error. */
export interface DemoWorkerMessage {
  readonly kind: 'listening';
  readonly baseUrl: string;
  /** The throwaway key as text: a `Secret` does not survive the way between threads. */
  readonly key: string;
}

/** What the owner may post to the worker. Terminating it ends the service as well. */
export interface DemoOwnerMessage {
  readonly kind: 'stop';
}

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
