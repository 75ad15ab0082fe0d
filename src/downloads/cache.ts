import { mkdir, readdir, rm, utimes } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type Clock, isAbortError } from '../base/clock.ts';
import type { Logger } from '../base/logger.ts';
import type { SharedState } from '../base/sharedState.ts';
import { sweepParts, Unfinished } from '../files/atomic.ts';
import {
  DiskProblem,
  type DiskProblemCode,
  type FileAt,
  filesBelow,
  pathOf,
  statOf,
  statsOf,
  systemCode,
} from '../files/guard.ts';
import type { FileHash } from '../files/hash.ts';
import { sharedMachineState } from '../machine/machineState.ts';
import { safeSegment } from './path.ts';
import { type ContentStore, type DownloadPorts, type KnownReport, publishedHash } from './ports.ts';

export interface CacheOptions {
  /** A folder of the cache's own, on this machine. */
  readonly directory: string;
  /** Most bytes it may hold, 2 GB when left out; the files used longest ago go first. */
  readonly maxBytes?: number | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Where processes count the bytes that they hold together. */
  readonly state?: SharedState | undefined;
}

const usualBytes = 2 * 1024 ** 3;

/** A file of the store. */
export interface KeptFile {
  readonly path: string;
  readonly sha256: string;
}

/** PDFs of this computer by SHA-256, shared by all windows. The modification time is when a file was last used. */
export class ContentCache implements ContentStore {
  readonly #options: CacheOptions;
  constructor(options: CacheOptions) {
    this.#options = options;
  }

