import { randomBytes } from 'node:crypto';
import { constants, type Stats } from 'node:fs';
import { chmod, copyFile, mkdir, readdir, rename, rm, stat, utimes } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Clock } from '../base/clock.ts';
import { systemCode } from './diskProblem.ts';
import { hashFile } from './fileHash.ts';
import type { ContentStore } from './ports.ts';

export interface CacheOptions {
  /** A folder of the cache's own, on this machine. */
  readonly directory: string;
  /** Most bytes it may hold; the files used longest ago go first. */
  readonly maxBytes: number;
  readonly clock: Clock;
}

/** An unfinished copy this old, in ms, was left by a crash. */
const abandonedAfter = 60 * 60 * 1000;

interface Entry {
  readonly path: string;
  readonly bytes: number;
  readonly usedAt: number;
}

/**
 * PDFs of this machine by their SHA-256, shared by all windows. Files appear under their name whole or not at all; what
 * is found is to be hashed before it is trusted. A file's own time tells when it was last used.
 */
export class ContentCache implements ContentStore {
  readonly #options: CacheOptions;
  /** Bytes held, as far as this process knows; undefined until counted. */
  #bytes: number | undefined;
  #evicting: Promise<void> | undefined;

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

  /** Forgets a file that does not hold what its name says. */
  async reject(sha256: string): Promise<void> {
    const path = this.#pathOf(sha256);
    if (path !== undefined) await rm(path, { force: true });
  }

  /** Copies a file in, sharing its blocks where the disk can. Throws the system's own error; nothing is left then. */
  async add(sha256: string, file: string): Promise<void> {
    const path = this.#pathOf(sha256);
    const { maxBytes } = this.#options;
    if (path === undefined || (await statOf(path))) return;
    const bytes = (await stat(file)).size;
    if (bytes > maxBytes) return;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    const unfinished = `${path}.${randomBytes(6).toString('hex')}.part`;
    try {
      await copyFile(file, unfinished, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
      await chmod(unfinished, 0o600);
      // The file may have been edited since it was hashed.
      if ((await hashFile(unfinished)).sha256 !== sha256) return;
      await rename(unfinished, path);
    } finally {
      await rm(unfinished, { force: true });
    }
    if (this.#bytes !== undefined) this.#bytes += bytes;
    if (this.#bytes === undefined || this.#bytes > maxBytes) await this.evict();
  }

  /** Removes what was used longest ago until nine tenths of the limit are held, and what a crash left. */
  evict(): Promise<void> {
    this.#evicting ??= this.#evict().finally(() => {
      this.#evicting = undefined;
    });
    return this.#evicting;
  }

  async #evict(): Promise<void> {
    const entries = await this.#entries();
    const { maxBytes } = this.#options;
    let total = entries.reduce((sum, entry) => sum + entry.bytes, 0);
    if (total > maxBytes) {
      for (const entry of entries.sort((a, b) => a.usedAt - b.usedAt)) {
        if (total <= maxBytes * 0.9) break;
        await rm(entry.path, { force: true });
        total -= entry.bytes;
      }
    }
    this.#bytes = total;
  }

  async #entries(): Promise<Entry[]> {
    const { directory, clock } = this.#options;
    const entries: Entry[] = [];
    for (const found of await readdir(directory, { recursive: true, withFileTypes: true })) {
      if (!found.isFile()) continue;
      const path = join(found.parentPath, found.name);
      const known = await statOf(path);
      if (!known) continue;
      if (!path.endsWith('.part')) entries.push({ path, bytes: known.size, usedAt: known.mtimeMs });
      else if (clock.now() - known.mtimeMs > abandonedAfter) await rm(path, { force: true });
    }
    return entries;
  }

  #pathOf(sha256: string): string | undefined {
    if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined;
    return join(this.#options.directory, sha256.slice(0, 2), sha256.slice(2, 4), sha256);
  }
}

async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
