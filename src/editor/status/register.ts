import * as vscode from 'vscode';
import { DisposableStore } from '../../base/disposable.ts';
import type { Services } from '../../services.ts';
import { registerCommand } from '../common/commands.ts';
import { usageItemId } from '../common/contributions.ts';
import type { Log } from '../common/log.ts';
import type { SyncState } from '../common/syncState.ts';
import type { UsageStatus } from './usageStatus.ts';

/**
 * The status bar item, its menu, and what its user may give to the service's support. The item is made, and its numbers
 * are asked for, once somebody is signed in.
 */
export function registerStatus(services: Services, version: string, log: Log) {
  const store = new DisposableStore();
  let status: UsageStatus | undefined;
  let sync: SyncState | undefined;

  store.add(
    services.onDidChangeSession((session) => {
      if (session.kind !== 'signedIn' && session.kind !== 'keyRefused') {
        status?.hide();
        return;
      }
      void import('./usageStatus.ts').then(({ UsageStatus }) => {
        status ??= store.add(
          new UsageStatus(
            vscode.window.createStatusBarItem(usageItemId, vscode.StatusBarAlignment.Right, 90),
            services,
            log,
          ),
        );
        status.follow(services.session);
        if (sync) status.showSync(sync);
      });
    }),
  );
  store.add(
    registerCommand('showMenu', log, async () => {
      const { showMenu } = await import('./usageStatus.ts');
      await services.ready();
      await showMenu(services.session, () => status?.refresh(), status?.isWaitingLong ?? false);
    }),
  );
  store.add(
    registerCommand('tryNow', log, async () => {
      await services.call(async (client) => {
        await client.endLongWaits();
        await client.usage({ tries: 1 });
      });
      status?.refresh();
    }),
  );
  store.add(registerCommand('showLog', log, async () => log.show()));
  store.add(
    registerCommand('copySupportInformation', log, async () =>
      (await import('./supportInformation.ts')).copySupportInformation(services, version),
    ),
  );
  return {
    disposable: store,
    refreshUsage: () => status?.refresh(),
    showSync(state: SyncState) {
      // A run that has ended has used requests.
      if (sync?.running && !state.running) status?.refresh();
      sync = state;
      status?.showSync(state);
    },
  };
}
