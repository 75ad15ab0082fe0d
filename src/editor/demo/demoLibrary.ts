import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import { once } from '../../base/once.ts';
import type { Connection } from '../../services.ts';
import type { Log } from '../common/log.ts';
import { type RunningDemo, startDemo } from './demoProcess.ts';

/** Keeps the demo service of this window, started on first use. */
export interface DemoLibrary extends Disposable {
  connection(): Promise<Connection>;
}

/** The demo library's own connection id; its address and key are new in every window and are stored nowhere. */
const demoConnectionId = 'demo';

/** Makes the demo service available without starting it. */
export function createDemoLibrary(extensionPath: string, log: Log): DemoLibrary {
  const store = new DisposableStore();
  const start = () => once(run);
  let running = start();

  async function run(): Promise<RunningDemo> {
    const demo = store.add(await startDemo(extensionPath));
    log.hide(demo.key);
    log.info(vscode.l10n.t('The demo library is running on this machine.'));
    const mine = running;
    void demo.ended.then(() => {
      if (running === mine) running = start();
    });
    return demo;
  }

  return {
    async connection() {
      const { baseUrl, key } = await running.get();
      return { id: demoConnectionId, name: vscode.l10n.t('Demo Library'), baseUrl, key, isDemo: true };
    },
    dispose: () => store.dispose(),
  };
}
