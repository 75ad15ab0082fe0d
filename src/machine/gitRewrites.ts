import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';

/** How Git rewrote a file, and the SHA-256 of the file that it was. */
export interface GitRewrite {
  /** `lfs-pointer`: a few lines that name the file. `line-ends`: each LF became CRLF, as `core.autocrlf` does it. */
  readonly kind: 'lfs-pointer' | 'line-ends';
  readonly sha256: string;
}

/** Git LFS counts no file of more bytes as a pointer. */
const maxPointer = 1024;
const pointerForm =
  /^version https:\/\/git-lfs\.github\.com\/spec\/v1\r?\n(?:ext-[^\n]*\n)*oid sha256:([0-9a-f]{64})\r?\nsize \d+\r?\n?$/;

/** Whether a file of this size may be a Git LFS pointer. */
export const mayBePointer = (bytes: number) => bytes <= maxPointer;

/** The hash that a Git LFS pointer names; undefined for any other file. */
export function pointedAt(file: Uint8Array): string | undefined {
  if (!mayBePointer(file.length)) return undefined;
  return pointerForm.exec(Buffer.from(file).toString('latin1'))?.[1];
}

/** Whether a file of this size may have been one of `before` bytes, before each LF became CRLF. */
export const mayHaveCrlf = (bytes: number, before: number) => bytes > before && bytes <= 2 * before;

/** Whether Git may have made a file of this size of one of `before` bytes. */
export const mayBeRewritten = (bytes: number, before: number) =>
  bytes !== before && (mayBePointer(bytes) || mayHaveCrlf(bytes, before));

/**
 * How Git may have rewritten an open file. For `line-ends` the caller has to compare the hash.
 * @param before size of the original in bytes; without it line ends are not tried
 */
export async function gitRewriteOf(
  file: FileHandle,
  bytes: number,
  before: number | undefined,
  signal?: AbortSignal,
): Promise<GitRewrite | undefined> {
  if (mayBePointer(bytes)) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(maxPointer), 0, maxPointer, 0);
    const sha256 = pointedAt(buffer.subarray(0, bytesRead));
    if (sha256 !== undefined) return { kind: 'lfs-pointer', sha256 };
  }
  if (before === undefined || !mayHaveCrlf(bytes, before)) return undefined;
  const hash = createHash('sha256');
  for await (const piece of withLf(file, signal)) hash.update(piece);
  return { kind: 'line-ends', sha256: hash.digest('hex') };
}

/** Bytes read at once. */
const pieceBytes = 1 << 18;

/** The bytes of an open file with each CRLF turned into LF. */
export async function* withLf(file: FileHandle, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  // A CR at the end of a piece may belong to a LF at the start of the next one.
  let held = '';
  const piece = Buffer.allocUnsafe(pieceBytes);
  for (let at = 0; ; ) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(piece, 0, pieceBytes, at);
    if (bytesRead === 0) break;
    at += bytesRead;
    const text = held + piece.toString('latin1', 0, bytesRead);
    held = text.endsWith('\r') ? '\r' : '';
    yield Buffer.from(text.slice(0, text.length - held.length).replaceAll('\r\n', '\n'), 'latin1');
  }
  if (held !== '') yield Buffer.from(held);
}
