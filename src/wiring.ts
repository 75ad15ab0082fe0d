import { join } from 'node:path';
import type * as vscode from 'vscode';
import type { Client } from './api/client.ts';
import { type Disposable, DisposableStore } from './base/disposable.ts';
import { once } from './base/once.ts';
import type { Log } from './editor/common/log.ts';
import type { DemoLibrary } from './editor/demo/demoLibrary.ts';
import { ConnectionNews } from './editor/signin/connectionNews.ts';
import { ConnectionStore, type StoredConnection } from './editor/signin/connectionStore.ts';
import type { KeptLibrary } from './editor/sync/libraryFile.ts';
import type { Connection, LocalLibrary, Services } from './services.ts';

/** What the services and the features are built from, once somebody needs it. */
export interface Wiring extends Disposable {
  readonly connections: ConnectionStore;
  readonly news: ConnectionNews;
  createClient(connection: Connection): Promise<Client>;
  openLibrary(connection: Connection, services: Services): Promise<LocalLibrary>;
  loadConnection(): Promise<Connection | null>;
  libraryBytes(connection: StoredConnection): Promise<number | null>;
  deleteLibrary(connection: StoredConnection): Promise<void>;
  strayLibraries(kept: readonly StoredConnection[]): Promise<readonly KeptLibrary[]>;
  deleteStray(libraries: readonly KeptLibrary[]): Promise<void>;
  /** Remembers, and tells the other windows, that the demo library is in use. */
  useDemo(): Promise<void>;
  demo(): Promise<DemoLibrary>;
}

/** Puts the pieces together; each is loaded on its own first use. */
export function wire(context: vscode.ExtensionContext, version: string, log: Log): Wiring {
  const store = new DisposableStore();
  const storagePath = context.globalStorageUri.fsPath;
  const { extensionPath } = context;
  const connections = new ConnectionStore(context.secrets);
  const news = new ConnectionNews(join(storagePath, 'machine', 'connections.json'), log);
  const demo = once(async () => {
    const { createDemoLibrary } = await import('./editor/demo/demoLibrary.ts');
    return store.add(createDemoLibrary(extensionPath, log));
  });
  const clients = once(async () => {
    const { clientMaker } = await import('./editor/signin/editorClient.ts');
    return store.add(clientMaker({ version, log, storagePath }));
  });
  return {
    connections,
    news,
    async useDemo() {
      await connections.useDemo();
      await news.tell({ kind: 'demo' });
    },
    async libraryBytes(connection) {
      return (await import('./editor/sync/libraryFile.ts')).libraryBytes(storagePath, connection);
    },
    async deleteLibrary(connection) {
      const { libraryFile, removeLibraryFile } = await import('./editor/sync/libraryFile.ts');
      await removeLibraryFile(libraryFile(storagePath, connection));
    },
    async strayLibraries(kept) {
      return (await import('./editor/sync/libraryFile.ts')).strayLibraries(storagePath, kept);
    },
    async deleteStray(libraries) {
      const { removeLibraryFile } = await import('./editor/sync/libraryFile.ts');
      for (const { path } of libraries) await removeLibraryFile(path);
    },
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
