import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { copyFrom } from './copy.ts';
import { systemCode } from './diskProblem.ts';
import type { ContentStore } from './ports.ts';
import { type KnownReport, publishedHash } from './result.ts';
import { safeSegment } from './segment.ts';

/** Copies that are kept for being looked at; the oldest go first. */
const mostCopies = 20;

const folder = 'opened';

export interface OpenedCopyOptions {
  /** Folder on this machine that is ours. */
  readonly root: string;
  readonly store: ContentStore;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * A checked copy, under a name that a person can read, of what the store holds of a report: for reading, where no folder
 * of the window has the PDF. Undefined when the store has not got it.
 * @returns its absolute path
 * @throws DiskProblem when it can't be written
 */
export async function openedCopy(
  report: KnownReport,
  { root, store, clock, logger }: OpenedCopyOptions,
): Promise<string | undefined> {
  const sha256 = publishedHash(report);
  if (sha256 === null || (await store.find(sha256)) === undefined) return undefined;
  const path = `${folder}/${sha256.slice(0, 16)}/${safeSegment(report.report_key, '.pdf')}`;
  const copied = await copyFrom(sha256, { root, path }, [], { clock, logger, stores: [store] });
  if (!copied) return undefined;
  await sweep(join(root, folder), sha256.slice(0, 16));
  return join(root, path);
}

async function sweep(directory: string, present: string): Promise<void> {
  const names = (await readdir(directory)).filter((name) => name !== present);
  const dated = await Promise.all(names.map(async (name) => ({ name, at: await timeOf(join(directory, name)) })));
  for (const { name } of dated.sort((a, b) => b.at - a.at).slice(mostCopies - 1)) {
    await rm(join(directory, name), { recursive: true, force: true });
  }
}

async function timeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).mtimeMs;
  } catch (error) {
    // Another window removed it.
    if (systemCode(error) === 'ENOENT') return 0;
    throw error;
  }
}
