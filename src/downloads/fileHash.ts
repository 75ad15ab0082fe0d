import { createHash } from 'node:crypto';
import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

const chunkBytes = 1 << 20;

/** Reads an open file from its start to its end. Lower-case hex, and its length in bytes. */
export async function hashOpenFile(file: FileHandle, signal?: AbortSignal): Promise<{ sha256: string; bytes: number }> {
  const hash = createHash('sha256');
  const buffer = Buffer.allocUnsafe(chunkBytes);
  let bytes = 0;
  for (;;) {
    signal?.throwIfAborted();
    const { bytesRead } = await file.read(buffer, 0, chunkBytes, bytes);
    if (bytesRead === 0) return { sha256: hash.digest('hex'), bytes };
    hash.update(buffer.subarray(0, bytesRead));
    bytes += bytesRead;
  }
}

/** Reading flags: a link put in the file's place is not followed, a pipe does not keep us waiting. Zero on Windows. */
const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** SHA-256 of a file that is no symbolic link. Throws the system's own error. */
export async function hashFile(path: string, signal?: AbortSignal): Promise<{ sha256: string; bytes: number }> {
  const file = await open(path, readFlags);
  try {
    return await hashOpenFile(file, signal);
  } finally {
    await file.close();
  }
}
