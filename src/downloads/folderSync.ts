import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { systemCode } from './diskProblem.ts';

/** Folders that are being written to the disk, and those that will be once more because names came meanwhile. */
const underWay = new Map<string, Promise<void>>();
const next = new Map<string, Promise<void>>();

/**
 * Makes the names in a folder outlast a power cut, those that are there when it is called. Several who ask while the
 * disk is busy with the folder share the next turn. Windows keeps names by itself and opens no folders.
 */
export function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return Promise.resolve();
  const waiting = next.get(folder);
  if (waiting) return waiting;
  const before = underWay.get(folder);
  if (!before) return begin(folder);
  const mine = before.then(
    () => begin(folder),
    () => begin(folder),
  );
  next.set(folder, mine);
  return mine;
}

function begin(folder: string): Promise<void> {
  next.delete(folder);
  const mine = syncNow(folder).finally(() => {
    if (underWay.get(folder) === mine) underWay.delete(folder);
  });
  underWay.set(folder, mine);
  return mine;
}

async function syncNow(folder: string): Promise<void> {
  const handle = await open(folder, constants.O_RDONLY);
  try {
    await handle.sync();
  } catch (error) {
    // Some network disks can't sync a folder; the file itself is safe.
    if (!['EINVAL', 'ENOTSUP', 'EOPNOTSUPP', 'EBADF', 'EPERM'].includes(systemCode(error) ?? '')) throw error;
  } finally {
    await handle.close();
  }
}
