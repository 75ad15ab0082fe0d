import { createHash } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Connection } from '../../services.ts';

type Entered = Pick<Connection, 'baseUrl' | 'key'>;

/** Where the libraries of this machine are. */
export function libraryFolder(storagePath: string): string {
  return join(storagePath, 'library');
}

/** The library's file of a connection: one for each origin and key, so that two keys never share what they see. */
export function libraryFile(storagePath: string, connection: Entered): string {
  return join(libraryFolder(storagePath), `${fingerprint(connection)}.sqlite`);
}

/** How much a connection's library takes on this machine, in bytes; null when there is none. */
export async function libraryBytes(storagePath: string, connection: Entered): Promise<number | null> {
  const file = libraryFile(storagePath, connection);
  const sizes = await Promise.all(
    [file, `${file}-wal`].map((path) =>
      stat(path).then(
        ({ size }) => size,
        () => null,
      ),
    ),
  );
  return sizes[0] === null ? null : sizes.reduce<number>((sum, size) => sum + (size ?? 0), 0);
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
