import { createHash, randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, link, lstat, open, readdir, rename, stat, statfs, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { l10n } from '../base/l10n.ts';
import type { Logger } from '../base/logger.ts';
import { gitRewriteOf, mayHaveCrlf } from '../machine/gitRewrites.ts';
import { isHolderGone, leaseHolder } from '../machine/lease.ts';
import { openCopy } from './copy.ts';
import {
  DiskProblem,
  type FileHash,
  filesBelow,
  findFile,
  type GuardedFolder,
  guardParent,
  hashOpenFile,
  noSpace,
  onDisk,
  readFlags,
  retryWhileHeld,
  setRights,
  statOf,
  syncFolder,
  systemCode,
} from './disk.ts';

/** Where a file belongs. */
export interface FileAt {
  /** Absolute path of the workspace folder, or of the folder that stands for it. */
  readonly root: string;
  /** Path below it, parts separated by `/`. */
  readonly path: string;
  /** True in the extension's own storage: what is made there is for this user alone. */
  readonly isPrivate?: boolean | undefined;
  /** True on a share: what is made there gets the rights of the root, whatever this user's new files get. */
  readonly isShared?: boolean | undefined;
}

/** Absolute path of a place; guarded by nothing. */
export function pathOf({ root, path }: FileAt): string {
  return join(root, path);
}

/** How the bytes of a file are found out. */
export interface LookOptions {
  readonly signal?: AbortSignal | undefined;
  /** True to read the file even when it is known. */
  readonly anew?: boolean | undefined;
  /** Expected size of the file; used to detect line endings that Git changed. */
  readonly bytes?: number | undefined;
}

/**
 * What lies at a place. Reads the file unless it has not changed since this process read or published it. Undefined
 * when nothing is there; throws a DiskProblem for anything but a plain file.
 */
export function fileThere(at: FileAt, options?: LookOptions): Promise<FileHash | undefined> {
  return onDisk(async () => {
    const path = await findFile(at.root, at.path);
    return path === undefined ? undefined : plainFile(at, path, options);
  });
}

/** What files held when this process read or published them, by path. */
const knownFiles = new Map<string, { readonly stamp: string; readonly there: FileHash }>();
const maxKnown = 20_000;

/** A file younger than this many ms may change once more under the same times: disks count them in up to 2 s. */
const settled = 2000;

/** Tells a file from another one, and from a later version of itself. */
export const fileStamp = ({ ino, size, mtimeMs, ctimeMs }: Stats) => [ino, size, mtimeMs, ctimeMs].join();

/**
 * What a file was found to hold, by its present `stats`; undefined when it is not known, or has changed since.
 * @param bytes as in {@link LookOptions}
 */
export function knownFile(at: FileAt, stats: Stats, bytes: number | undefined): FileHash | undefined {
  const known = knownFiles.get(pathOf(at));
  if (known?.stamp !== fileStamp(stats)) return undefined;
  const isOpen = bytes !== undefined && mayHaveCrlf(stats.size, bytes) && !known.there.rewrite;
  return isOpen ? undefined : known.there;
}

function remember(at: FileAt, stats: Stats, { sha256, bytes, rewrite }: FileHash): void {
  const [oldest] = knownFiles.keys();
  if (knownFiles.size >= maxKnown && oldest !== undefined) knownFiles.delete(oldest);
  knownFiles.set(pathOf(at), { stamp: fileStamp(stats), there: { sha256, bytes, ...(rewrite && { rewrite }) } });
}

/** What a look at a file gives; why it failed, in words fit to be shown; undefined where there is no file. */
export type LookedAt<T> = T | { readonly reason: string } | undefined;

/** Looks at a file. Throws nothing but the signal's reason once it aborts. */
export async function found<T>(look: () => Promise<T>, signal?: AbortSignal): Promise<LookedAt<T>> {
  try {
    return await look();
  } catch (error) {
    signal?.throwIfAborted();
    if (systemCode(error) === 'ENOENT') return undefined;
    return { reason: error instanceof DiskProblem ? error.message : l10n.t('It could not be read.') };
  }
}

export interface Beginning {
  /** Absolute path of a plain file to begin as a copy of; shares its blocks where system and disk can. */
  readonly from?: string | undefined;
  /** Bytes that the disk must have free. */
  readonly room?: number | undefined;
}

interface Names {
  readonly at: FileAt;
  readonly part: string;
  readonly target: string;
  readonly folder: GuardedFolder;
}

/** An unfinished file in the folder of its place, so that the final rename stays on one disk. */
export class Unfinished {
  /** Open for reading and writing, empty unless it began as a copy. */
  readonly file: FileHandle;
  readonly #names: Names;
  readonly #clock: Clock;
  #exists = true;

  /** Folders on the way are made and guarded. Removed when its block ends unless published. @throws DiskProblem */
  static begin(at: FileAt, clock: Clock, { from, room = 0 }: Beginning = {}): Promise<Unfinished> {
    return onDisk(async () => {
      const rights = at.isShared ? (await stat(at.root)).mode & 0o7777 : undefined;
      const folder = await guardParent(at.root, at.path, at.isPrivate, rights);
      const name = basename(at.path);
      const part = join(folder.path, partName(name));
      const mode = at.isPrivate ? 0o600 : 0o666;
      let file: FileHandle | undefined;
      try {
        if (room > 0) await requireRoom(folder.path, room);
        file = await (from === undefined ? open(part, 'wx+', mode) : openCopy(from, part, mode));
        if (rights !== undefined) await setRights(part, rights & 0o666);
        return new Unfinished(file, { at, part, target: join(folder.path, name), folder }, clock);
      } catch (error) {
        await unlessRefused(async () => {
          await file?.close();
          if (systemCode(error) !== 'EEXIST') await unlinkIfThere(part, clock);
        });
        throw error;
      }
    });
  }

  private constructor(file: FileHandle, names: Names, clock: Clock) {
    this.file = file;
    this.#names = names;
    this.#clock = clock;
  }

  /**
   * Gives the file its name, after its bytes are on the disk. A file that lies there already is replaced only when its
   * hash is one of `mayReplace`.
   * @param content what was written, if it was hashed on its way: whoever looks at the file next need not read it
   * @param isLasting false where a power cut may cost the bytes, since they are hashed again before use
   * @throws DiskProblem `foreign` when a file that isn't ours lies there; the unfinished file is gone then
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
        this.#exists = false;
        if (isLasting) await syncFolder(folder.path);
        if (written) await this.#rememberContent(written, content);
      });
    } catch (error) {
      await unlessRefused(() => this.discard());
      throw error;
    }
  }

  /** Discards it at the end of a block. */
  [Symbol.asyncDispose](): Promise<void> {
    return unlessRefused(() => this.discard());
  }

  /** Removes it. Harmless after `publish`. */
  async discard(): Promise<void> {
    if (!this.#exists) return;
    this.#exists = false;
    await onDisk(async () => {
      await this.file.close();
      await unlinkIfThere(this.#names.part, this.#clock);
    });
  }

  /** The file has its name by now: where it can't be looked at, the next look reads it. */
  async #rememberContent(written: Stats, content: FileHash): Promise<void> {
    const { at, target } = this.#names;
    const published = await lstat(target).catch(() => undefined);
    if (published?.size === content.bytes && isUntouched(written, published)) remember(at, published, content);
  }

  async #takeName(mayReplace: readonly string[]): Promise<void> {
    const { at, part, target } = this.#names;
    for (;;) {
      const present = await plainFile(at, target);
      if (present && !mayReplace.includes(present.sha256)) {
        const words = l10n.t(
          '{0} is another file or was edited, so it was not overwritten. Move or rename it, then download again.',
          target,
        );
        throw new DiskProblem('foreign', words);
      }
      const outcome = present ? 'ours' : await takeFreeName(part, target);
      if (outcome === 'taken') return unlinkIfThere(part, this.#clock);
      if (outcome !== 'not-free') return retryWhileHeld(() => rename(part, target), this.#clock);
    }
  }
}

/** Tidies up. A disk that refuses this too must not hide why it is done; what stays is swept later. */
async function unlessRefused(work: () => Promise<void>): Promise<void> {
  try {
    await onDisk(work);
  } catch (error) {
    if (!(error instanceof DiskProblem)) throw error;
  }
}

/**
 * True when a file that took its name is the one that was written, and nobody wrote to it since. Where times are whole
 * seconds they would not tell: there the next look reads the file.
 */
function isUntouched(written: Stats, published: Stats): boolean {
  const { ino, size, mtimeMs, ctimeMs } = published;
  const isFine = mtimeMs % 1000 !== 0 && ctimeMs % 1000 !== 0;
  return isFine && ino === written.ino && size === written.size && mtimeMs === written.mtimeMs;
}

async function requireRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(folder);
  // A virtual disk may have no size at all.
  if (blocks > 0 && bavail * bsize < bytes) throw noSpace();
}

async function plainFile(
  at: FileAt,
  path: string,
  { signal, anew = false, bytes }: LookOptions = {},
): Promise<FileHash | undefined> {
  try {
    await requirePlain(path);
    await using file = await open(path, readFlags);
    // Asked of the open file: what a share tells of a path may be some seconds old.
    const stats = await file.stat();
    const known = anew ? undefined : knownFile(at, stats, bytes);
    if (known) return known;
    // A time ahead of ours is that of a server with another clock.
    const isSettled = Math.abs(Date.now() - stats.ctimeMs) >= settled;
    const content = await hashOpenFile(file, signal);
    const rewrite = await gitRewriteOf(file, content.bytes, bytes, signal);
    const there = rewrite ? { ...content, rewrite } : content;
    // Under the times from before the reading: a write in between makes the next look read again.
    if (isSettled) remember(at, stats, there);
    return there;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** What is known of a plain file. @throws DiskProblem for anything else, and the system's own error */
export async function requirePlain(path: string): Promise<Stats> {
  const found = await lstat(path);
  if (found.isSymbolicLink())
    throw new DiskProblem('symlink', l10n.t('{0} is a symbolic link. Remove it, then try again.', path));
  if (!found.isFile())
    throw new DiskProblem('in-the-way', l10n.t('{0} isn’t a regular file. Move it away, then try again.', path));
  return found;
}

const noHardLinks = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL', 'EACCES', 'UNKNOWN']);

/** A rename would replace whatever came under the name in between; a hard link never does. Some disks have none. */
async function takeFreeName(part: string, target: string): Promise<'taken' | 'not-free' | 'no-links'> {
  try {
    await link(part, target);
    return 'taken';
  } catch (error) {
    const code = systemCode(error) ?? '';
    if (code === 'EEXIST') return 'not-free';
    if (noHardLinks.has(code)) return 'no-links';
    throw error;
  }
}

async function unlinkIfThere(path: string, clock: Clock): Promise<void> {
  try {
    await retryWhileHeld(() => unlink(path), clock);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}

/**
 * Names of unfinished files: `.{name}.{computer}-{process id}-{start of the process}-{random}.part`, so that a later
 * start can see whose it is and whether that process still runs.
 */
const computer = createHash('sha256').update(hostname()).digest('hex').slice(0, 4);
const writer = leaseHolder().split(' ').slice(1, 3).join('-');
const partForm = /^\.(.+)\.([0-9a-f]{4})-(\d{1,10})-(\d{1,20}|-)-[0-9a-f]{8}\.part$/;

/** An unfinished file that nobody wrote to for this long, in ms, has no owner any more. */
const abandonedAfter = 60 * 60 * 1000;

/** A new name for the unfinished version of `name`; hidden, beside it, never the same twice. */
export function partName(name: string): string {
  return `.${name}.${computer}-${writer}-${randomBytes(4).toString('hex')}.part`;
}

/** Removes what a crash left of one file, beside it. */
export async function sweepPartsOf(file: string, clock: Clock): Promise<void> {
  const names = (await readdir(dirname(file))).filter((name) => partForm.exec(name)?.[1] === basename(file));
  for (const path of names.map((name) => join(dirname(file), name)))
    if (await isAbandoned(path, clock)) await unlinkIfThere(path, clock);
}

/**
 * Removes unfinished files that a crash left below `folder`: those whose process is gone, and those untouched for an
 * hour. Follows no link, and takes nothing whose name is not one of ours. Gives how many.
 */
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
      // The others are removed all the same: Windows refuses one that a program holds.
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
