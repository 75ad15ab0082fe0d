import type { ExtensionContext } from 'vscode';
import { type Disposable, DisposableStore, Emitter } from '../../base/disposable.ts';
import type { Services } from '../../services.ts';
import { registerCommand } from '../common/commands.ts';
import type { Log } from '../common/log.ts';

interface FindApi extends Disposable {
  /** Offers what was opened just now, a company by a key or a report by its id, before anything is typed. */
  noteOpened(opened: string | number): Promise<void>;
}

/** The picker of Find Company or Report…, Open Report… and Open Company… over the library on this computer. */
export function registerFind(
  services: Services,
  log: Log,
  { globalState, extensionUri }: Pick<ExtensionContext, 'globalState' | 'extensionUri'>,
  startSync: () => void,
): FindApi {
  const store = new DisposableStore();
  const insertKey = store.add(new Emitter<void>());
  store.add(registerCommand('insertFound', log, async () => insertKey.fire()));
  const find = async (asked: unknown) => {
    startSync();
    const [{ findWhileTyping, noteOpened, recentlyOpened }, { library, connection }] = await Promise.all([
      import('./find.ts'),
      services.library(),
    ]);
    await findWhileTyping(library, asked, {
      extensionUri,
      log,
      onInsertKey: insertKey.event,
      recent: recentlyOpened(globalState, connection.id),
      note: (opened) => noteOpened(globalState, connection.id, opened),
    });
  };
  store.add(registerCommand('find', log, find));
  return {
    async noteOpened(opened) {
      const [{ noteOpened }, session] = await Promise.all([import('./find.ts'), services.ready()]);
      if (!('connection' in session)) return;
      const { library, connection } = await services.library();
      const company = typeof opened === 'string' ? await library.company(opened) : null;
      await noteOpened(globalState, connection.id, company?.company_key ?? opened);
    },
    dispose: () => store.dispose(),
  };
}
