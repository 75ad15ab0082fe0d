import { l10n } from '../base/l10n.ts';
import type { Logger } from '../base/logger.ts';
import { silent, threadSide } from '../base/rpc.ts';
import { Secret } from '../base/secret.ts';
import { WorkerThread } from '../base/workerThread.ts';
import type { DemoOptions } from './service.ts';

/** `workerData` of the demo's thread: the options that can be copied into it. */
export type DemoWorkerData = Omit<DemoOptions, 'catalog' | 'unlicensed' | 'clock'>;

/** What the demo's thread is asked: to start the service, unless it runs. The key goes over as text. */
export const demoSide = threadSide<{ start(): { readonly baseUrl: string; readonly key: string } }>(['start']);

export type DemoThread = ReturnType<typeof demoThread>;

/**
 * The demo service in its own thread, so that making PDFs never blocks the caller.
 * @param script the bundle's, or `worker.ts` itself where Node runs it
 */
export function demoThread(script: URL, workerData: DemoWorkerData, log: Logger) {
  const failed = (cause: unknown) => new Error(l10n.t('The demo library could not be started.'), { cause });
  const thread = new WorkerThread({
    ...{ script, worker: { workerData, name: 'report-library-demo' } },
    ...{ mine: silent, theirs: demoSide, handlers: silent, log },
    revive: ({ message }) => failed(message),
    stopped: failed,
  });
  return {
    /** Starts it unless it runs; says where it listens, and its throwaway key. Rejects with words for a person. */
    async start() {
      const { baseUrl, key } = await thread.call('start', []);
      return { baseUrl, key: new Secret(key) };
    },
    dispose: () => thread.dispose(),
  };
}
