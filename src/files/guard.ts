import { constants, type Stats } from 'node:fs';
import { access, lstat, mkdir, open, readdir, realpath } from 'node:fs/promises';
import { basename, isAbsolute, join, posix, relative, sep } from 'node:path';
import { l10n } from '../base/l10n.ts';

/** Why a file could not be read or written. */
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

/** Thrown when the disk, or what is on it, refuses a file. Its message is shown to a person. */
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

/** The error for a disk without room for a file. */
export const noSpace = () => new DiskProblem('no-space', l10n.word(fullDisk));

const known: Readonly<Record<string, readonly [DiskProblemCode, string]>> = {
  ENOSPC: ['no-space', fullDisk],
  EDQUOT: ['no-space', l10n.later('Your disk quota is used up. Free some space, then try again.')],
  EROFS: ['read-only', l10n.later('The folder is read-only. Choose another downloads folder.')],
  EACCES: ['read-only', notAllowed],
  EPERM: ['read-only', notAllowed],
  EBUSY: ['locked', l10n.later('Another program is using the file. Close it there, then try again.')],
  ENAMETOOLONG: [
    'name-too-long',
    l10n.later('The path is too long for this disk. Shorten the downloads path setting.'),
  ],
  ENOTDIR: ['in-the-way', l10n.later('A file has the name of a folder that is needed. Move the file, then try again.')],
  EISDIR: ['in-the-way', l10n.later('A folder has the name of this file. Move the folder, then try again.')],
  ENOENT: ['disk', l10n.later('The folder was removed while the file was being written. Try again.')],
};

/** The code of a failed system call, such as `ENOENT`. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/**
 * Runs work on the disk and puts a failed system call into words. Wrap nothing else: a broken connection has such
 * codes.
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
    const words = message === '' ? l10n.t('The file can’t be written ({0}). Try again.', code) : l10n.word(message);
    throw new DiskProblem(kind, words, error);
  }
}

/** Stats of a path, of a link itself rather than its target; undefined when nothing is there. */
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

/** Those of these absolute paths that exist. */
export async function present(paths: readonly string[]): Promise<Set<string>> {
  const found = await statsOf(paths);
  return new Set(paths.filter((_, at) => found[at]));
}

/** A lock file may name any number of files: more at once would keep everything else waiting. */
const statsAtOnce = 8;

/** Stats of each path, not following links; null where there is nothing. */
export async function statsOf(paths: readonly string[]): Promise<readonly (Stats | null)[]> {
  const found: (Stats | null)[] = [];
  const entries = paths.entries();
  const read = async () => {
    for (const [at, path] of entries) found[at] = await lstat(path).catch(() => null);
  };
  await Promise.all(Array.from({ length: statsAtOnce }, read));
  return found;
}

/** Absolute paths of the plain files below a folder; none without the folder. Follows no link. */
export async function filesBelow(folder: string): Promise<string[]> {
  try {
    const found = await readdir(folder, { recursive: true, withFileTypes: true });
    return found.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw error;
  }
}

/** Flags for reading that follow no link and wait for no pipe. Zero on Windows. */
export const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** Folders that tools obey: nothing is ever written below one. */
const obeyedFolders = new Set(['.git', '.vscode', '.devcontainer', 'git~1', 'vscode~1', 'devcon~1']);

/** Characters that a name may hold without showing them. */
export const invisible =
  /[\p{Default_Ignorable_Code_Point}\p{Control}\p{Format}\p{Zl}\p{Zp}\p{Noncharacter_Code_Point}]/gu;

/** Two names with the same key are one file on some file system. */
export function foldedName(name: string): string {
  return name.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC');
}

/** True for a folder that tools obey, such as `.git`, in any spelling that some file system takes for it. */
export function isObeyedFolder(name: string): boolean {
  const folded = foldedName(name.replace(invisible, ''));
  return obeyedFolders.has(folded.replace(/:.*$/s, '').replace(/(?<![. ])[. ]+$/, ''));
}

/** Where a file belongs. */
export interface FileAt {
  /** Absolute path of the workspace folder, or of the folder used in its place. */
  readonly root: string;
  /** Path below it, parts separated by `/`. */
  readonly path: string;
  /** True in the extension's own storage: new files are for this user alone. */
  readonly isPrivate?: boolean | undefined;
  /** True on a share: new files get the rights of the root. */
  readonly isShared?: boolean | undefined;
}

/** Absolute path of a file, unchecked. */
export function pathOf({ root, path }: FileAt): string {
  return join(root, path);
}

