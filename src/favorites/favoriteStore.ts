import { type FSWatcher, watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { type Disposable, Emitter, type Event } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { once } from '../base/once.ts';
import { sweepParts } from '../files/atomic.ts';
import { changeFile, readText } from '../files/changeFile.ts';
import { statOf } from '../files/guard.ts';
import { type Favorite, Favorites, formatFavorites, noFavorites, parseFavorites } from './favorites.ts';

/** Makes other favorites of some. Called again on what another window wrote meanwhile. */
export type FavoriteEdit = (items: readonly Favorite[]) => readonly Favorite[];

interface FavoriteOptions {
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The favorites of each connection in a file of its own, for this user alone. Windows change it in turn, and each
 * notices what the others did.
 */
export class FavoriteStore implements Disposable {
  readonly #folder: string;
  readonly #options: FavoriteOptions;
  readonly #changed = new Emitter<void>();
  #watcher: FSWatcher | undefined;
  readonly #ready = once(() => this.#open());
  readonly #ended = new AbortController();
  /** What was read last, and what tells its file from another. */
  #known = { file: '', stamp: '', favorites: noFavorites };

  /** Fires when what was read last may be out of date. */
  readonly onDidChange: Event<void> = this.#changed.event;

  /** @param folder where the files are; made when it is missing */
  constructor(folder: string, options: FavoriteOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  /** The favorites in a file; none while there is no file. @throws Error or DiskProblem */
  async read(file: string): Promise<Favorites> {
    await this.#ready.get();
    const stamp = await this.#stamp(file);
    if (this.#known.file !== file || this.#known.stamp !== stamp) {
      const text = await readText(this.#at(file));
      const favorites = text === undefined ? noFavorites : new Favorites(parseFavorites(text, this.#pathOf(file)));
      this.#known = { file, stamp, favorites };
    }
    return this.#known.favorites;
  }

  /** Changes a file's favorites, in turn with other windows. @throws Error or DiskProblem; nothing is changed */
  async change(file: string, edit: FavoriteEdit): Promise<void> {
    await this.#ready.get();
    const update = (text: string | undefined) =>
      formatFavorites(edit(text === undefined ? [] : parseFavorites(text, this.#pathOf(file))));
    await changeFile(this.#at(file), update, this.#ended.signal);
    await this.#checkStamp();
  }

  dispose(): void {
    this.#ended.abort();
    this.#watcher?.close();
    this.#changed.dispose();
  }

  #pathOf(file: string): string {
    return join(this.#folder, file);
  }

  #at(file: string) {
    return { root: this.#folder, path: file, isPrivate: true };
  }

  async #stamp(file: string): Promise<string> {
    const found = await statOf(this.#pathOf(file));
    return found ? [found.ino, found.size, found.mtimeMs, found.ctimeMs].join() : '';
  }

  async #open(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await sweepParts(this.#folder, this.#options.clock, this.#options.logger);
    if (this.#ended.signal.aborted) return;
    try {
      this.#watcher = watch(this.#folder, { persistent: false }, () => void this.#checkStamp());
      this.#watcher.on('error', (error) => this.#warnUnwatched(error));
    } catch (error) {
      this.#warnUnwatched(error);
    }
  }

  /** Reports that the file that was read last has changed. */
  async #checkStamp(): Promise<void> {
    const { file, stamp } = this.#known;
    if (file === '' || this.#ended.signal.aborted || (await this.#stamp(file)) === stamp) return;
    // Reported once; the reader takes the new stamp.
    if (this.#known.stamp === stamp) this.#known = { ...this.#known, file: '' };
    this.#changed.fire();
  }

  #warnUnwatched(error: unknown): void {
    this.#options.logger.warn(`Favorites that another window changes may be noticed late. ${String(error)}`);
  }
}
