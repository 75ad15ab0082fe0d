import { constants } from 'node:fs';
import { copyFile, type FileHandle, lstat, open } from 'node:fs/promises';
import { l10n } from '../base/l10n.ts';
import { chunkBytes, DiskProblem, readFlags, systemCode } from './disk.ts';

/**
 * Makes a file that begins as a copy of another one, which may be anywhere: a link is not followed, and a pipe is not
 * waited for.
 * @param mode as for a new file
 * @throws DiskProblem for anything but a plain file, or the system's own error
 */
export async function openCopy(from: string, part: string, mode: number): Promise<FileHandle> {
  await using source = await open(from, readFlags);
  // Asked of both: where the flags can't refuse a link, its name tells. It says nothing of where the copy goes.
  if (!((await lstat(from)).isFile() && (await source.stat()).isFile()))
    throw new DiskProblem('disk', l10n.t('{0} isn’t a regular file. Move it away, then try again.', from));
  const file = await open(part, 'wx+', mode);
  try {
    if (!(await clone(source, file))) await copyBytes(source, file);
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Copies so that the disk may share blocks. False where that would need a path, which may lead elsewhere by now. */
async function clone(source: FileHandle, file: FileHandle): Promise<boolean> {
  if (process.platform !== 'linux') return false;
  const { mode } = await file.stat();
  const pathOf = ({ fd }: FileHandle) => `/proc/self/fd/${fd}`;
  try {
    await copyFile(pathOf(source), pathOf(file), constants.COPYFILE_FICLONE);
  } catch (error) {
    // Not every container has `/proc`.
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
  // The copy took over the rights of its original, such as those of a cache that is for one user.
  await file.chmod(mode & 0o777);
  return true;
}

async function copyBytes(source: FileHandle, file: FileHandle): Promise<void> {
  const chunk = Buffer.allocUnsafe(chunkBytes);
  for (let at = 0; ; ) {
    const { bytesRead } = await source.read(chunk, 0, chunk.length, at);
    if (bytesRead === 0) return;
    await file.writeFile(chunk.subarray(0, bytesRead));
    at += bytesRead;
  }
}
