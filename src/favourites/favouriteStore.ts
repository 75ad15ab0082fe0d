import { type FSWatcher, watch } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { type Disposable, Emitter, type Event } from '../base/disposable.ts';
import type { Logger } from '../base/logger.ts';
import { once } from '../base/once.ts';
import { changeFile, readText } from '../downloads/changeFile.ts';
import { statOf } from '../downloads/disk.ts';
import { sweepParts } from '../downloads/publish.ts';
import { type Favourite, type FavouriteName, formatList, nameOf, parseList } from './list.ts';

/** The favourites of one connection at one moment. */
export class Favourites {
  /** In the order of lists: a company before its reports. */
  readonly items: readonly Favourite[];
  readonly #byName: ReadonlyMap<string, Favourite>;

  constructor(items: readonly Favourite[]) {
    this.items = items;
    this.#byName = new Map(items.map((item) => [nameOf(item), item]));
  }

  /** What a person said of a company or report; undefined when it has no star. */
  of(name: FavouriteName): Favourite | undefined {
    return this.#byName.get(nameOf(name));
  }
}

export const noFavourites = new Favourites([]);

/** Makes another list of one. Called again on what another window wrote meanwhile. */
export type FavouriteEdit = (items: readonly Favourite[]) => readonly Favourite[];

interface FavouriteOptions {
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * The favourites of each connection in a file of its own, for this user alone. Windows change it in turn, and each
 * notices what the others did.
 */
export class FavouriteStore implements Disposable {
  readonly #folder: string;
  readonly #options: FavouriteOptions;
  readonly #changed = new Emitter<void>();
  #watcher: FSWatcher | undefined;
  readonly #ready = once(() => this.#open());
  readonly #ended = new AbortController();
  /** What was read last, and what tells its file from another. */
  #known = { file: '', stamp: '', favourites: noFavourites };

  /** Fires when what was read last may be out of date. */
  readonly onDidChange: Event<void> = this.#changed.event;

  /** @param folder where the files are; made when it is missing */
  constructor(folder: string, options: FavouriteOptions) {
    this.#folder = folder;
    this.#options = options;
  }

  /** The favourites in a file; none while there is no file. @throws ListProblem or DiskProblem */
  async read(file: string): Promise<Favourites> {
    await this.#ready.get();
    const stamp = await this.#stamp(file);
    if (this.#known.file !== file || this.#known.stamp !== stamp) {
      const text = await readText(this.#at(file));
      this.#known = {
        file,
        stamp,
        favourites: text === undefined ? noFavourites : new Favourites(parseList(text, join(this.#folder, file))),
      };
    }
    return this.#known.favourites;
  }

  /** Changes a file's favourites, in turn with other windows. @throws ListProblem or DiskProblem; nothing is changed */
  async change(file: string, edit: FavouriteEdit): Promise<void> {
    await this.#ready.get();
    const update = (text: string | undefined) =>
      formatList(edit(text === undefined ? [] : parseList(text, join(this.#folder, file))), file);
    await changeFile(this.#at(file), update, this.#ended.signal);
    await this.#look();
  }

  dispose(): void {
    this.#ended.abort();
    this.#watcher?.close();
    this.#changed.dispose();
  }

  #at(file: string) {
    return { root: this.#folder, path: file, isPrivate: true };
  }

  async #stamp(file: string): Promise<string> {
    const found = await statOf(join(this.#folder, file));
    return found ? [found.ino, found.size, found.mtimeMs, found.ctimeMs].join() : '';
  }

  async #open(): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    await sweepParts(this.#folder, this.#options.clock, this.#options.logger);
    if (this.#ended.signal.aborted) return;
    try {
      this.#watcher = watch(this.#folder, { persistent: false }, () => void this.#look());
      this.#watcher.on('error', (error) => this.#warnDeaf(error));
    } catch (error) {
      this.#warnDeaf(error);
    }
  }

  /** Tells that the file that was read last is another one now. */
  async #look(): Promise<void> {
    const { file, stamp } = this.#known;
    if (file === '' || this.#ended.signal.aborted || (await this.#stamp(file)) === stamp) return;
    // Told once; the reader takes the new stamp.
    if (this.#known.stamp === stamp) this.#known = { ...this.#known, file: '' };
    this.#changed.fire();
  }

  #warnDeaf(error: unknown): void {
    this.#options.logger.warn(`Favourites that another window changes may be noticed late. ${String(error)}`);
  }
}
