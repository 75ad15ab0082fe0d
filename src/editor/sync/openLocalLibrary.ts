import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import type { Client } from '../../api/client.ts';
import type { Entitlements } from '../../api/schemas/meta.ts';
import { englishTypeName, knownReportTypes, reportTypeName } from '../../api/schemas/reportTypes.ts';
import { isRefusal } from '../../api/transport/errors.ts';
import type { Connection, LocalLibrary, Services } from '../../app/session.ts';
import { unlessAborted } from '../../base/clock.ts';
import type { Logger } from '../../base/logger.ts';
import { openLibrary } from '../../library/library.ts';
import type { PublishedElsewhere } from '../../library/store.ts';
import { SyncEngine } from '../../library/sync/syncEngine.ts';
import type { LibraryFiles } from '../common/libraryFiles.ts';
import { applicationSetting } from '../common/settings.ts';

interface LocalLibraryOptions {
  readonly connection: Connection;
  readonly services: Services;
  /** Aborts once another connection has taken its place. */
  readonly signal: AbortSignal;
  readonly log: Logger;
  /** The extension's own folder. */
  readonly extensionPath: string;
  readonly libraries: LibraryFiles;
}

/** Files of demo libraries that outlived their window by this long (ms) are swept. */
const demoFileLife = 86_400_000;

/**
 * Makes the library of a connection: one file for each origin and key, so that two keys never share what they see. The
 * demo's catalog is new in every window, and so is its library. Opens nothing yet.
 */
export async function openLocalLibrary(options: LocalLibraryOptions): Promise<Omit<LocalLibrary, 'signal'>> {
  const { connection, services, signal, log, extensionPath, libraries } = options;
  const path = connection.isDemo ? join(libraries.folder, `demo-${randomUUID()}.sqlite`) : libraries.pathOf(connection);
  const synonyms = synonymsIn(vscode.env.language);
  const library = openLibrary({ path, worker: workerIn(extensionPath), logger: log, synonyms });
  const bound = boundCalls(services, signal);
  const engine = new SyncEngine({
    ...{ library, path },
    source: {
      entitlements: ({ signal } = {}) => bound.entitlements(signal),
      watchlist: (options) => bound.pages((client) => client.watchlist(options)),
      // Pages go to the library's thread as they came: the editor's loop never parses one.
      reportsPage: (filter, options) => bound.call((client) => client.reportsPage(filter, options)),
      changesPage: (from, options) => bound.call((client) => client.changesPage(from, options)),
      isRefusal,
    },
    requestsPerSecond: () => applicationSetting('reportLibrary.requestsPerSecond'),
    fullWalkDays: () => applicationSetting('reportLibrary.sync.fullWalkDays'),
    logger: log,
  });
  if (connection.isDemo) await sweepDemoFiles(libraries);
  return {
    connection,
    path,
    library,
    engine,
    async dispose() {
      engine.dispose();
      await library.dispose();
      if (connection.isDemo) await libraries.remove(path);
    },
  };
}

/** Names of countries and types in the reader's language, each with its English one; none in English. */
export function synonymsIn(language: string): (readonly [local: string, english: string])[] {
  if (language.startsWith('en')) return [];
  const names = (locale: string) => new Intl.DisplayNames([locale], { type: 'region', fallback: 'none' });
  const [local, english] = [names(language), names('en')];
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const countries = letters.flatMap((first) => letters.map((second) => `${first}${second}`));
  return [
    ...countries.map((code) => [local.of(code) ?? '', english.of(code) ?? ''] as const),
    ...knownReportTypes.map((type) => [reportTypeName(type), englishTypeName(type)] as const),
  ].filter(([own, other]) => own !== '' && own !== other);
}

/**
 * Which of these hashes the other libraries on this machine publish for a report. The one in use is asked to read them,
 * and an empty one while nobody is signed in.
 */
export async function publishedElsewhere(
  { log, extensionPath, libraries }: Omit<LocalLibraryOptions, 'connection' | 'services' | 'signal'>,
  sha256s: readonly string[],
  inUse: Pick<LocalLibrary, 'connection' | 'library'> | undefined,
): Promise<PublishedElsewhere> {
  if (inUse) {
    const own = inUse.connection.isDemo ? undefined : libraries.pathOf(inUse.connection);
    const others = (await libraries.paths()).filter((path) => path !== own);
    return inUse.library.publishedElsewhere(others, sha256s);
  }
  const folder = await mkdtemp(join(tmpdir(), 'report-library-'));
  const library = openLibrary({ path: join(folder, 'empty.sqlite'), worker: workerIn(extensionPath), logger: log });
  try {
    return await library.publishedElsewhere(await libraries.paths(), sha256s);
  } finally {
    await library.dispose();
    await rm(folder, { recursive: true, force: true });
  }
}

const workerIn = (extensionPath: string) => pathToFileURL(join(extensionPath, 'dist', 'library', 'worker.js'));

async function sweepDemoFiles(libraries: LibraryFiles): Promise<void> {
  const names = await readdir(libraries.folder).catch(() => []);
  for (const name of names.filter((name) => name.startsWith('demo-') && name.endsWith('.sqlite'))) {
    const path = join(libraries.folder, name);
    const changed = await stat(path).then(
      ({ mtimeMs }) => mtimeMs,
      () => Number.POSITIVE_INFINITY,
    );
    if (Date.now() - changed > demoFileLife) await libraries.remove(path);
  }
}

/** Calls of one connection: its answers never reach another library. Throws an AbortError after a switch. */
function boundCalls(services: Services, signal: AbortSignal) {
  return {
    async call<T>(work: (client: Client) => Promise<T>): Promise<T> {
      signal.throwIfAborted();
      return services.call(work);
    },
    async *pages<T>(list: (client: Client) => AsyncIterable<T>): AsyncGenerator<T, void, void> {
      signal.throwIfAborted();
      for await (const page of services.pages(list)) {
        signal.throwIfAborted();
        yield page;
      }
    },
    entitlements(given: AbortSignal | undefined): Promise<Entitlements> {
      return unlessAborted(services.entitlements(), given ? AbortSignal.any([given, signal]) : signal);
    },
  };
}
