import type * as vscode from 'vscode';
import type { Client } from './api/client.ts';
import { type Disposable, DisposableStore } from './base/disposable.ts';
import { lazy } from './base/lazy.ts';
import type { Log } from './editor/common/log.ts';
import type { DemoLibrary } from './editor/demo/demoLibrary.ts';
import { ConnectionStore } from './editor/signin/connectionStore.ts';
import type { Connection, LocalLibrary, Services } from './services.ts';

/** What the services and the features are built from, once somebody needs it. */
export interface Wiring extends Disposable {
  readonly connections: ConnectionStore;
  createClient(connection: Connection): Promise<Client>;
  openLibrary(connection: Connection, services: Services): Promise<LocalLibrary>;
  loadConnection(): Promise<Connection | null>;
  demo(): Promise<DemoLibrary>;
}

/** Puts the pieces together; each is loaded on its own first use. */
export function wire(context: vscode.ExtensionContext, version: string, log: Log): Wiring {
  const store = new DisposableStore();
  const storagePath = context.globalStorageUri.fsPath;
  const { extensionPath } = context;
  const connections = new ConnectionStore(context.secrets);
  const demo = lazy(async () => {
    const { createDemoLibrary } = await import('./editor/demo/demoLibrary.ts');
    return store.add(createDemoLibrary(extensionPath, log));
  });
  const clients = lazy(async () => {
    const { clientMaker } = await import('./editor/signin/editorClient.ts');
    return store.add(clientMaker({ version, log, storagePath }));
  });
  return {
    connections,
    demo: () => demo.get(),
    createClient: async (connection) => (await clients.get()).create(connection),
    async openLibrary(connection, services) {
      const { openLocalLibrary } = await import('./editor/sync/openLocalLibrary.ts');
      return openLocalLibrary({ connection, services, log, extensionPath, storagePath });
    },
    async loadConnection() {
      const { storedConnection } = await import('./editor/signin/session.ts');
      return storedConnection(connections, log, async () => (await demo.get()).connection());
    },
    dispose: () => store.dispose(),
  };
}
