import type { ExtensionContext } from 'vscode';
import { type Disposable, DisposableStore, Emitter } from '../../base/disposable.ts';
import type { Services } from '../../services.ts';
import { registerCommand } from '../common/commands.ts';
import type { Log } from '../common/log.ts';

export interface FindApi extends Disposable {
  /** Offers a company, by its key or a former one, or a report, by its id, before anything is typed: it was opened just now. */
  noteOpened(opened: string | number): Promise<void>;
}

/** Find Company or Report…: a quick pick over the library on this machine. */
export function registerFind(
  services: Services,
  log: Log,
  { globalState, extensionUri }: Pick<ExtensionContext, 'globalState' | 'extensionUri'>,
  startSync: () => void,
): FindApi {
  const store = new DisposableStore();
  const insertKey = store.add(new Emitter<void>());
  store.add(registerCommand('insertFound', log, async () => insertKey.fire()));
  const find = async (text: unknown) => {
    startSync();
    const [{ find, RecentlyFound }, { library, connection }] = await Promise.all([
      import('./find.ts'),
      services.library(),
    ]);
    const recent = new RecentlyFound(globalState, connection.id);
    const ports = { recent, extensionUri, log, onInsertKey: insertKey.event };
    await find(library, typeof text === 'string' ? text : '', ports);
  };
  store.add(registerCommand('find', log, find));
  return {
    async noteOpened(opened) {
      const [{ RecentlyFound }, session] = await Promise.all([import('./find.ts'), services.ready()]);
      if (!('connection' in session)) return;
      const { library, connection } = await services.library();
      const company = typeof opened === 'string' ? await library.company(opened) : null;
      await new RecentlyFound(globalState, connection.id).add(company?.company_key ?? opened);
    },
    dispose: () => store.dispose(),
  };
}
