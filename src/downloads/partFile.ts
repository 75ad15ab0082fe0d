import { createHash, randomBytes } from 'node:crypto';
import { lstat, readdir, unlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { systemCode } from './diskProblem.ts';

/**
 * Names of unfinished files: `.{name}.{machine}-{process}-{run}-{random}.part`, so that a later start can tell whose
 * it is and whether its owner still lives.
 */
const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 4);
const run = randomBytes(4).toString('hex');
const pattern = /^\..+\.([0-9a-f]{4})-(\d{1,10})-([0-9a-f]{8})-[0-9a-f]{8}\.part$/;

/** An unfinished file that nobody wrote to for this long, in ms, has no owner any more. */
const abandonedAfter = 60 * 60 * 1000;

/** A new name for the unfinished version of `name`; hidden, beside it, never the same twice. */
export function partName(name: string): string {
  return `.${name}.${machine}-${process.pid}-${run}-${randomBytes(4).toString('hex')}.part`;
}

/**
 * Removes unfinished files that a crash left below `folder`: those whose process is gone, and those untouched for an
 * hour. Follows no link and touches nothing whose name is not one of ours.
 * @returns how many were removed
 */
export async function sweepParts(folder: string, clock: Clock, logger: Logger): Promise<number> {
  let removed = 0;
  for (const entry of await entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) removed += await sweepParts(path, clock, logger);
    else if (entry.isFile() && (await isAbandoned(path, entry.name, clock))) {
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

async function entriesOf(folder: string) {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(systemCode(error) ?? '')) return [];
    throw error;
  }
}

async function isAbandoned(path: string, name: string, clock: Clock): Promise<boolean> {
  const [, itsMachine, itsProcess, itsRun] = pattern.exec(name) ?? [];
  if (itsMachine === undefined) return false;
  if (itsMachine === machine && itsRun !== run && !isAlive(Number(itsProcess))) return true;
  try {
    return clock.now() - (await lstat(path)).mtimeMs > abandonedAfter;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw error;
  }
}

/** Whether another process of this number runs. Ours with another run mark is a number given out again. */
function isAlive(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}
