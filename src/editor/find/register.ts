import type { Disposable } from '../../base/disposable.ts';
import type { Services } from '../../services.ts';
import { registerCommand } from '../common/commands.ts';
import type { Log } from '../common/log.ts';

/** Find Company or Report…: a quick pick over the library on this machine. */
export function registerFind(services: Services, log: Log, startSync: () => void): Disposable {
  return registerCommand('find', log, async (text) => {
    startSync();
    await (await import('./find.ts')).find(
      (await services.library()).library,
      typeof text === 'string' ? text : '',
      log,
    );
  });
}
