import { randomBytes } from 'node:crypto';
import { rename, rm, writeFile } from 'node:fs/promises';

/** Puts a file in the place of another: who reads it finds the old one or the new one. Throws the system's error. */
export async function replaceFile(path: string, content: Uint8Array | string): Promise<void> {
  const unfinished = `${path}.${randomBytes(6).toString('hex')}.part`;
  try {
    await writeFile(unfinished, content, { flag: 'wx', mode: 0o600 });
    await rename(unfinished, path);
  } finally {
    await rm(unfinished, { force: true });
  }
}
