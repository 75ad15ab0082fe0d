import { createHash, hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { open, stat } from 'node:fs/promises';
import { gitRewriteOf } from '../machine/gitRewrites.ts';
import type { FileContent, SeenFile } from './pages.ts';
import type { ReadFailure } from './textIndex.ts';

/** More than anybody takes. */
export class TooLarge extends Error {}

/** A file and its hash. @throws TooLarge for a larger one, TypeError for what is no file: a folder, a pipe, a device */
export function readHashed(path: string, maxBytes: number): { readonly bytes: Uint8Array; readonly sha256: string } {
  const found = statSync(path);
  // Opening a pipe would wait for somebody who writes into it.
  if (!found.isFile()) throw new TypeError('Not a file.');
  if (found.size > maxBytes) throw new TooLarge(`The file has ${found.size} bytes.`);
  const bytes = readFileSync(path);
  return { bytes, sha256: hash('sha256', bytes) };
}

/** A file with the SHA-256 of its bytes, in lower case; of one that can't be read, or that changed meanwhile, why. */
export interface HashedContent {
  readonly file: SeenFile;
  readonly content: FileContent;
}

/**
 * Hashes a file as it is now. Rejects with the signal's reason alone.
 * @param claimed hash that it should have: where Git rewrote the file, that is its failure
 */
export async function hashPdf(path: string, signal?: AbortSignal, claimed?: string): Promise<HashedContent> {
  const failed = (failure: ReadFailure, bytes = 0, mtimeMs = 0) => ({
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
      const sha256 = hash.digest('hex');
      // Half of the size is the least that the line ends of a file can have added to.
      const isOther = claimed !== undefined && sha256 !== claimed;
      const rewrite = isOther ? await gitRewriteOf(handle, size, Math.ceil(size / 2), signal) : undefined;
      if (rewrite && (rewrite.kind === 'lfs-pointer' || rewrite.sha256 === claimed))
        return failed(rewrite.kind, size, mtimeMs);
      return { file: { path, bytes: size, mtimeMs }, content: { sha256 } };
    } finally {
      await handle.close();
    }
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof Error) || !('code' in error)) throw error;
    return failed('unreadable-file', begun?.size, begun?.mtimeMs);
  }
}
