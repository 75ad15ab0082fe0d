import { type Disposable, DisposableStore } from '../../base/disposable.ts';
import type { Services } from '../../services.ts';
import { registerCommand } from '../common/commands.ts';
import type { Log } from '../common/log.ts';

export function registerSupport(services: Services, version: string, log: Log): Disposable {
  const store = new DisposableStore();
  store.add(registerCommand('showLog', log, async () => log.show()));
  store.add(
    registerCommand('copySupportInformation', log, async () => {
      const { copySupportInformation } = await import('./supportInformation.ts');
      await copySupportInformation(services, version);
    }),
  );
  return store;
}
