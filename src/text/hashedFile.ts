import { createHash, hash } from 'node:crypto';
import { closeSync, fstatSync, openSync, readSync, statSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import type { FileContent, SeenFile } from './pages.ts';

const blockSize = 64 * 1024;
const maxBlocksKept = 64;

/**
 * A file whose hash is known before anything of it is used, and that gives the very bytes that were hashed: each block is
 * hashed again when it is read. Holds at most 4 MB of it.
 */
export class HashedFile {
  readonly size: number;
  /** SHA-256 of the whole, in lower-case hexadecimal. */
  readonly sha256: string;
  readonly #file: number;
  readonly #hashes: string[] = [];
  readonly #kept = new Map<number, Uint8Array>();
  #problem: 'changed' | 'unreadable-file' | null = null;

  /**
   * @param maxBytes of a larger file nothing is read
   * @throws RangeError for a larger one, and TypeError for what is no file: a folder, a pipe, a device
   */
  constructor(path: string, maxBytes: number) {
    this.#file = openRegular(path);
    try {
      this.size = fstatSync(this.#file).size;
      if (this.size > maxBytes) throw new RangeError(`The file has ${this.size} bytes.`);
      const whole = createHash('sha256');
      for (let at = 0; at < this.size; at += blockSize) {
        const block = this.#block(at);
        whole.update(block);
        this.#hashes.push(hash('sha256', block));
      }
      this.sha256 = whole.digest('hex');
    } catch (error) {
      closeSync(this.#file);
      throw error;
    }
  }

  /** Why some of it was not given: it was other than what was hashed, or could not be read any more. */
  get problem(): 'changed' | 'unreadable-file' | null {
    return this.#problem;
  }

  /** Fills `into` with the bytes from `position` on; false when they are not all there, or not those that were hashed. */
  read(position: number, into: Uint8Array): boolean {
    if (position + into.length > this.size) return false;
    for (let done = 0; done < into.length; ) {
      const at = position + done;
      const block = this.#verified(Math.floor(at / blockSize));
      if (!block) return false;
      // Shorter than it was to be: the file lost its end while it was hashed.
      if (at % blockSize >= block.length) return false;
      const part = block.subarray(at % blockSize, (at % blockSize) + into.length - done);
      into.set(part, done);
      done += part.length;
    }
    return true;
  }

  close(): void {
    this.#kept.clear();
    closeSync(this.#file);
  }

  #verified(index: number): Uint8Array | null {
    const kept = this.#kept.get(index);
    if (kept) return kept;
    let block: Uint8Array;
    try {
      block = this.#block(index * blockSize);
    } catch {
      // In the middle of PDFium nothing may be thrown.
      this.#problem ??= 'unreadable-file';
      return null;
    }
    if (hash('sha256', block) !== this.#hashes[index]) {
      this.#problem ??= 'changed';
      return null;
    }
    if (this.#kept.size >= maxBlocksKept) this.#kept.delete(this.#kept.keys().next().value ?? index);
    this.#kept.set(index, block);
    return block;
  }

  #block(at: number): Uint8Array {
    const block = new Uint8Array(Math.min(blockSize, this.size - at));
    let got = 0;
    while (got < block.length) {
      const more = readSync(this.#file, block, got, block.length - got, at + got);
      if (more === 0) break;
      got += more;
    }
    return block.subarray(0, got);
  }
}

function openRegular(path: string): number {
  // Opening a pipe would wait for somebody who writes into it.
  if (!statSync(path).isFile()) throw new TypeError('Not a file.');
  return openSync(path, 'r');
}

/** A file with the SHA-256 of its bytes, in lower case; of one that can't be read, or that changed meanwhile, why. */
export interface HashedContent {
  readonly file: SeenFile;
  readonly content: FileContent;
}

/** Hashes a file as it is now. Rejects with the signal's reason alone. */
export async function hashFile(path: string, signal?: AbortSignal): Promise<HashedContent> {
  const failed = (failure: 'unreadable-file' | 'changed', bytes = 0, mtimeMs = 0) => ({
    file: { path, bytes, mtimeMs },
    content: { failure },
  });
  let begun: { size: number; mtimeMs: number } | undefined;
  try {
    // Opening a pipe would wait for somebody who writes into it.
    const found = await stat(path);
    begun = found;
    if (!found.isFile()) return failed('unreadable-file', found.size, found.mtimeMs);
    const handle = await open(path, 'r');
    try {
      const hash = createHash('sha256');
      // A stream of a signal that has aborted fails before anybody listens.
      signal?.throwIfAborted();
      const chunks = handle.createReadStream({
        autoClose: false,
        highWaterMark: 1024 * 1024,
        ...(signal && { signal }),
      });
      for await (const chunk of chunks) hash.update(chunk as Uint8Array);
      const { size, mtimeMs } = await handle.stat();
      if (size !== found.size || mtimeMs !== found.mtimeMs) return failed('changed', size, mtimeMs);
      return { file: { path, bytes: size, mtimeMs }, content: { sha256: hash.digest('hex') } };
    } finally {
      await handle.close();
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof Error) || !('code' in error)) throw error;
    return failed('unreadable-file', begun?.size, begun?.mtimeMs);
  }
}
