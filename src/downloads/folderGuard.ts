import { lstat, mkdir, realpath } from 'node:fs/promises';
import { isAbsolute, join, relative, sep } from 'node:path';
import { l10n } from '../base/l10n.ts';
import { DiskProblem, systemCode } from './diskProblem.ts';
import { isObeyedFolder } from './segment.ts';

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
 * @throws DiskProblem, or the system's own error
 */
export async function guardParent(root: string, file: string): Promise<GuardedFolder> {
  const { realRoot, folders, path } = await parentOf(root, file);
  // A path that resolves to itself has no link on its way. Only one that doesn't is looked at folder by folder.
  if ((await resolved(path)) !== path) {
    for (const folder of folders) if (!(await isPlainFolder(folder))) await makeFolder(folder);
  }
  const before = await identify(realRoot, path);
  return {
    path,
    async recheck() {
      const now = await identify(realRoot, path);
      if (now.real !== before.real) await Promise.all(folders.map(isPlainFolder));
      if (now.real !== before.real || now.file !== before.file) {
        throw new DiskProblem(
          'outside',
          l10n.t('The folder {0} was exchanged while the file was written. Try again.', path),
        );
      }
    },
  };
}

/**
 * The parent of `file`, checked as {@link guardParent} does, for somebody who only reads. Undefined when it is missing.
 * @throws DiskProblem, or the system's own error
 */
export async function findParent(root: string, file: string): Promise<string | undefined> {
  const { folders, path } = await parentOf(root, file);
  if ((await resolved(path)) === path) return path;
  for (const folder of folders) if (!(await isPlainFolder(folder))) return undefined;
  return path;
}

async function parentOf(root: string, file: string) {
  const parts = checkedParts(file);
  // The root itself may be opened through a link: that is the person's own choice.
  const realRoot = await realpath(root);
  const folders = parts.slice(0, -1).map((_, index, all) => join(realRoot, ...all.slice(0, index + 1)));
  return { realRoot, folders, path: folders.at(-1) ?? realRoot };
}

async function resolved(path: string): Promise<string | undefined> {
  try {
    return await realpath(path);
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return undefined;
  }
}

function checkedParts(file: string): string[] {
  const parts = file.split('/');
  const bad = parts.find((part) => part === '' || part === '.' || part === '..' || /[\\\0]/.test(part));
  if (isAbsolute(file) || bad !== undefined)
    throw new DiskProblem('outside', l10n.t('The path leaves the downloads folder.'));
  const obeyed = parts.find(isObeyedFolder);
  if (obeyed !== undefined) throw new DiskProblem('outside', l10n.t('Nothing is written below {0}.', obeyed));
  return parts;
}

async function makeFolder(folder: string): Promise<void> {
  try {
    await mkdir(folder);
  } catch (error) {
    // Another download may have made it in between.
    if (systemCode(error) !== 'EEXIST') throw error;
  }
  await isPlainFolder(folder);
}

async function isPlainFolder(folder: string): Promise<boolean> {
  try {
    const found = await lstat(folder);
    if (found.isSymbolicLink()) {
      throw new DiskProblem(
        'symlink',
        `${folder} is a symbolic link. Replace it with a folder, or choose another one.`,
      );
    }
    if (!found.isDirectory()) {
      throw new DiskProblem(
        'in-the-way',
        l10n.t('{0} is a file where a folder is needed. Move it away, then try again.', folder),
      );
    }
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** What tells one folder from another that took its name; throws when it resolves outside the root. */
async function identify(realRoot: string, folder: string): Promise<{ readonly real: string; readonly file: string }> {
  const real = await realpath(folder);
  const inside = relative(realRoot, real);
  if (inside === '..' || inside.startsWith(`..${sep}`) || isAbsolute(inside)) {
    throw new DiskProblem(
      'outside',
      l10n.t('{0} leads outside the workspace folder. Choose another downloads folder.', folder),
    );
  }
  const found = await lstat(real, { bigint: true });
  if (!found.isDirectory()) {
    throw new DiskProblem(
      'in-the-way',
      l10n.t('{0} is a file where a folder is needed. Move it away, then try again.', folder),
    );
  }
  return { real, file: `${found.dev}:${found.ino}` };
}
