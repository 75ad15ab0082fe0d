import { createHash, type Hash } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { access, type FileHandle, lstat, mkdir, open, readdir, realpath } from 'node:fs/promises';
import { basename, isAbsolute, join, posix, relative, sep } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { l10n } from '../base/l10n.ts';
import type { GitRewrite } from '../machine/gitRewrites.ts';

/** Why a file could not be put where it belongs. */
export type DiskProblemCode =
  | 'symlink'
  | 'outside'
  | 'foreign'
  | 'in-the-way'
  | 'no-space'
  | 'read-only'
  | 'locked'
  | 'name-too-long'
  | 'disk';

/** Thrown when the disk, or what lies on it, keeps a file from its place. Its message is fit to be shown. */
export class DiskProblem extends Error {
  override readonly name = 'DiskProblem';
  readonly code: DiskProblemCode;

  constructor(code: DiskProblemCode, message: string, cause?: unknown) {
    super(message, { cause });
    this.code = code;
  }
}

const notAllowed = l10n.later('The folder can’t be written. Check its permissions or choose another downloads folder.');
const fullDisk = l10n.later('The disk is full. Free some space, then try again.');

/** For a disk without the room that a file needs. */
export const noSpace = () => new DiskProblem('no-space', l10n.word(fullDisk));

const known: Readonly<Record<string, readonly [DiskProblemCode, string]>> = {
  ENOSPC: ['no-space', fullDisk],
  EDQUOT: ['no-space', l10n.later('Your disk quota is used up. Free some space, then try again.')],
  EFBIG: ['no-space', l10n.later('The file is larger than this disk allows. Choose another folder.')],
  EROFS: ['read-only', l10n.later('The folder is read-only. Choose another downloads folder.')],
  EACCES: ['read-only', notAllowed],
  EPERM: ['read-only', notAllowed],
  EBUSY: ['locked', l10n.later('Another program is using the file. Close it there, then try again.')],
  ENAMETOOLONG: [
    'name-too-long',
    l10n.later('The path is too long for this disk. Shorten the downloads path setting.'),
  ],
  ENOTDIR: ['in-the-way', l10n.later('A file is in the way of a required folder. Move it away, then try again.')],
  EISDIR: ['in-the-way', l10n.later('A folder is in the way of the file. Move it away, then try again.')],
  ENOENT: ['disk', l10n.later('The folder was removed while the file was being written. Try again.')],
  EMFILE: ['disk', l10n.later('Too many files are open on this computer. Try again in a moment.')],
};

/** The code that a failed system call carries, such as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/**
 * Runs work on the disk and puts a failed system call into words. Wrapped around the disk alone: a broken connection
 * carries codes of the same kind.
 * @throws DiskProblem for a failed system call; any other error as it is
 */
export async function onDisk<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const code = systemCode(error);
    if (error instanceof DiskProblem || code === undefined || !(error instanceof Error && 'syscall' in error))
      throw error;
    const [kind, message] = known[code] ?? ['disk', ''];
    const words = message === '' ? l10n.t('The disk refused the file ({0}). Try again.', code) : l10n.word(message);
    throw new DiskProblem(kind, words, error);
  }
}

