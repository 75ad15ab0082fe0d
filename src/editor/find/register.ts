import type { ExtensionContext } from 'vscode';
import type { Disposable } from '../../base/disposable.ts';
import type { Services } from '../../services.ts';
import { registerCommand } from '../common/commands.ts';
import type { Log } from '../common/log.ts';

/** Find Company or Report…: a quick pick over the library on this machine. */
export function registerFind(
  services: Services,
  log: Log,
  { globalState, extensionUri }: Pick<ExtensionContext, 'globalState' | 'extensionUri'>,
  startSync: () => void,
): Disposable {
  return registerCommand('find', log, async (text) => {
    startSync();
    const [{ find, RecentlyFound }, { library, connection }] = await Promise.all([
      import('./find.ts'),
      services.library(),
    ]);
    const recent = new RecentlyFound(globalState, connection.id);
    await find(library, typeof text === 'string' ? text : '', { recent, extensionUri, log });
  });
}
