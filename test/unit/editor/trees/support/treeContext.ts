import type { Client } from '../../../../../src/api/client.ts';
import type { App } from '../../../../../src/app/app.ts';
import { type Connection, type LocalLibrary, Services } from '../../../../../src/app/session.ts';
import { Emitter } from '../../../../../src/base/disposable.ts';
import { silentLogger } from '../../../../../src/base/logger.ts';
import { Secret } from '../../../../../src/base/secret.ts';
import { noFavorites } from '../../../../../src/favorites/favorites.ts';
import type { LibraryChange } from '../../../../../src/library/libraryChange.ts';

export function connectionOf(id: string): Connection {
  const key = new Secret('rlk_test_live_0123456789');
  return { id, name: id, baseUrl: 'https://reports.example.com/api/v2', key, isDemo: false };
}

/** What a tree uses of the app, signed in over a library that answers as a test says. */
export function treeContext(library: object, extension: object = {}) {
  const changes = new Emitter<LibraryChange>();
  const services = new Services({
    logger: silentLogger,
    loadConnection: async () => null,
    createClient: async () => ({ dispose() {} }) as unknown as Client,
    openLibrary: async (connection) =>
      ({
        connection,
        library: { onDidChange: changes.event, syncRecord: async () => ({ syncedAt: 1 }), ...library },
        dispose: async () => undefined,
      }) as unknown as LocalLibrary,
  });
  services.connect(connectionOf('one'));
  const marks = { onDidChange: new Emitter<void>().event, look: async () => new Map(), here: async () => [] };
  const favorites = { onDidChange: new Emitter<void>().event, read: async () => noFavorites };
  const parts = { services, extension, marks, favorites, log: silentLogger, sync: { start() {} } };
  return { services, changes, context: parts as unknown as App };
}
