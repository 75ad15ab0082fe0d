import type * as vscode from 'vscode';
import { DisposableStore } from '../base/disposable.ts';
import { once } from '../base/once.ts';
import { LibraryFiles } from '../editor/common/libraryFiles.ts';
import type { Log } from '../editor/common/log.ts';
import { applicationSetting } from '../editor/common/settings.ts';
import { ConnectionStore } from '../editor/signin/connectionStore.ts';
import { keyringNotices } from '../editor/signin/keyringNotices.ts';
import type { Connection, LocalLibrary, Services } from './session.ts';

/** Where connections are stored, and what makes their clients, libraries and the demo; each part on first use. */
export function connectionParts(context: vscode.ExtensionContext, log: Log) {
  const store = new DisposableStore();
  const libraries = new LibraryFiles(context.globalStorageUri.fsPath);
  const { extensionPath } = context;
  const connections = new ConnectionStore(context.secrets);
  const demo = once(async () => {
    const { createDemoLibrary } = await import('../editor/demo/demoLibrary.ts');
    return store.add(await createDemoLibrary(extensionPath, log));
  });
  const clients = once(async () => {
    const { clientMaker } = await import('../editor/signin/editorClient.ts');
    return store.add(clientMaker({ version: context.extension.packageJSON.version, log }));
  });
  return {
    connections,
    libraries,
    demo: () => demo.get(),
    /** Remembers that the demo library is in use. */
    useDemo: () => connections.useDemo(),
    createClient: async (connection: Connection) => (await clients.get()).create(connection),
    async openLibrary(connection: Connection, services: Services, signal: AbortSignal) {
      const { openLocalLibrary } = await import('../editor/sync/openLocalLibrary.ts');
      return openLocalLibrary({ connection, services, signal, log, extensionPath, libraries });
    },
    async publishedElsewhere(
      sha256s: readonly string[],
      own: Pick<LocalLibrary, 'connection' | 'library'> | undefined,
    ) {
      const { publishedElsewhere } = await import('../editor/sync/openLocalLibrary.ts');
      return publishedElsewhere({ log, extensionPath, libraries }, sha256s, own);
    },
    /** The connection that was in use last; the demo when that was, or when the user wants it at the first start. */
    async loadConnection(): Promise<Connection | null> {
      const active = await connections.read();
      if (active.kind === 'lost') keyringNotices.lost(active.name);
      if (active.kind === 'stored') {
        log.hide(active.connection.key);
        return { ...active.connection, isDemo: false };
      }
      const isWanted = active.kind === 'fresh' && applicationSetting('reportLibrary.demo.openAtStart');
      return active.kind === 'demo' || isWanted ? (await demo.get()).connection() : null;
    },
    dispose: () => store.dispose(),
  };
}
