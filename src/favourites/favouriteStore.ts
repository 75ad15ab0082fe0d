import { type FSWatcher, watch } from 'node:fs';
import { mkdir, open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { type Disposable, Emitter, type Event } from '../base/disposable.ts';
import { l10n } from '../base/l10n.ts';
import type { Logger } from '../base/logger.ts';
import { once } from '../base/once.ts';
import { retryWhileHeld, statOf, systemCode } from '../downloads/disk.ts';
import { readText, updateText } from '../downloads/lockFile.ts';
import { sweepParts } from '../downloads/publish.ts';
import { type Favourite, type FavouriteName, formatList, ListProblem, nameOf, parseList } from './list.ts';

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

/**
 * A lock that is older than this, in ms, was left by a process that is gone; each is held for some milliseconds. So was
 * one from a time to come: the machine's clock was set back since.
 */
const leftAfter = 10_000;
/** So long is waited for other windows, in ms. */
const longestWait = 3 * leftAfter;
const pause = 10;

/**
 * The favourites of each connection in a file of its own, for this user alone. Windows change it in turn, and each
 * notices what the others did.
 */
export class FavouriteStore implements Disposable {
  readonly #folder: string;
  readonly #clock: Clock;
  readonly #logger: Logger;
  readonly #changed = new Emitter<void>();
  #watcher: FSWatcher | undefined;
  readonly #ready = once(() => this.#open());
  readonly #ended = new AbortController();
  /** What was read last, and what tells its file from another. */
  #known = { file: '', stamp: '', favourites: noFavourites };

  /** Fires when what was read last may be out of date. */
  readonly onDidChange: Event<void> = this.#changed.event;

  /** @param folder where the files are; made when it is missing */
  constructor(folder: string, clock: Clock, logger: Logger) {
    this.#folder = folder;
    this.#clock = clock;
    this.#logger = logger;
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

  /** Changes a file's favourites, in turn with the other windows. @throws ListProblem or DiskProblem; then nothing is changed */
  async change(file: string, edit: FavouriteEdit): Promise<void> {
    await this.#ready.get();
    const update = (text: string | undefined) =>
      formatList(edit(text === undefined ? [] : parseList(text, join(this.#folder, file))), file);
    await this.#alone(file, () => updateText(this.#at(file), update, this.#clock));
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
    await sweepParts(this.#folder, this.#clock, this.#logger);
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
    // Told once; whoever reads takes the new stamp.
    if (this.#known.stamp === stamp) this.#known = { ...this.#known, file: '' };
    this.#changed.fire();
  }

  /** Runs work while no other window does: a replacement that another one makes in the same moment would be lost. */
  async #alone(file: string, work: () => Promise<void>): Promise<void> {
    const lock = join(this.#folder, `${file}.lock`);
    const start = this.#clock.monotonic();
    while (!(await this.#take(lock))) {
      if (this.#clock.monotonic() - start > longestWait)
        throw new ListProblem(l10n.t('Other windows kept changing your favourites, so this was not done. Try again.'));
      await this.#clock.sleep(pause * (0.5 + Math.random()), this.#ended.signal);
    }
    try {
      await work();
    } finally {
      await rm(lock, { force: true });
    }
  }

  async #take(lock: string): Promise<boolean> {
    try {
      await (await retryWhileHeld(() => open(lock, 'wx', 0o600), this.#clock)).close();
      return true;
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
      if (await this.#isLeft(lock)) await this.#clear(lock);
      return false;
    }
  }

  async #isLeft(lock: string): Promise<boolean> {
    const found = await statOf(lock);
    return found !== undefined && Math.abs(this.#clock.now() - found.mtimeMs) > leftAfter;
  }

  /**
   * Removes a lock that was left. One window at a time, which looks again once it may: else one that looked before could
   * remove the lock that another has taken since.
   */
  async #clear(lock: string): Promise<void> {
    const clearing = `${lock}.clearing`;
    try {
      await (await open(clearing, 'wx', 0o600)).close();
    } catch (error) {
      if (systemCode(error) !== 'EEXIST') throw error;
      // Left by a process that ended in these moments.
      if (await this.#isLeft(clearing)) await rm(clearing, { force: true });
      return;
    }
    try {
      if (await this.#isLeft(lock)) await rm(lock, { force: true });
    } finally {
      await rm(clearing, { force: true });
    }
  }

  #warnDeaf(error: unknown): void {
    this.#logger.warn(`Favourites that another window changes may be noticed late. ${String(error)}`);
  }
}
