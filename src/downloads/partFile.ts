import { createHash, randomBytes } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, lstat, open, readdir, rename, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { isAlive } from './alive.ts';
import { systemCode } from './diskProblem.ts';

/**
 * Names of unfinished files: `.{name}.{machine}-{process}-{run}-{random}[-{hash}].part`, so that a later start can tell
 * whose it is, whether its owner still lives, and by the first 8 digits of a SHA-256 what it was to become.
 */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 4);
const run = randomBytes(4).toString('hex');
const pattern = /^\.(.+)\.([0-9a-f]{4})-(\d{1,10})-([0-9a-f]{8})-[0-9a-f]{8}(?:-([0-9a-f]{8}))?\.part$/;
const wantedDigits = 8;

/** An unfinished file that nobody wrote to for this long, in ms, has no owner any more. */
const abandonedAfter = 60 * 60 * 1000;

/** A new name for the unfinished version of `name`; hidden, beside it, never the same twice. */
export function partName(name: string, wanted?: string | null): string {
  const hash = wanted ? `-${wanted.slice(0, wantedDigits)}` : '';
  return `.${name}.${machine}-${process.pid}-${run}-${randomBytes(4).toString('hex')}${hash}.part`;
}

/** An unfinished file whose owner is gone. */
export interface LeftPart {
  /** Absolute path. */
  readonly path: string;
  /** Absolute path of the file that it was to become. */
  readonly place: string;
  /** Whether it was to become a file with this SHA-256, as far as its name tells. */
  isOf(sha256: string): boolean;
}

/**
 * Removes unfinished files that a crash left below `folder`: those whose process is gone, and those untouched for an
 * hour. Follows no link and touches nothing whose name is not one of ours.
 * @param keep tells which ones to leave because somebody goes on with them
 * @returns how many were removed
 */
export async function sweepParts(
  folder: string,
  clock: Clock,
  logger: Logger,
  keep: (part: LeftPart) => boolean = () => false,
): Promise<number> {
  let removed = 0;
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removed += await sweepParts(path, clock, logger, keep);
    else if (entry.isFile() && (await isAbandoned(path, entry.name, clock)) && !keep(leftPart(folder, entry.name))) {
      try {
        await unlink(path);
        removed++;
      } catch (error) {
        if (systemCode(error) !== 'ENOENT')
          logger.warn(`An unfinished download could not be removed: ${systemCode(error)}`);
      }
    }
  }
  return removed;
}

function leftPart(folder: string, name: string): LeftPart {
  const [, place = '', , , , wanted] = pattern.exec(name) ?? [];
  const isOf = (sha256: string) => wanted !== undefined && sha256.startsWith(wanted);
  return { path: join(folder, name), place: join(folder, place), isOf };
}

/**
 * Makes a left unfinished file ours under a new name, and opens it. Undefined when it can't be had, holds nothing, or
 * is a file that has other names too.
 */
export async function takeOver(left: string, part: string): Promise<{ file: FileHandle; bytes: number } | undefined> {
  try {
    await rename(left, part);
    const file = await open(part, constants.O_RDWR | (constants.O_NOFOLLOW ?? 0));
    const { size, nlink } = await file.stat();
    if (size > 0 && nlink === 1) return { file, bytes: size };
    await file.close();
    await unlink(part);
  } catch (error) {
    // Whatever it is, the file is fetched from its start then.
    if (systemCode(error) === undefined) throw error;
  }
  return undefined;
}

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(systemCode(error) ?? '')) return [];
    throw error;
  }
}

async function isAbandoned(path: string, name: string, clock: Clock): Promise<boolean> {
  const [, , itsMachine, itsProcess, itsRun] = pattern.exec(name) ?? [];
  if (itsMachine === undefined) return false;
  // A process of our number with another run mark is gone: the number was given out again.
  const pid = Number(itsProcess);
  if (itsMachine === machine && itsRun !== run && (pid === process.pid || !isAlive(pid))) return true;
  try {
    return clock.now() - (await lstat(path)).mtimeMs > abandonedAfter;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}
