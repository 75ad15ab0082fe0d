import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

const stampFile = '.complete';

/** True when `folder` was completed by `ensureFolder` with this stamp. */
async function isComplete(folder: string, stamp: string): Promise<boolean> {
  try {
    return (await readFile(join(folder, stampFile), 'utf8')) === stamp;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
    throw error;
  }
}

/**
 * Makes `folder` by calling `fill` on an empty folder beside it and renaming that at the end, so that an interrupted
 * install is never taken for a whole one. Does nothing when the folder was completed with the same stamp before.
 */
export async function ensureFolder(
  folder: string,
  stamp: string,
  fill: (empty: string) => Promise<void>,
): Promise<void> {
  if (await isComplete(folder, stamp)) return;
  const partial = join(dirname(folder), `partial-${process.pid}-${Date.now()}`);
  await mkdir(partial, { recursive: true });
  try {
    await fill(partial);
    await writeFile(join(partial, stampFile), stamp);
    await rm(folder, { recursive: true, force: true });
    await rename(partial, folder);
  } finally {
    await rm(partial, { recursive: true, force: true });
  }
}
