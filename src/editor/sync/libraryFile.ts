import { createHash } from 'node:crypto';
import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection } from '../../services.ts';

type Entered = Pick<Connection, 'baseUrl' | 'key'>;

/** What {@link libraryFile} names them; the demo's have other names. */
const libraryName = /^[0-9a-f]{32}\.sqlite$/;

/** Where the libraries of this machine are. */
export function libraryFolder(storagePath: string): string {
  return join(storagePath, 'library');
}

/** The library's file of a connection: one for each origin and key, so that two keys never share what they see. */
export function libraryFile(storagePath: string, connection: Entered): string {
  return join(libraryFolder(storagePath), `${fingerprint(connection)}.sqlite`);
}

/** A library on this machine. */
export interface KeptLibrary {
  readonly path: string;
  readonly bytes: number;
  /** When something was written to it last, ms since the epoch. */
  readonly changedAt: number;
}

/** How much a connection's library takes on this machine, in bytes; null when there is none. */
export async function libraryBytes(storagePath: string, connection: Entered): Promise<number | null> {
  return (await look(libraryFile(storagePath, connection)))?.bytes ?? null;
}

/** The libraries that belong to none of these connections: left by sign-outs and by keys that were replaced. */
export async function strayLibraries(storagePath: string, kept: readonly Entered[]): Promise<readonly KeptLibrary[]> {
  const folder = libraryFolder(storagePath);
  const names = await readdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  const known = new Set(kept.map((connection) => `${fingerprint(connection)}.sqlite`));
  const stray = names.filter((name) => libraryName.test(name) && !known.has(name));
  const looks = await Promise.all(stray.map((name) => look(join(folder, name))));
  return looks.filter((found) => found !== undefined);
}

async function look(path: string): Promise<KeptLibrary | undefined> {
  const found = await Promise.all(
    [path, `${path}-wal`].map((part) => stat(part).catch((error: NodeJS.ErrnoException) => notThere(error))),
  );
  if (!found[0]) return undefined;
  const parts = found.filter((part) => part !== undefined);
  return {
    path,
    bytes: parts.reduce((sum, { size }) => sum + size, 0),
    changedAt: Math.max(...parts.map(({ mtimeMs }) => mtimeMs)),
  };
}

function notThere(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
}

/** Deletes a library's file with what SQLite keeps beside it; waits for a while where another window still has it open. */
export async function removeLibraryFile(path: string): Promise<void> {
  for (const suffix of ['', '-wal', '-shm', '-journal']) {
    await rm(path + suffix, { force: true, maxRetries: 10, retryDelay: 100 });
  }
}

/** Tells connections apart without telling the key. */
function fingerprint({ baseUrl, key }: Entered): string {
  const { origin } = new URL(baseUrl);
  return createHash('sha256').update(`${origin}\n${key.reveal()}`).digest('hex').slice(0, 32);
}
