import { isAbsolute } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import { DiskProblem, findFile, hashOpenFile, onDisk, statOf, systemCode } from './disk.ts';
import { maxDownloadBytes } from './fetch.ts';
import type { ContentStore } from './ports.ts';
import { pathOf, sweepParts, Unfinished } from './publish.ts';

export interface SharedStoreOptions {
  /** Absolute path of the folder that a team shares, as it is set now; empty for none. */
  folder(): string;
  /** Whether the library of the key in use lists a report now that is published with this hash. */
  isPublished(sha256: string): Promise<boolean>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/**
 * A team's PDFs by their SHA-256, as `sha256/ab/<sha256>.pdf` in a shared folder. Others write there too, so nothing in
 * it is trusted: only hashes that the service publishes are read and written, files found are copied and hashed before
 * use, and a file appears under its name once its own copied bytes were hashed. Nothing there is ever replaced or
 * removed. A broken or missing share is logged, and the service is asked instead.
 */
export function sharedStore({ folder, isPublished, clock, logger }: SharedStoreOptions): ContentStore {
  const told = new Set<string>();
  /** Once for each cause: a share that is away would fill the log. */
  const tell = (what: string, error: unknown) => {
    const code = error instanceof DiskProblem ? error.code : systemCode(error);
    const words = `${what}: ${code ?? (error instanceof Error ? error.name : 'unknown error')}`;
    if (!told.has(words)) logger.warn(words);
    told.add(words);
  };
  const placeOf = async (sha256: string) => {
    const root = folder();
    if (root === '' || !/^[0-9a-f]{64}$/.test(sha256)) return undefined;
    if (!isAbsolute(root)) {
      tell('The shared store of PDFs is not used', new DiskProblem('outside', 'Its path is not absolute.'));
      return undefined;
    }
    return (await isPublished(sha256))
      ? { root, path: `${folderOf(sha256)}/${sha256}.pdf`, isShared: true }
      : undefined;
  };
  return {
    async find(sha256) {
      try {
        const at = await placeOf(sha256);
        const path = at && (await findFile(at.root, at.path));
        const there = path === undefined ? undefined : await statOf(path);
        return there?.isFile() && there.size <= maxDownloadBytes ? path : undefined;
      } catch (error) {
        tell('The shared store of PDFs can’t be read', error);
        return undefined;
      }
    },
    async add(sha256, file) {
      try {
        const at = await placeOf(sha256);
        if (!at || (await statOf(pathOf(at)))) return;
        await using unfinished = await Unfinished.begin(at, clock, { from: file });
        // The file may have been edited since it was checked.
        const copied = await onDisk(() => hashOpenFile(unfinished.file));
        if (copied.sha256 === sha256) await unfinished.publish([sha256]);
        await sweepParts(pathOf({ root: at.root, path: folderOf(sha256) }), clock, logger);
      } catch (error) {
        tell('A PDF could not be put into the shared store', error);
      }
    },
  };
}

const folderOf = (sha256: string) => `sha256/${sha256.slice(0, 2)}`;
