import { createHash, type Hash } from 'node:crypto';
import type { Stats } from 'node:fs';
import { type FileHandle, lstat, open } from 'node:fs/promises';
import { l10n } from '../base/l10n.ts';
import { type GitRewrite, gitRewriteOf, mayHaveCrlf } from '../machine/gitRewrites.ts';
import { DiskProblem, type FileAt, findFile, onDisk, pathOf, readFlags, requirePlain, systemCode } from './guard.ts';

/** The SHA-256 of a file in lower-case hex, and its size. */
export interface FileHash {
  readonly sha256: string;
  readonly bytes: number;
  /** What Git may have made this file of. */
  readonly rewrite?: GitRewrite | undefined;
}

/** Fits a processor core's second-level cache: larger pieces take four times as long. */
const chunkBytes = 1 << 18;

/** The bytes of an open file up to `until`. Each piece is valid until the next one is asked for. */
async function* piecesOf(file: FileHandle, until: number, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const chunk = Buffer.allocUnsafe(Math.min(chunkBytes, until));
  for (let at = 0; at < until; ) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, until - at), at);
    if (bytesRead === 0) return;
    at += bytesRead;
    yield chunk.subarray(0, bytesRead);
  }
}

/** Feeds an open file to a hash, up to its end or to `until`; gives the number of bytes. */
export async function hashInto(hash: Hash, file: FileHandle, until: number, signal?: AbortSignal): Promise<number> {
  let bytes = 0;
  for await (const piece of piecesOf(file, until, signal)) {
    hash.update(piece);
    bytes += piece.length;
  }
  return bytes;
}

/** Hashes an open file from its start to its end. */
export function hashOpenFile(file: FileHandle, signal?: AbortSignal): Promise<FileHash> {
  return hashPieces(piecesOf(file, Number.POSITIVE_INFINITY, signal));
}

/** Hashes a file that is no symbolic link. Throws the system's own error. */
export async function hashFile(path: string, signal?: AbortSignal): Promise<FileHash> {
  await using file = await open(path, readFlags);
  return await hashOpenFile(file, signal);
}

/** Hashes pieces, and writes them to an open file if one is given. */
export async function hashPieces(pieces: AsyncIterable<Uint8Array>, file?: FileHandle): Promise<FileHash> {
  const hash = createHash('sha256');
  let bytes = 0;
  for await (const piece of pieces) {
    hash.update(piece);
    await file?.writeFile(piece);
    bytes += piece.length;
  }
  return { sha256: hash.digest('hex'), bytes };
}

/**
 * Copies a plain file from anywhere on this machine into an open one, and hashes it on the way.
 * @throws DiskProblem for anything but a plain file, or the system's own error
 */
export async function copyHashed(from: string, file: FileHandle, signal?: AbortSignal): Promise<FileHash> {
  await using source = await open(from, readFlags);
  // Where flags can't refuse a link, check its path.
  if (!((await lstat(from)).isFile() && (await source.stat()).isFile()))
    throw new DiskProblem('disk', l10n.t('{0} isn’t a regular file. Move it away, then try again.', from));
  return await hashPieces(piecesOf(source, Number.POSITIVE_INFINITY, signal), file);
}

/** How a file is read. */
export interface LookOptions {
  readonly signal?: AbortSignal | undefined;
  /** True to read the file even when its hash is known. */
  readonly anew?: boolean | undefined;
  /** Expected size of the file; used to detect line endings that Git changed. */
  readonly bytes?: number | undefined;
}

/**
 * The hash of a file; undefined when there is none. Reads it unless it is unchanged since this process read or wrote
 * it.
 * @throws DiskProblem for anything but a plain file
 */
export function fileThere(at: FileAt, options?: LookOptions): Promise<FileHash | undefined> {
  return onDisk(async () => {
    const path = await findFile(at);
    return path === undefined ? undefined : plainFile(at, path, options);
  });
}

/** As {@link fileThere}, for a file whose folders were checked. @throws the system's own error, too */
export async function plainFile(
  at: FileAt,
  path: string,
  { signal, anew = false, bytes }: LookOptions = {},
): Promise<FileHash | undefined> {
  try {
    await requirePlain(path);
    await using file = await open(path, readFlags);
    // A share may give outdated stats for a path, but not for an open file.
    const stats = await file.stat();
    const known = anew ? undefined : knownFile(at, stats, bytes);
    if (known) return known;
    // A time ahead of ours is that of a server with another clock.
    const isSettled = Math.abs(Date.now() - stats.ctimeMs) >= settled;
    const content = await hashOpenFile(file, signal);
    const rewrite = await gitRewriteOf(file, content.bytes, bytes, signal);
    const there = rewrite ? { ...content, rewrite } : content;
    // With the times from before reading: after a write in between the file is read again.
    if (isSettled) remember(at, stats, there);
    return there;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** Hashes of files that this process read or wrote, by path. */
const knownFiles = new Map<string, { readonly stamp: string; readonly there: FileHash }>();
const maxKnown = 20_000;

/** A file younger than this many ms may change once more under the same times: disks count them in up to 2 s. */
const settled = 2000;

/** Tells a file from another one, and from a later version of itself. */
export const fileStamp = ({ ino, size, mtimeMs, ctimeMs }: Stats) => [ino, size, mtimeMs, ctimeMs].join();

/** The known hash of a file with these stats; undefined when it changed since. `bytes` as in {@link LookOptions}. */
export function knownFile(at: FileAt, stats: Stats, bytes: number | undefined): FileHash | undefined {
  const known = knownFiles.get(pathOf(at));
  if (known?.stamp !== fileStamp(stats)) return undefined;
  // Read without the size that would show changed line endings.
  const isOpen = bytes !== undefined && mayHaveCrlf(stats.size, bytes) && !known.there.rewrite;
  return isOpen ? undefined : known.there;
}

/** Spares the next reader of an unchanged file its reading. */
export function remember(at: FileAt, stats: Stats, { sha256, bytes, rewrite }: FileHash): void {
  const [oldest] = knownFiles.keys();
  if (knownFiles.size >= maxKnown && oldest !== undefined) knownFiles.delete(oldest);
  knownFiles.set(pathOf(at), { stamp: fileStamp(stats), there: { sha256, bytes, ...(rewrite && { rewrite }) } });
}

/** The result of looking at a file; why it failed, in words for a person; undefined where there is no file. */
export type LookedAt<T> = T | { readonly reason: string } | undefined;

/** Looks at a file. Throws nothing but the signal's reason once it aborts. */
export async function found<T>(look: () => Promise<T>, signal?: AbortSignal): Promise<LookedAt<T>> {
  try {
    return await look();
  } catch (error) {
    signal?.throwIfAborted();
    if (systemCode(error) === 'ENOENT') return undefined;
    return { reason: error instanceof DiskProblem ? error.message : l10n.t('It could not be read.') };
  }
}
