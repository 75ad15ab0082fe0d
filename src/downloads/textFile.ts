import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { l10n } from '../base/l10n.ts';
import { DiskProblem, onDisk, systemCode } from './diskProblem.ts';
import { findParent } from './folderGuard.ts';
import { openUnfinished, type PlaceAt } from './place.ts';

/** Largest text file that is read, in bytes. */
const largestText = 64 * 1024 ** 2;

/** How often a change is made anew because another window wrote the file meanwhile. */
const mostTurns = 20;

/** Reads a text file at a guarded place; undefined when there is none. */
export function readText(at: PlaceAt): Promise<string | undefined> {
  return onDisk(async () => {
    const folder = await findParent(at.root, at.path);
    return folder === undefined ? undefined : readPlain(join(folder, basename(at.path)));
  });
}

async function readPlain(path: string): Promise<string | undefined> {
  try {
    const found = await lstat(path);
    if (found.isSymbolicLink())
      throw new DiskProblem('symlink', l10n.t('{0} is a symbolic link. Remove it, then try again.', path));
    if (!found.isFile())
      throw new DiskProblem('in-the-way', l10n.t('{0} is no plain file. Move it away, then try again.', path));
    if (found.size > largestText)
      throw new DiskProblem('in-the-way', l10n.t('{0} is too large to be ours. Move it away, then try again.', path));
    const file = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0));
    try {
      return await file.readFile('utf8');
    } finally {
      await file.close();
    }
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

const turns = new Map<string, Promise<unknown>>();

/**
 * Changes a text file as a whole: a reader sees the old text or the new one. When another window wrote it in between,
 * the change is made again on what that window wrote.
 * @param change given the text, undefined when there is no file; gives the new text, or undefined to leave it
 * @throws DiskProblem, or what `change` throws; the file is as it was then
 */
export async function updateText(
  at: PlaceAt,
  change: (text: string | undefined) => string | undefined,
  clock: Clock,
): Promise<void> {
  const name = join(at.root, at.path);
  const before = turns.get(name) ?? Promise.resolve();
  const mine = before.then(
    () => changeNow(at, change, clock),
    () => changeNow(at, change, clock),
  );
  turns.set(name, mine);
  try {
    await mine;
  } finally {
    if (turns.get(name) === mine) turns.delete(name);
  }
}

async function changeNow(at: PlaceAt, change: (text: string | undefined) => string | undefined, clock: Clock) {
  for (let turn = 1; ; turn++) {
    const text = await readText(at);
    const next = change(text);
    if (next === undefined || next === text) return;
    const unfinished = await openUnfinished(at, clock);
    try {
      await onDisk(() => unfinished.file.writeFile(next));
      // Only the text that was read may be replaced.
      await unfinished.commit(text === undefined ? [] : [createHash('sha256').update(text).digest('hex')]);
      return;
    } catch (error) {
      if (!(error instanceof DiskProblem && error.code === 'foreign') || turn === mostTurns) throw error;
    } finally {
      await unfinished.discard();
    }
  }
}
