import { lstat, mkdir, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { l10n } from '../base/l10n.ts';
import { DiskProblem, systemCode } from './disk.ts';
import { isObeyedFolder } from './path.ts';

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
 * @throws DiskProblem, or the system's own error
 */
export async function guardParent(root: string, file: string, isPrivate = false): Promise<GuardedFolder> {
  const { realRoot, folders, path } = await parentOf(root, file);
  for (const folder of folders) if (!(await isPlainFolder(folder))) await makeFolder(folder, isPrivate);
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
 * The parent of `file`, checked as {@link guardParent} does, for somebody who only reads. Undefined when it is missing.
 * @throws DiskProblem, or the system's own error
 */
export async function findParent(root: string, file: string): Promise<string | undefined> {
  const { folders, path } = await parentOf(root, file);
  for (const folder of folders) if (!(await isPlainFolder(folder))) return undefined;
  return path;
}

async function parentOf(root: string, file: string) {
  const parts = file.split('/');
  const bad = parts.find((part) => part === '' || part === '.' || part === '..' || /[\\\0]/.test(part));
  if (isAbsolute(file) || bad !== undefined)
    throw new DiskProblem('outside', l10n.t('The path leaves the downloads folder.'));
  const obeyed = parts.find(isObeyedFolder);
  if (obeyed !== undefined) throw new DiskProblem('outside', l10n.t('Nothing is written below {0}.', obeyed));
  // The root itself may be opened through a link: that is the person's own choice.
  const realRoot = await realpath(root);
  const folders = parts.slice(0, -1).map((_, index, all) => join(realRoot, ...all.slice(0, index + 1)));
  return { realRoot, folders, path: folders.at(-1) ?? realRoot };
}

async function makeFolder(folder: string, isPrivate: boolean): Promise<void> {
  try {
    await mkdir(folder, isPrivate ? 0o700 : undefined);
  } catch (error) {
    // Another download may have made it in between.
    if (systemCode(error) !== 'EEXIST') throw error;
  }
  await isPlainFolder(folder);
}

/** False when there is none. @throws DiskProblem for a link, and for anything else in its place */
async function isPlainFolder(folder: string): Promise<boolean> {
  try {
    const found = await lstat(folder);
    if (found.isDirectory()) return true;
    throw found.isSymbolicLink()
      ? new DiskProblem(
          'symlink',
          l10n.t('{0} is a symbolic link. Replace it with a folder, or choose another one.', folder),
        )
      : inTheWay(folder);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
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
