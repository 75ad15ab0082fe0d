import { isUtf8 } from 'node:buffer';
import { createHash } from 'node:crypto';
import { open, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { l10n } from '../base/l10n.ts';
import { machineLeases } from '../machine/lease.ts';
import { Unfinished } from './atomic.ts';
import {
  DiskProblem,
  type FileAt,
  findFile,
  foldedName,
  onDisk,
  readFlags,
  requirePlain,
  systemCode,
} from './guard.ts';

/** Largest text file that is read, in bytes. */
const maxTextBytes = 64 * 1024 ** 2;

/** How often a change is made again because a program without a lease wrote the file meanwhile. */
const maxAttempts = 20;

/**
 * The text of a UTF-8 file. Other bytes are refused: written again, their characters would be lost.
 * @throws DiskProblem that names the file
 */
export function decodeUtf(bytes: Uint8Array, path: string): string {
  // UTF-16 without a mark is full of zeros, which UTF-8 allows.
  if (isUtf8(bytes) && !bytes.includes(0)) return Buffer.from(bytes).toString('utf8');
  const words = l10n.t('{0} isn’t UTF-8 text. Save it as UTF-8 in an editor, then try again.', path);
  throw new DiskProblem('in-the-way', words);
}

/** Reads a guarded text file; undefined when there is none. @throws DiskProblem */
export async function readText(at: FileAt): Promise<string | undefined> {
  return (await readWithHash(at))?.text;
}

function readWithHash(at: FileAt): Promise<{ readonly text: string; readonly sha256: string } | undefined> {
  return onDisk(async () => {
    const path = await findFile(at);
    if (path === undefined) return undefined;
    try {
      if ((await requirePlain(path)).size > maxTextBytes)
        throw new DiskProblem(
          'in-the-way',
          l10n.t('{0} is larger than 64 MB, so it is not read. Move it away, then try again.', path),
        );
      await using file = await open(path, readFlags);
      const bytes = await file.readFile();
      return { text: decodeUtf(bytes, path), sha256: createHash('sha256').update(bytes).digest('hex') };
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  });
}

/** Gives the new text, or undefined to leave the file as it is; gets undefined when there is no file. */
export type TextChange = (text: string | undefined) => string | undefined | Promise<string | undefined>;

/**
 * Changes a text file as a whole, under a lease on its real path: no process loses another's change. `change` runs
 * again when a program without a lease wrote the file meanwhile.
 * @param signal ends the waiting for other processes
 * @throws DiskProblem, or what `change` throws; the file is as it was then
 */
export async function changeFile(at: FileAt, change: TextChange, signal?: AbortSignal): Promise<void> {
  const path = await onDisk(async () => join(await realpath(at.root), at.path));
  await machineLeases().lease(`file ${foldedName(path)}`, (held) => readAndReplace(at, change, held), { signal });
}

async function readAndReplace(at: FileAt, change: TextChange, held: AbortSignal): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const before = await readWithHash(at);
    const next = await change(before?.text);
    if (next === undefined || next === before?.text) return;
    await using unfinished = await Unfinished.begin(at, systemClock);
    try {
      await onDisk(() => unfinished.file.writeFile(next));
      held.throwIfAborted();
      // Only the text that was read may be replaced.
      await unfinished.publish(before ? [before.sha256] : []);
      return;
    } catch (error) {
      if (!(error instanceof DiskProblem && error.code === 'foreign') || attempt === maxAttempts) throw error;
    }
  }
}
