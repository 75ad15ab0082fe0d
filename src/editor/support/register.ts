import * as vscode from 'vscode';
import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Services } from '../../services.ts';
import { registerCommand } from '../common/commands.ts';
import type { Log } from '../common/log.ts';

/** Show Log, and Copy Support Information. */
export function registerSupport(services: Services, version: string, log: Log): Disposable {
  const store = new DisposableStore();
  store.add(registerCommand('showLog', log, async () => log.show()));
  store.add(
    registerCommand('copySupportInformation', log, async () => {
      const { supportInformation } = await import('./supportInformation.ts');
      const { versions } = await import('./versions.ts');
      const text = supportInformation(await services.ready(), versions(version), services.failures);
      await vscode.env.clipboard.writeText(text);
      vscode.window.setStatusBarMessage('Support information copied', 3_000);
    }),
  );
  return store;
}
