import { randomUUID } from 'node:crypto';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Logger } from '../../base/logger.ts';
import { openLibrary } from '../../library/libraryClient.ts';
import { leaseHolder } from '../../library/sync/lease.ts';
import { SyncEngine } from '../../library/sync/syncEngine.ts';
import type { Connection, LocalLibrary, Services } from '../../services.ts';
import { applicationSetting } from '../common/settings.ts';
import { boundCalls } from './boundCalls.ts';
import { libraryFile, libraryFolder, removeLibraryFile } from './libraryFile.ts';

export interface LocalLibraryOptions {
  readonly connection: Connection;
  readonly services: Services;
  readonly log: Logger;
  /** The extension's own folder, and the one it may keep data in. */
  readonly extensionPath: string;
  readonly storagePath: string;
}

/** Files of demo libraries that outlived their window by this long (ms) are swept. */
const demoFileLife = 86_400_000;

/**
 * Makes the library of a connection: one file for each origin and key, so that two keys never share what they see. The
 * demo's catalogue is new in every window, and so is its library. Opens nothing yet.
 */
export async function openLocalLibrary(options: LocalLibraryOptions): Promise<LocalLibrary> {
  const { connection, services, log, extensionPath, storagePath } = options;
  const folder = libraryFolder(storagePath);
  const path = connection.isDemo ? join(folder, `demo-${randomUUID()}.sqlite`) : libraryFile(storagePath, connection);
  const worker = pathToFileURL(join(extensionPath, 'dist', 'library', 'worker.js'));
  const library = openLibrary({ path, worker, logger: log });
  const bound = boundCalls(services, connection);
  const engine = new SyncEngine({
    library,
    source: {
      entitlements: (options) => bound.call((client) => client.entitlements(options)),
      watchlist: (options) => bound.pages((client) => client.watchlist(options)),
      // Pages go to the library's thread as they came: the editor's loop never parses one.
      reportsPage: (filter, options) => bound.call((client) => client.reportsPage(filter, options)),
      changesPage: (from, options) => bound.call((client) => client.changesPage(from, options)),
    },
    holder: leaseHolder(),
    requestsPerSecond: () => applicationSetting('reportLibrary.requestsPerSecond'),
    fullWalkDays: () => applicationSetting('reportLibrary.sync.fullWalkDays'),
    logger: log,
  });
  if (connection.isDemo) await sweepDemoFiles(folder);
  return {
    connection,
    library,
    engine,
    async dispose() {
      engine.dispose();
      await library.dispose();
      if (connection.isDemo) await removeLibraryFile(path);
    },
  };
}

async function sweepDemoFiles(folder: string): Promise<void> {
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((name) => name.startsWith('demo-') && name.endsWith('.sqlite'))) {
    const path = join(folder, name);
    const changed = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Number.POSITIVE_INFINITY,
    );
    if (Date.now() - changed > demoFileLife) await removeLibraryFile(path);
  }
}
