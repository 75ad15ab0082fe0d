import { isAbsolute } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { sweepParts, Unfinished } from '../files/atomic.ts';
import { DiskProblem, findFile, pathOf, statOf, systemCode } from '../files/guard.ts';
import { maxDownloadBytes } from './fetch.ts';
import type { ContentStore } from './ports.ts';

export interface SharedStoreOptions {
  /** Absolute path of the folder that a team shares, as it is set now; empty for none. */
  folder(): string;
  /** Whether the library of the key in use lists a report now that is published with this hash. */
  isPublished(sha256: string): Promise<boolean>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * A team's PDFs as `sha256/ab/<sha256>.pdf` in a shared folder. Nothing in it is trusted: only published hashes are
 * read and written, copies are hashed, and nothing is replaced or removed. Problems of the share are logged.
 */
export function sharedStore({ folder, isPublished, clock, logger }: SharedStoreOptions): ContentStore {
  const logged = new Set<string>();
  /** Logs each cause once: a share that is away would fill the log. */
  const warn = (what: string, error: unknown) => {
    const code = error instanceof DiskProblem ? error.code : systemCode(error);
    const words = `${what}: ${code ?? (error instanceof Error ? error.name : 'unknown error')}`;
    if (!logged.has(words)) logger.warn(words);
    logged.add(words);
  };
  const fileOf = async (sha256: string) => {
    const root = folder();
    if (root === '' || !/^[0-9a-f]{64}$/.test(sha256)) return undefined;
    if (!isAbsolute(root)) throw new DiskProblem('outside', 'Its path is not absolute.');
    if (!(await isPublished(sha256))) return undefined;
    return { root, path: `${folderOf(sha256)}/${sha256}.pdf`, isShared: true };
  };
  return {
    async find(sha256) {
      try {
        const at = await fileOf(sha256);
        const path = at && (await findFile(at));
        const there = path === undefined ? undefined : await statOf(path);
        return there?.isFile() && there.size <= maxDownloadBytes ? path : undefined;
      } catch (error) {
        warn('The shared store of PDFs can’t be read', error);
        return undefined;
      }
    },
    async add(sha256, file) {
      try {
        const at = await fileOf(sha256);
        if (!at || (await statOf(pathOf(at)))) return;
        await using unfinished = await Unfinished.begin(at, clock);
        // The file may have been edited since it was checked.
        if ((await unfinished.copy(file)).sha256 === sha256) await unfinished.publish([sha256]);
        await sweepParts(pathOf({ root: at.root, path: folderOf(sha256) }), clock, logger);
      } catch (error) {
        warn('A PDF could not be put into the shared store', error);
      }
    },
  };
}

const folderOf = (sha256: string) => `sha256/${sha256.slice(0, 2)}`;
