import { parentPort, workerData } from 'node:worker_threads';
import { type DemoOptions, startDemoService } from './service.ts';

/** `workerData` of the demo's worker: the options that can be copied into another thread. */
export type DemoWorkerData = Omit<DemoOptions, 'catalogue' | 'unlicensed' | 'clock' | 'failed'>;

/** The worker's only message, once the service listens. When it can't, the worker ends with an error. */
export interface DemoWorkerMessage {
  readonly kind: 'listening';
  readonly baseUrl: string;
  /** The throwaway key as text: a `Secret` does not survive the way between threads. */
  readonly key: string;
}

// Runs in a worker thread, so that making PDFs never blocks the thread that asked for the demo. Terminating it ends the
// service.
if (!parentPort) throw new Error('The demo worker is started as a worker thread.');
const service = await startDemoService((workerData as DemoWorkerData | null) ?? {});

parentPort.postMessage({
  kind: 'listening',
  baseUrl: service.baseUrl,
  key: service.key.reveal(),
} satisfies DemoWorkerMessage);
