import { hash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { gitRewriteOf } from '../machine/gitRewrites.ts';

/** More than the reader accepts. */
export class TooLarge extends Error {}

/** A file and its hash. @throws TooLarge for a larger one, TypeError for a folder, a pipe or a device */
export function readHashed(path: string, maxBytes: number): { readonly bytes: Uint8Array; readonly sha256: string } {
  const found = statSync(path);
  // Opening a pipe would wait until something writes to it.
  if (!found.isFile()) throw new TypeError('Not a file.');
  if (found.size > maxBytes) throw new TooLarge(`The file has ${found.size} bytes.`);
  const bytes = readFileSync(path);
  return { bytes, sha256: hash('sha256', bytes) };
}

/** How Git changed a file that should have the claimed hash; undefined where something else did. */
export async function rewrittenByGit(path: string, claimed: string, signal?: AbortSignal) {
  await using file = await open(path, 'r');
  const { size } = await file.stat();
  // Line ends can at most double the size of a file.
  const rewrite = await gitRewriteOf(file, size, Math.ceil(size / 2), signal);
  return rewrite && (rewrite.kind === 'lfs-pointer' || rewrite.sha256 === claimed) ? rewrite.kind : undefined;
}