/** What is under a name, a link itself and not what it leads to; undefined when nothing is. */
export async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await lstat(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** True when there is a file or a folder of this path. */
export async function isThere(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}

/** Those of these absolute paths that there are. */
export async function present(paths: readonly string[]): Promise<Set<string>> {
  const found = await statsOf(paths);
  return new Set(paths.filter((_, at) => found[at]));
}

/** Files that are looked at together: a lock file may name any number, and nothing else is to wait. */
const looksAtOnce = 8;

/** Stats of each file, not following links, few at a time; null for one that is gone. */
export async function statsOf(paths: readonly string[]): Promise<readonly (Stats | null)[]> {
  const found: (Stats | null)[] = [];
  const entries = paths.entries();
  const look = async () => {
    for (const [at, path] of entries) found[at] = await lstat(path).catch(() => null);
  };
  await Promise.all(Array.from({ length: looksAtOnce }, look));
  return found;
}

/** Folders that tools obey: nothing of ours is ever written below one, whatever its spelling. */
const obeyedFolders = new Set(['.git', '.vscode', '.devcontainer', 'git~1', 'vscode~1', 'devcon~1']);

export const invisible =
  /[\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

/** Two names with the same key are one file on some file system: compared NFC and case-folded on every system. */
export function foldedName(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** True for a folder name that tools obey, such as `.git`, in any spelling some file system takes for it. */
export function isObeyedFolder(name: string): boolean {
  const folded = foldedName(name.replace(invisible, ''));
  return obeyedFolders.has(folded.replace(/:.*$/s, '').replace(/(?<![. ])[. ]+$/, ''));
}

/** Absolute paths of the plain files below a folder; none when there is no folder. Follows no link. */
export async function filesBelow(folder: string): Promise<string[]> {
  try {
    const found = await readdir(folder, { recursive: true, withFileTypes: true });
    return found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** How long a file that another program holds is waited for on Windows, and between tries; ms. */
const longestWait = 60_000;
const firstPause = 10;
const longestPause = 100;

/**
 * Runs a rename or removal again while a virus scanner or indexer holds the file, which on Windows shows as a refused
 * permission. Other systems give that error for good reasons, so there it is thrown at once.
 */
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

/** Makes the names in a folder outlast a power cut. Windows keeps names by itself and opens no folders. */
export async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } catch (error) {
    // Some network disks can't sync a folder; the file itself is safe.
    if (!['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EBADF', 'EPERM'].includes(systemCode(error) ?? '')) throw error;
  }
}

/** The bytes of a file: lower-case hex, and how many. */
export interface FileHash {
  readonly sha256: string;
  readonly bytes: number;
  /** What Git may have made this file of. */
  readonly rewrite?: GitRewrite | undefined;
}

/** Fits the second-level cache of a processor core: reading in pieces of twice the size takes four times as long. */
export const chunkBytes = 1 << 18;

/** Feeds an open file to a hash, from its start to its end or to `until`; gives how many bytes that were. */
export async function hashInto(
  hash: Hash,
  file: FileHandle,
  until = Number.POSITIVE_INFINITY,
  signal?: AbortSignal,
): Promise<number> {
  const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, until));
  let bytes = 0;
  while (bytes < until) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, until - bytes), bytes);
    if (bytesRead === 0) break;
    hash.update(chunk.subarray(0, bytesRead));
    bytes += bytesRead;
  }
  return bytes;
}

/** Reads an open file from its start to its end. */
export async function hashOpenFile(file: FileHandle, signal?: AbortSignal): Promise<FileHash> {
  const hash = createHash('sha256');
  const bytes = await hashInto(hash, file, undefined, signal);
  return { sha256: hash.digest('hex'), bytes };
}

/** Reading flags: a link put in the file's place is not followed, a pipe does not keep us waiting. Zero on Windows. */
export const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** SHA-256 of a file that is no symbolic link. Throws the system's own error. */
export async function hashFile(path: string, signal?: AbortSignal): Promise<FileHash> {
  await using file = await open(path, readFlags);
  return await hashOpenFile(file, signal);
}

/** A folder that was found safe to write in, and what it was then. */
export interface GuardedFolder {
  /** Absolute, without symbolic links. */
  readonly path: string;
  /** Throws a {@link DiskProblem} unless the folder is still the one that was checked. */
  recheck(): Promise<void>;
}

/**
 * Checks every folder on the way from `root` to the parent of `file` and makes the missing ones. Refuses symbolic links
 * and junctions, whatever resolves outside the root, and folders that tools obey such as `.git`.
 * @param file path relative to `root`, parts separated by `/`
 * @param isPrivate new folders are for this user alone
 * @param rights mode that new folders get, where they are not to have what this user's usually get
 * @throws DiskProblem, or the system's own error
 */
export async function guardParent(
  root: string,
  file: string,
  isPrivate = false,
  rights?: number,
): Promise<GuardedFolder> {
  const { realRoot, folders, path } = await parentOf(root, file);
  for (const folder of folders) if (!(await isPlainFolder(folder))) await makeFolder(folder, isPrivate, rights);
  const before = await identify(realRoot, path);
  return {
    path,
    async recheck() {
      const now = await identify(realRoot, path);
      if (now === before) return;
      // A link on the way is told as what it is.
      await Promise.all(folders.map(isPlainFolder));
      const words = l10n.t('The folder {0} was replaced while the file was being written. Try again.', path);
      throw new DiskProblem('outside', words);
    },
  };
}

