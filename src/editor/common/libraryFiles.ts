import { readdir, rm, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { systemClock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { FavoriteStore } from '../../favorites/favoriteStore.ts';
import { libraryName } from '../../library/library.ts';
import type { Connection } from '../../services.ts';

type Keyed = Pick<Connection, 'baseUrl' | 'key'>;

export interface KeptLibrary {
  readonly path: string;
  readonly bytes: number;
  /** When something was written to it last, ms since the epoch. */
  readonly changedAt: number;
}

/**
 * The files of the libraries on this machine: one for each origin and key, so that two keys never share what they see.
 * Each may have a file of favorites, which goes with it.
 */
export class LibraryFiles {
  readonly folder: string;
  readonly favorites: string;
  readonly #removed = new Emitter<void>();

  /** Fires after a connection's library was deleted; the demo's goes with its window. */
  readonly onDidRemove: Event<void> = this.#removed.event;

  /** @param storagePath where the extension may keep data on this machine */
  constructor(storagePath: string) {
    this.folder = join(storagePath, 'library');
    this.favorites = join(storagePath, 'favorites');
  }

  pathOf(connection: Keyed): string {
    return join(this.folder, libraryName(connection));
  }

  /** The file of a connection's favorites. The demo's outlive its library, since its catalogue is always the same. */
  favoritesOf(connection: Keyed & Pick<Connection, 'isDemo'>): string {
    return connection.isDemo ? 'demo.json' : favoritesName(libraryName(connection));
  }

  /** The favorites on this machine, which its windows change in turn. */
  async openFavorites(logger: Logger): Promise<FavoriteStore> {
    const { FavoriteStore } = await import('../../favorites/favoriteStore.ts');
    return new FavoriteStore(this.favorites, { clock: systemClock, logger });
  }

  /** Takes the favorites along when a key replaces another; what was starred under that one before stays. */
  async replaceKey(before: Keyed, after: Keyed, log: Logger): Promise<void> {
    const [from, to] = [favoritesName(libraryName(before)), favoritesName(libraryName(after))];
    if (from === to) return;
    const { joined } = await import('../../favorites/favorites.ts');
    const store = await this.openFavorites(log);
    try {
      const { items } = await store.read(from);
      if (items.length > 0) await store.change(to, (former) => joined([...former, ...items]));
    } finally {
      store.dispose();
    }
  }

  /** All libraries on this machine, those of demos too. */
  async paths(): Promise<readonly string[]> {
    const names = await readdir(this.folder).catch((error: unknown) => ifMissing(error, []));
    return names.filter((name) => name.endsWith('.sqlite')).map((name) => join(this.folder, name));
  }

  /** How much a connection's library takes, in bytes; null when there is none. */
  async bytes(connection: Keyed): Promise<number | null> {
    return (await look(this.pathOf(connection)))?.bytes ?? null;
  }

  /** The libraries that belong to none of these connections: left by sign-outs and by keys that were replaced. */
  async stray(kept: readonly Keyed[]): Promise<readonly KeptLibrary[]> {
    const names = await readdir(this.folder).catch((error: unknown) => ifMissing(error, []));
    const known = new Set(kept.map(libraryName));
    const stray = names.filter((name) => isOfConnection(name) && !known.has(name));
    const looks = await Promise.all(stray.map((name) => look(join(this.folder, name))));
    return looks.filter((found) => found !== undefined);
  }

  /**
   * Deletes a library with its favorites and what SQLite keeps beside it; waits for a while where another window still
   * has it open.
   */
  async remove(path: string): Promise<void> {
    await rm(join(this.favorites, favoritesName(basename(path))), { force: true });
    for (const suffix of ['', '-wal', '-shm', '-journal'])
      await rm(path + suffix, { force: true, maxRetries: 10, retryDelay: 100 });
    if (isOfConnection(basename(path))) this.#removed.fire();
  }
}

async function look(path: string): Promise<KeptLibrary | undefined> {
  const [main, wal] = await Promise.all(
    [path, `${path}-wal`].map((part) => stat(part).catch((error: unknown) => ifMissing(error, undefined))),
  );
  if (!main) return undefined;
  return {
    path,
    bytes: main.size + (wal?.size ?? 0),
    changedAt: Math.max(main.mtimeMs, wal?.mtimeMs ?? 0),
  };
}

function ifMissing<T>(error: unknown, value: T): T {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return value;
  throw error;
}

/** The demo's libraries have other names. */
function isOfConnection(name: string): boolean {
  return /^[0-9a-f]{32}\.sqlite$/.test(name);
}

function favoritesName(library: string): string {
  return library.replace(/\.sqlite$/, '.json');
}