  async find(sha256: string): Promise<string | undefined> {
    const path = this.#pathOf(sha256);
    if (path === undefined || !(await statOf(path))?.isFile()) return undefined;
    const now = this.#options.clock.now() / 1000;
    try {
      await utimes(path, now, now);
      return path;
    } catch (error) {
      if (systemCode(error) === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** All files, each with the hash that its name claims. */
  async files(): Promise<readonly KeptFile[]> {
    const paths = await filesBelow(this.#options.directory);
    return paths
      .map((path) => ({ path, sha256: basename(path) }))
      .filter((one) => this.#pathOf(one.sha256) === one.path);
  }

  async reject(sha256: string): Promise<void> {
    const path = this.#pathOf(sha256);
    if (path !== undefined) await rm(path, { force: true });
  }

  /** Copies in a file, unless it was edited since it was hashed. Leaves nothing when it throws a DiskProblem. */
  async add(sha256: string, file: string): Promise<void> {
    const { directory, maxBytes = usualBytes, clock } = this.#options;
    const path = this.#pathOf(sha256);
    const size = (await statOf(file))?.size ?? 0;
    if (path === undefined || size > maxBytes || (await statOf(path))) return;
    await mkdir(directory, { recursive: true, mode: 0o700 });
    await using unfinished = await Unfinished.begin(
      { root: directory, path: pathBelow(sha256), isPrivate: true },
      clock,
    );
    if ((await unfinished.copy(file)).sha256 !== sha256) return;
    await unfinished.publish([sha256], undefined, false);
    // Processes count together: checking all files for each new one would cost more than the download.
    const held = await this.#count((bytes) => (bytes === undefined ? undefined : bytes + size));
    if (held === undefined || held > maxBytes) await this.evict();
  }

  /** Removes what was used longest ago until nine tenths of the limit are held, and what a crash left. */
  async evict(): Promise<void> {
    const { directory, maxBytes = usualBytes, clock, logger } = this.#options;
    await sweepParts(directory, clock, logger);
    const files = await newestFirst(await filesBelow(directory));
    let total = files.reduce((sum, { size }) => sum + size, 0);
    const limit = total > maxBytes ? maxBytes * 0.9 : maxBytes;
    for (const { path, size } of files.reverse()) {
      if (total <= limit) break;
      await rm(path, { force: true });
      total -= size;
    }
    await this.#count(() => total);
  }

  #count(next: (bytes: number | undefined) => number | undefined): Promise<number | undefined> {
    const { directory, state = sharedMachineState() } = this.#options;
    return state.update(`bytes of ${directory}`, (stored) => {
      const bytes = next(typeof stored === 'number' ? stored : undefined);
      return { store: bytes, result: bytes };
    });
  }

  #pathOf(sha256: string): string | undefined {
    return /^[0-9a-f]{64}$/.test(sha256) ? join(this.#options.directory, pathBelow(sha256)) : undefined;
  }
}

function pathBelow(sha256: string): string {
  return `${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`;
}

/** Sizes and times of these paths, without those that another window removed. */
async function newestFirst(paths: readonly string[]) {
  const stats = await statsOf(paths);
  const files = paths.flatMap((path, at) => {
    const found = stats[at];
    return found ? [{ path, size: found.size, mtimeMs: found.mtimeMs }] : [];
  });
  return files.sort((a, b) => b.mtimeMs - a.mtimeMs);
}

/** The path in the first store that has these bytes. */
export async function findIn(stores: readonly ContentStore[], sha256: string | null): Promise<string | undefined> {
  if (sha256 === null) return undefined;
  for (const store of stores) {
    const path = await store.find(sha256);
    if (path !== undefined) return path;
  }
  return undefined;
}

type CopyPorts = Pick<DownloadPorts, 'stores' | 'clock' | 'logger'>;

/** Problems of the target itself. After any other one the next store is tried. */
const decisive: ReadonlySet<DiskProblemCode> = new Set(['symlink', 'outside', 'foreign', 'in-the-way', 'no-space']);

/**
 * Copies bytes from the first store that has them, and hashes the copy. Undefined when no store has them.
 * @throws DiskProblem when the target itself is not free
 */
export async function copyFrom(
  sha256: string,
  at: FileAt,
  mayReplace: readonly string[],
  { stores = [], clock, logger }: CopyPorts,
  signal?: AbortSignal,
): Promise<FileHash | undefined> {
  for (const store of stores) {
    try {
      const from = await store.find(sha256);
      if (from === undefined) continue;
      await using unfinished = await Unfinished.begin(at, clock);
      const found = await unfinished.copy(from, signal);
      if (found.sha256 === sha256) {
        await unfinished.publish([...mayReplace, sha256], found);
        return found;
      }
      logger.warn(`A kept copy holds other bytes than its name says, and was not used: ${from}`);
      await store.reject?.(sha256);
    } catch (error) {
      if (isAbortError(error) || signal?.aborted || (error instanceof DiskProblem && decisive.has(error.code)))
        throw error;
      logger.warn(`A kept copy could not be used: ${error instanceof Error ? error.name : 'unknown error'}`);
    }
  }
  return undefined;
}

/** Copies for reading that are kept; the oldest go. */
const maxOpened = 20;

export interface OpenedCopyOptions extends Omit<CopyPorts, 'stores'> {
  /** Folder on this machine that is ours. */
  readonly root: string;
  readonly store: ContentStore;
  /** Copies in a folder that is in use stay, whatever their age. */
  isInUse(folder: string): boolean;
}

/**
 * Makes a checked copy of a stored PDF under a readable name; undefined when the store has no such PDF.
 * @throws DiskProblem
 */
export async function openedCopy(
  report: KnownReport,
  { root, store, clock, logger, isInUse }: OpenedCopyOptions,
): Promise<string | undefined> {
  const sha256 = publishedHash(report);
  if (sha256 === null || (await store.find(sha256)) === undefined) return undefined;
  const name = sha256.slice(0, 16);
  const at = { root, path: `opened/${name}/${safeSegment(report.report_key, '.pdf')}`, isPrivate: true };
  if (!(await copyFrom(sha256, at, [], { clock, logger, stores: [store] }))) return undefined;
  const opened = join(root, 'opened');
  const others = (await readdir(opened)).filter((other) => other !== name).map((other) => join(opened, other));
  for (const { path } of (await newestFirst(others)).slice(maxOpened - 1))
    if (!isInUse(path)) await rm(path, { recursive: true, force: true });
  return pathOf(at);
}
