import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import * as vscode from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import { Secret } from '../../base/secret.ts';
import type { DemoWorkerData, DemoWorkerMessage } from '../../demo/worker.ts';

/** The running demo service of this window. It ends with the window. */
export interface RunningDemo extends Disposable {
  readonly baseUrl: string;
  readonly key: Secret;
  /** Settles when the service has ended by itself. */
  readonly ended: Promise<void>;
}

/** The catalogue changes while one looks, and soon enough to be seen. */
const options: DemoWorkerData = { live: true, settlingSeconds: 60 };

/** Starts the demo service in a worker thread, so that making its PDFs never blocks the editor's extension host. */
export function startDemo(extensionPath: string): Promise<RunningDemo> {
  const worker = new Worker(join(extensionPath, 'dist', 'demo', 'worker.js'), { workerData: options });
  const ended = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  return new Promise((resolve, reject) => {
    worker.once('error', (error) =>
      reject(new Error(vscode.l10n.t('The demo library could not be started.'), { cause: error })),
    );
    worker.once('exit', () => reject(new Error(vscode.l10n.t('The demo library ended before it was ready.'))));
    worker.once('message', (message: DemoWorkerMessage) => {
      resolve({
        baseUrl: message.baseUrl,
        key: new Secret(message.key),
        ended,
        dispose: () => void worker.terminate(),
      });
    });
  });
}
