import { constants } from 'node:fs';
import { copyFile, type FileHandle, link, lstat, open, rename, statfs, unlink } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { l10n } from '../base/l10n.ts';
import { DiskProblem, noSpace, onDisk, systemCode } from './diskProblem.ts';
import { hashFile } from './fileHash.ts';
import { findParent, guardParent } from './folderGuard.ts';
import { syncFolder } from './folderSync.ts';
import { partName, takeOver } from './partFile.ts';
import { patiently } from './patience.ts';

/** Where a file belongs. */
export interface PlaceAt {
  /** Absolute path of the workspace folder, or of the folder that stands for it. */
  readonly root: string;
  /** Path below it, parts separated by `/`. */
  readonly path: string;
}

/** What lies at a place now. */
export interface FileThere {
  readonly sha256: string;
  readonly bytes: number;
}

/** An unfinished file beside its place. Ends with exactly one of `commit` and `discard`. */
export interface Unfinished {
  /** Open for reading and writing, empty unless it began as a copy or was adopted. */
  readonly file: FileHandle;
  /** Bytes that a process left here before it died; to be checked with the whole. */
  readonly adopted: number;
  /**
   * Gives the file its name, after its bytes are on the disk. A file that lies there already is replaced only when its
   * hash is one of `mayReplace`.
   * @throws DiskProblem `foreign` when a file that isn't ours lies there; the unfinished file is gone then
   */
  commit(mayReplace: readonly string[]): Promise<void>;
  /** Removes it. Harmless after `commit`. */
  discard(): Promise<void>;
}

/** Reads what lies at a place. Undefined when nothing does; throws a DiskProblem for anything but a plain file. */
export function fileThere(at: PlaceAt, signal?: AbortSignal): Promise<FileThere | undefined> {
  return onDisk(async () => {
    const folder = await findParent(at.root, at.path);
    return folder === undefined ? undefined : plainFile(join(folder, basename(at.path)), signal);
  });
}

export interface Beginning {
  /** Absolute path of a file to begin as a copy of; shares its blocks where the disk can. */
  readonly from?: string | undefined;
  /** Bytes that the disk must have free. */
  readonly room?: number | undefined;
  /** Hash of the bytes that belong there, for the name of the unfinished file. */
  readonly wanted?: string | null | undefined;
  /** Absolute path of what a process left of these bytes before it died; begins anew when it can't be taken over. */
  readonly left?: string | undefined;
}

/**
 * Makes the unfinished file for a place, in the same folder so that the final rename stays on one disk; folders on the
 * way are made and guarded.
 * @throws DiskProblem
 */
export function openUnfinished(at: PlaceAt, clock: Clock, beginning: Beginning = {}): Promise<Unfinished> {
  return onDisk(() => makeUnfinished(at, clock, beginning));
}

async function makeUnfinished(
  at: PlaceAt,
  clock: Clock,
  { from, room = 0, wanted, left }: Beginning,
): Promise<Unfinished> {
  const folder = await guardParent(at.root, at.path);
  const name = basename(at.path);
  const target = join(folder.path, name);
  const part = join(folder.path, partName(name, wanted));
  const taken = left === undefined ? undefined : await takeOver(left, part);
  const adopted = taken?.bytes ?? 0;
  try {
    if (room > adopted) await requireRoom(folder.path, room - adopted);
  } catch (error) {
    await taken?.file.close();
    if (taken) await unlinkIfThere(part, clock);
    throw error;
  }
  const file = taken?.file ?? (await (from === undefined ? open(part, 'wx+') : openCopy(from, part, clock)));
  let isOpen = true;
  let exists = true;

  async function close() {
    if (!isOpen) return;
    isOpen = false;
    await file.close();
  }
  async function discard() {
    if (!exists) return;
    exists = false;
    await close();
    await unlinkIfThere(part, clock);
  }
  async function commit(mayReplace: readonly string[]) {
    await file.sync();
    await close();
    await folder.recheck();
    await giveName(part, target, mayReplace, clock);
    exists = false;
    await syncFolder(folder.path);
  }
  return {
    file,
    adopted,
    discard: () => onDisk(discard),
    async commit(mayReplace) {
      try {
        await onDisk(() => commit(mayReplace));
      } catch (error) {
        await discard();
        throw error;
      }
    },
  };
}

async function requireRoom(folder: string, bytes: number): Promise<void> {
  const { bavail, blocks, bsize } = await statfs(folder);
  // A virtual disk may have no size at all.
  if (blocks > 0 && bavail * bsize < bytes) throw new DiskProblem('no-space', l10n.word(noSpace));
}

async function openCopy(from: string, part: string, clock: Clock): Promise<FileHandle> {
  try {
    await copyFile(from, part, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    const file = await open(part, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
    // The copy took over the rights of a cache that is for one user.
    await file.chmod(0o644);
    return file;
  } catch (error) {
    await unlinkIfThere(part, clock);
    throw error;
  }
}

async function plainFile(path: string, signal?: AbortSignal): Promise<FileThere | undefined> {
  try {
    const found = await lstat(path);
    if (found.isSymbolicLink())
      throw new DiskProblem('symlink', l10n.t('{0} is a symbolic link. Remove it, then try again.', path));
    if (!found.isFile())
      throw new DiskProblem('in-the-way', l10n.t('{0} is no plain file. Move it away, then try again.', path));
    return await hashFile(path, signal);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

async function giveName(part: string, target: string, mayReplace: readonly string[], clock: Clock): Promise<void> {
  for (;;) {
    const present = await plainFile(target);
    if (present && !mayReplace.includes(present.sha256)) {
      throw new DiskProblem(
        'foreign',
        l10n.t(
          '{0} is another file, or was edited; it was not overwritten. Move or rename it, then download again.',
          target,
        ),
      );
    }
    const outcome = present ? 'ours' : await takeFreeName(part, target);
    if (outcome === 'ours' || outcome === 'no-links') return patiently(() => rename(part, target), clock);
    if (outcome === 'taken') return unlinkIfThere(part, clock);
  }
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
    await patiently(() => unlink(path), clock);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw error;
  }
}
