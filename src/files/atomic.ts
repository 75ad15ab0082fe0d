import { createHash, randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { type FileHandle, link, lstat, open, readdir, rename, stat, statfs, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { l10n } from '../base/l10n.ts';
import type { Logger } from '../base/logger.ts';
import { isHolderGone, leaseHolder } from '../machine/lease.ts';
import {
  DiskProblem,
  type FileAt,
  filesBelow,
  type GuardedFolder,
  guardParent,
  ifSupported,
  noSpace,
  onDisk,
  setRights,
  statOf,
  systemCode,
} from './guard.ts';
import { copyHashed, type FileHash, plainFile, remember } from './hash.ts';

interface Names {
  readonly at: FileAt;
  readonly part: string;
  readonly target: string;
  readonly folder: GuardedFolder;
}

/** An unfinished file beside its final name, so that the rename stays on one disk. */
export class Unfinished {
  /** Open for reading and writing, empty at first. */
  readonly file: FileHandle;
  readonly #names: Names;
  readonly #clock: Clock;

  /**
   * Makes and guards the folders on the way. The file is removed when its block ends, unless it was published.
   * @param room bytes that the disk must have free
   * @throws DiskProblem
   */
  static begin(at: FileAt, clock: Clock, room = 0): Promise<Unfinished> {
    return onDisk(async () => {
      const rights = at.isShared ? (await stat(at.root)).mode & 0o7777 : undefined;
      const folder = await guardParent(at, rights);
      if (room > 0) await requireRoom(folder.path, room);
      const name = basename(at.path);
      const part = join(folder.path, partName(name));
      const file = await open(part, 'wx+', at.isPrivate ? 0o600 : 0o666);
      const unfinished = new Unfinished(file, { at, part, target: join(folder.path, name), folder }, clock);
      try {
        if (rights !== undefined) await setRights(part, rights & 0o666);
        return unfinished;
      } catch (error) {
        await unfinished.discard();
        throw error;
      }
    });
  }

  private constructor(file: FileHandle, names: Names, clock: Clock) {
    this.file = file;
    this.#names = names;
    this.#clock = clock;
  }

  /** Fills it with a copy of another file, and gives the copy's hash. @throws DiskProblem */
  copy(from: string, signal?: AbortSignal): Promise<FileHash> {
    return onDisk(() => copyHashed(from, this.file, signal));
  }

  /**
   * Syncs the file and gives it its name. A file of that name is replaced only when its hash is one of `mayReplace`.
   * @param content what was written, if it was hashed: the next reader need not hash it again
   * @param isLasting false where a power cut may cost the bytes, since they are hashed again before use
   * @throws DiskProblem, `foreign` when another file has the name; the unfinished file is gone then
   */
  async publish(mayReplace: readonly string[], content?: FileHash, isLasting = true): Promise<void> {
    const { part, folder } = this.#names;
    try {
      await onDisk(async () => {
        if (isLasting) await this.file.sync();
        await this.file.close();
        await folder.recheck();
        const written = content && (await lstat(part));
        await this.#takeName(mayReplace);
        if (isLasting) await syncFolder(folder.path);
        if (written) await this.#remember(written, content);
      });
    } catch (error) {
      await this.discard();
      throw error;
    }
  }

  /** Removes it at the end of a block. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.discard();
  }

  /** Removes it, unless it was published. What can't be removed is swept later, and hides no other error. */
  async discard(): Promise<void> {
    await this.file.close().catch(() => {});
    await unlinkIfThere(this.#names.part, this.#clock).catch(() => {});
  }

  async #remember(written: Stats, content: FileHash): Promise<void> {
    const { at, target } = this.#names;
    // It has its name by now: where it can't be looked at, the next reader hashes it.
    const published = await lstat(target).catch(() => undefined);
    if (published && isUntouched(written, published)) remember(at, published, content);
  }

  async #takeName(mayReplace: readonly string[]): Promise<void> {
    const { at, part, target } = this.#names;
    for (;;) {
      const there = await plainFile(at, target);
      if (there && !mayReplace.includes(there.sha256)) {
        const words = l10n.t(
          '{0} is another file or was edited, so it was not overwritten. Move or rename it, then download again.',
          target,
        );
        throw new DiskProblem('foreign', words);
      }
      const outcome = there ? 'ours' : await takeFreeName(part, target);
      if (outcome === 'taken') return unlinkIfThere(part, this.#clock);
      if (outcome !== 'not-free') return retryWhileHeld(() => rename(part, target), this.#clock);
    }
  }
}

/** Whether a file is unchanged since it was written. Times of whole seconds prove nothing. */
function isUntouched(written: Stats, { ino, size, mtimeMs, ctimeMs }: Stats): boolean {
  const isFine = mtimeMs % 1000 !== 0 && ctimeMs % 1000 !== 0;
  return isFine && ino === written.ino && size === written.size && mtimeMs === written.mtimeMs;
}

async function requireRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(folder);
  // A virtual disk may have no size at all.
  if (blocks > 0 && bavail * bsize < bytes) throw noSpace();
}

/** A rename would replace a file that came in between; a hard link never does. Some disks have none. */
async function takeFreeName(part: string, target: string): Promise<'taken' | 'not-free' | 'no-links'> {
  try {
    return (await ifSupported(() => link(part, target))) ? 'taken' : 'no-links';
  } catch (error) {
    if (systemCode(error) !== 'EEXIST') throw error;
    return 'not-free';
  }
}

/** Makes the names in a folder outlast a power cut. Windows does this by itself and opens no folders. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(folder, constants.O_RDONLY);
  // Some network disks can't sync a folder; the file itself is safe.
  await ifSupported(() => handle.sync());
}

/** How long Windows is asked again for a file that another program holds, and between two attempts; ms. */
const longestWait = 60_000;
const firstPause = 10;
const longestPause = 100;

/** Repeats a rename or removal while a virus scanner holds the file, which Windows reports as a refused permission. */
export async function retryWhileHeld<T>(
  action: () => Promise<T>,
  clock: Clock,
  platform: NodeJS.Platform = process.platform,
): Promise<T> {
  const start = clock.monotonic();
  for (let pause = firstPause; ; pause = Math.min(pause + 10, longestPause)) {
    try {
      return await action();
    } catch (error) {
      const isHeld = ['EPERM', 'EBUSY', 'EACCES'].includes(systemCode(error) ?? '');
      if (platform !== 'win32' || !isHeld || clock.monotonic() - start >= longestWait) throw error;
      await clock.sleep(pause);
    }
  }
}

async function unlinkIfThere(path: string, clock: Clock): Promise<void> {
  try {
    await retryWhileHeld(() => unlink(path), clock);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

/** Parts of the names of unfinished files, by which a later process sees whether the writer still runs. */
const computer = createHash('sha256').update(hostname()).digest('hex').slice(0, 4);
const writer = leaseHolder().split(' ').slice(1, 3).join('-');
const partForm = /^\.(.+)\.([0-9a-f]{4})-(\d{1,10})-(\d{1,20}|-)-[0-9a-f]{8}\.part$/;

/** An unfinished file that wasn't written to for this long, in ms, has no owner. */
const abandonedAfter = 60 * 60 * 1000;

/** A new hidden name for the unfinished version of `name`, never the same twice. */
export function partName(name: string): string {
  return `.${name}.${computer}-${writer}-${randomBytes(4).toString('hex')}.part`;
}

/** Removes what a crash left of one file, beside it. */
export async function sweepPartsOf(file: string, clock: Clock): Promise<void> {
  const names = (await readdir(dirname(file))).filter((name) => partForm.exec(name)?.[1] === basename(file));
  for (const path of names.map((name) => join(dirname(file), name)))
    if (await isAbandoned(path, clock)) await unlinkIfThere(path, clock);
}

/** Removes unfinished files that a crash left below a folder, and nothing else; gives how many. Follows no link. */
export async function sweepParts(folder: string, clock: Clock, logger: Logger): Promise<number> {
  const tolerate = (error: unknown) => {
    const code = systemCode(error);
    if (code === undefined) throw error;
    // Another window may have removed it first.
    if (code !== 'ENOENT') logger.warn(`Unfinished downloads could not be removed: ${code}`);
  };
  let removed = 0;
  for (const path of (await filesBelow(folder).catch(tolerate)) ?? []) {
    try {
      if (!(await isAbandoned(path, clock))) continue;
      await unlink(path);
      removed++;
    } catch (error) {
      // Windows refuses a file that a program holds; the others can still be removed.
      tolerate(error);
    }
  }
  return removed;
}

/** Whether a path has the name of an unfinished file or folder whose process ended, or that is an hour old. */
export async function isAbandoned(path: string, clock: Clock): Promise<boolean> {
  const [, , itsComputer, pid, start] = partForm.exec(basename(path)) ?? [];
  if (itsComputer === undefined) return false;
  if (itsComputer === computer && isHolderGone(`${hostname()} ${pid} ${start}`)) return true;
  const found = await statOf(path);
  return found !== undefined && clock.now() - found.mtimeMs > abandonedAfter;
}