/** A folder that was checked, and a second check for later. */
export interface GuardedFolder {
  /** Absolute, without symbolic links. */
  readonly path: string;
  /** @throws DiskProblem unless this is still the folder that was checked */
  recheck(): Promise<void>;
}

/**
 * Checks every folder between the root and a file, and makes missing ones with these rights. Refuses links, paths that
 * leave the root, and folders that tools obey.
 * @throws DiskProblem, or the system's own error
 */
export async function guardParent(at: FileAt, rights?: number): Promise<GuardedFolder> {
  const { realRoot, folders, path } = await parentOf(at);
  for (const folder of folders) if (!(await isPlainFolder(folder))) await makeFolder(folder, at.isPrivate, rights);
  const before = await identify(realRoot, path);
  return {
    path,
    async recheck() {
      const now = await identify(realRoot, path);
      if (now === before) return;
      // A link gets a message of its own.
      await Promise.all(folders.map(isPlainFolder));
      const words = l10n.t('The folder {0} was replaced while the file was being written. Try again.', path);
      throw new DiskProblem('outside', words);
    },
  };
}

/** The checked path of a file for reading; undefined without its folder. @throws DiskProblem */
export async function findFile(at: FileAt): Promise<string | undefined> {
  const { folders, path } = await parentOf(at);
  for (const folder of folders) if (!(await isPlainFolder(folder))) return undefined;
  return join(path, basename(at.path));
}

/** Those of these paths below a root whose folders are no links. Each folder is checked once, the files are not. */
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

/** Stats of a plain file. @throws DiskProblem for anything else, and the system's own error */
export async function requirePlain(path: string): Promise<Stats> {
  const found = await lstat(path);
  if (found.isSymbolicLink())
    throw new DiskProblem('symlink', l10n.t('{0} is a symbolic link. Remove it, then try again.', path));
  if (!found.isFile())
    throw new DiskProblem('in-the-way', l10n.t('{0} isn’t a regular file. Move it away, then try again.', path));
  return found;
}

/** Gives a new file or folder this mode, on disks that have modes. Follows no link. */
export async function setRights(path: string, mode: number): Promise<void> {
  if (process.platform === 'win32') return;
  await using made = await open(path, readFlags);
  await ifSupported(() => made.chmod(mode));
}

/** What disks answer to a call that they can't do, such as a hard link or the syncing of a folder. */
const notSupported = new Set([
  ...['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'EBADF', 'EMLINK', 'UNKNOWN'],
]);

/** Does what some disks can't do; false on one of those. */
export async function ifSupported(work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (!notSupported.has(systemCode(error) ?? '')) throw error;
    return false;
  }
}

/** The folders between the root and a file, and the last of them. @throws DiskProblem */
async function parentOf({ root, path: file }: FileAt) {
  // People may open a root through a link.
  const realRoot = await realpath(root);
  const parts = file.split('/');
  const bad = parts.find((part) => part === '' || part === '.' || part === '..' || /[\\\0]/.test(part));
  if (isAbsolute(file) || bad !== undefined)
    throw new DiskProblem('outside', l10n.t('The path leaves the downloads folder.'));
  const obeyed = parts.find(isObeyedFolder);
  if (obeyed !== undefined)
    throw new DiskProblem('outside', l10n.t('{0} is reserved, so nothing is saved there.', obeyed));
  const folders = parts.slice(0, -1).map((_, index, all) => join(realRoot, ...all.slice(0, index + 1)));
  return { realRoot, folders, path: folders.at(-1) ?? realRoot };
}

async function makeFolder(folder: string, isPrivate: boolean | undefined, rights: number | undefined): Promise<void> {
  try {
    await mkdir(folder, isPrivate ? 0o700 : undefined);
    if (rights !== undefined) await setRights(folder, rights);
  } catch (error) {
    // Another download may have made it in between.
    if (systemCode(error) !== 'EEXIST') throw error;
  }
  await isPlainFolder(folder);
}

/** False when there is none. @throws DiskProblem for a link, and for anything else in its place */
async function isPlainFolder(folder: string): Promise<boolean> {
  const found = await statOf(folder);
  if (!found || found.isDirectory()) return found !== undefined;
  if (!found.isSymbolicLink()) throw inTheWay(folder);
  const words = l10n.t('{0} is a symbolic link. Replace it with a folder, or choose another one.', folder);
  throw new DiskProblem('symlink', words);
}

/** Tells a folder from another one of the same name. @throws DiskProblem when it resolves outside the root */
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
  const words = l10n.t('{0} is a file, but a folder is needed there. Move the file, then try again.', folder);
  return new DiskProblem('in-the-way', words);
}
