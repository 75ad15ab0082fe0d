import type { DemoOptions } from './service.ts';

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
