import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { once } from '../../base/once.ts';
import { Secret } from '../../base/secret.ts';
import type { DemoWorkerData, DemoWorkerMessage } from '../../demo/worker.ts';
import type { Connection, Services } from '../../services.ts';
import { viewIds } from '../common/contributions.ts';
import type { Log } from '../common/log.ts';
import { withViewProgress } from '../common/progress.ts';

/** Keeps the demo service of this window, started on first use. It ends with the window. */
export interface DemoLibrary extends Disposable {
  connection(): Promise<Connection>;
}

const demoConnectionId = 'demo';

/** The catalogue changes while one looks, and soon enough to be seen. */
const options: DemoWorkerData = { live: true, settlingSeconds: 60 };

/** Makes the demo service available without starting it. */
export function createDemoLibrary(extensionPath: string, log: Log): DemoLibrary {
  const store = new DisposableStore();
  const start = () => once(run);
  let running = start();

  async function run(): Promise<Connection> {
    const worker = new Worker(join(extensionPath, 'dist', 'demo', 'worker.js'), { workerData: options });
    store.add({ dispose: () => void worker.terminate() });
    const { baseUrl, key } = await listening(worker);
    const connection = { id: demoConnectionId, name: vscode.l10n.t('Demo Library'), baseUrl, key: new Secret(key) };
    log.hide(connection.key);
    log.info(vscode.l10n.t('The demo library is running on this machine.'));
    const mine = running;
    worker.once('exit', () => {
      if (running === mine) running = start();
    });
    return { ...connection, isDemo: true };
  }

  return { connection: () => running.get(), dispose: () => store.dispose() };
}

/** Waits for the service, in a thread so that making its PDFs never blocks the editor's extension host. */
function listening(worker: Worker): Promise<DemoWorkerMessage> {
  return new Promise((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', (error) =>
      reject(new Error(vscode.l10n.t('The demo library could not be started.'), { cause: error })),
    );
    worker.once('exit', () => reject(new Error(vscode.l10n.t('The demo library stopped before it was ready.'))));
  });
}

/** What opening the demo needs: the demo, and a memory that it is the one in use. */
export interface DemoPorts {
  demo(): Promise<DemoLibrary>;
  useDemo(): Promise<void>;
}

const walkthrough = 'report-library.report-library#start';

/**
 * Shows where to begin, starts the embedded service, and signs in to it with its throwaway key; the editor then ticks
 * the first step of the walkthrough if it knows it.
 */
export async function openDemo(services: Services, { demo, useDemo }: DemoPorts): Promise<void> {
  await vscode.commands.executeCommand('workbench.action.openWalkthrough', { category: walkthrough }, false);
  services.connect(await withViewProgress(viewIds.watchlist, async () => (await demo()).connection()));
  await useDemo();
  // The keyboard stays with the walkthrough: where rows come in only now, what the view shows before goes away with it.
  await vscode.commands.executeCommand(`${viewIds.watchlist}.focus`, { preserveFocus: true });
}