/**
 * Where `file` is, for reading only, its folders checked as in {@link guardParent}. Undefined when one of them is
 * missing.
 * @throws DiskProblem, or the system's own error
 */
export async function findFile(root: string, file: string): Promise<string | undefined> {
  const { folders, path } = await parentOf(root, file);
  for (const folder of folders) if (!(await isPlainFolder(folder))) return undefined;
  return join(path, basename(file));
}

/**
 * Those of these paths below a root, parts separated by `/`, that no link leads to: their folders are plain ones. Each
 * folder is checked once; the files themselves are not.
 */
export async function notThroughLinks(root: string, paths: readonly string[]): Promise<Set<string>> {
  const folders = new Set<string>();
  for (const path of paths)
    for (let folder = posix.dirname(path); folder !== '.' && !folders.has(folder); folder = posix.dirname(folder))
      folders.add(folder);
  const names = [...folders];
  const found = await statsOf(names.map((folder) => join(root, folder)));
  const plain = new Set(names.filter((_, at) => found[at]?.isDirectory()));
  const isPlain = (folder: string): boolean => folder === '.' || (plain.has(folder) && isPlain(posix.dirname(folder)));
  return new Set(paths.filter((path) => isPlain(posix.dirname(path))));
}

/** The folders on the way to a file below a root, and the last of them. @throws DiskProblem */
async function parentOf(root: string, file: string) {
  // The root itself may be opened through a link: that is the person's own choice.
  const realRoot = await realpath(root);
  const parts = file.split('/');
  const bad = parts.find((part) => part === '' || part === '.' || part === '..' || /[\\\0]/.test(part));
  if (isAbsolute(file) || bad !== undefined)
    throw new DiskProblem('outside', l10n.t('The path leaves the downloads folder.'));
  const obeyed = parts.find(isObeyedFolder);
  if (obeyed !== undefined) throw new DiskProblem('outside', l10n.t('Nothing is written below {0}.', obeyed));
  const folders = parts.slice(0, -1).map((_, index, all) => join(realRoot, ...all.slice(0, index + 1)));
  return { realRoot, folders, path: folders.at(-1) ?? realRoot };
}

async function makeFolder(folder: string, isPrivate: boolean, rights: number | undefined): Promise<void> {
  try {
    await mkdir(folder, isPrivate ? 0o700 : undefined);
    if (rights !== undefined) await setRights(folder, rights);
  } catch (error) {
    // Another download may have made it in between.
    if (systemCode(error) !== 'EEXIST') throw error;
  }
  await isPlainFolder(folder);
}

/** Gives a file or folder that was just made this mode, where the disk has modes that may be set. Follows no link. */
export async function setRights(path: string, mode: number): Promise<void> {
  if (process.platform === 'win32') return;
  await using made = await open(path, readFlags);
  try {
    await made.chmod(mode);
  } catch (error) {
    if (!['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS'].includes(systemCode(error) ?? '')) throw error;
  }
}

/** False when there is none. @throws DiskProblem for a link, and for anything else in its place */
async function isPlainFolder(folder: string): Promise<boolean> {
  const found = await statOf(folder);
  if (!found || found.isDirectory()) return found !== undefined;
  if (!found.isSymbolicLink()) throw inTheWay(folder);
  const words = l10n.t('{0} is a symbolic link. Replace it with a folder, or choose another one.', folder);
  throw new DiskProblem('symlink', words);
}

/** What tells one folder from another that took its name. @throws DiskProblem when it resolves outside the root */
async function identify(realRoot: string, folder: string): Promise<string> {
  const real = await realpath(folder);
  const inside = relative(realRoot, real);
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
    const words = l10n.t('{0} leads outside the workspace folder. Choose another downloads folder.', folder);
    throw new DiskProblem('outside', words);
  }
  const found = await lstat(real, { bigint: true });
  if (!found.isDirectory()) throw inTheWay(folder);
  return `${real} ${found.dev}:${found.ino}`;
}

function inTheWay(folder: string): DiskProblem {
  const words = l10n.t('{0} is a file where a folder is needed. Move it away, then try again.', folder);
  return new DiskProblem('in-the-way', words);
}
