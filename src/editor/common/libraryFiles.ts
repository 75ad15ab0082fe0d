import { readdir, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import type { Connection } from '../../app/session.ts';
import { systemClock } from '../../base/clock.ts';
import { Emitter, type Event } from '../../base/disposable.ts';
import type { Logger } from '../../base/logger.ts';
import type { FavoriteStore } from '../../favorites/favoriteStore.ts';
import { libraryId, libraryName, readLibraryName } from '../../library/libraryName.ts';

type Keyed = Pick<Connection, 'baseUrl' | 'key'>;

export interface KeptLibrary {
  readonly path: string;
  readonly bytes: number;
  /** When something was written to it last, ms since the epoch. */
  readonly changedAt: number;
}

/**
 * The files of the libraries on this computer: one for each origin and key, so that two keys never share what they see,
 * and for each version of the extension that was used with it. A library's favorites are deleted with it.
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

  /** The file of a connection's favorites. The demo's outlive its library, since its catalog is always the same. */
  favoritesOf(connection: Keyed & Pick<Connection, 'isDemo'>): string {
    return connection.isDemo ? 'demo.json' : `${libraryId(connection)}.json`;
  }

  /** The favorites on this machine, which its windows change in turn. */
  async openFavorites(logger: Logger): Promise<FavoriteStore> {
    const { FavoriteStore } = await import('../../favorites/favoriteStore.ts');
    return new FavoriteStore(this.favorites, { clock: systemClock, logger });
  }

  /** Takes the favorites along when a key replaces another; what was starred under that one before stays. */
  async replaceKey(before: Keyed, after: Keyed, log: Logger): Promise<void> {
    const [from, to] = [`${libraryId(before)}.json`, `${libraryId(after)}.json`];
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

  /** All libraries on this computer, those of demos and other versions too. */
  async paths(): Promise<readonly string[]> {
    return (await this.#names()).filter((name) => name.endsWith('.sqlite')).map((name) => join(this.folder, name));
  }

  /** How much a connection's library takes, in bytes; null when there is none. */
  async bytes(connection: Keyed): Promise<number | null> {
    return (await this.#read(libraryId(connection), await this.#names()))?.bytes ?? null;
  }

  /** The libraries that belong to none of these connections: left by sign-outs and by keys that were replaced. */
  async stray(kept: readonly Keyed[]): Promise<readonly KeptLibrary[]> {
    const names = await this.#names();
    const known = new Set(kept.map(libraryId));
    const ids = new Set(names.flatMap((name) => readLibraryName(name)?.id ?? []));
    const found = await Promise.all([...ids].filter((id) => !known.has(id)).map((id) => this.#read(id, names)));
    return found.filter((library) => library !== undefined);
  }

  /**
   * Deletes a library in all versions, with its favorites, what SQLite keeps beside it and damaged files that were set
   * aside. Waits for a while where another window still has it open.
   */
  async remove(path: string): Promise<void> {
    const id = readLibraryName(basename(path))?.id;
    if (id !== undefined) await rm(join(this.favorites, `${id}.json`), { force: true });
    const beginning = id === undefined ? basename(path) : `${id}.`;
    const names = await namesIn(dirname(path));
    for (const name of names.filter((name) => name.startsWith(beginning)))
      await rm(join(dirname(path), name), { force: true, maxRetries: 10, retryDelay: 100 });
    if (id !== undefined) this.#removed.fire();
  }

  #names(): Promise<readonly string[]> {
    return namesIn(this.folder);
  }

  /** All versions of a library together; the path is one of theirs. */
  async #read(id: string, names: readonly string[]): Promise<KeptLibrary | undefined> {
    const files = names.filter((name) => readLibraryName(name.replace(/-wal$/, ''))?.id === id);
    const read = (name: string) => stat(join(this.folder, name)).catch((error: unknown) => ifMissing(error, null));
    const there = (await Promise.all(files.map(read))).filter((found) => found !== null);
    const first = files[0];
    if (first === undefined || there.length === 0) return undefined;
    return {
      path: join(this.folder, first.replace(/-wal$/, '')),
      bytes: there.reduce((sum, { size }) => sum + size, 0),
      changedAt: Math.max(...there.map(({ mtimeMs }) => mtimeMs)),
    };
  }
}

function namesIn(folder: string): Promise<readonly string[]> {
  return readdir(folder).catch((error: unknown) => ifMissing(error, []));
}

function ifMissing<T>(error: unknown, value: T): T {
  if ((error as NodeJS.ErrnoException).code === 'ENOENT') return value;
  throw error;
}
