import { createHash } from 'node:crypto';
import type { Secret } from '../base/secret.ts';

/**
 * The version of the schema. It is part of the file's name, so that two windows with different versions of the
 * extension each have their own file, and neither reads, downgrades or rebuilds the other's.
 */
export const libraryVersion = 4;

/** Names a connection's library: one for each origin and key. It does not reveal the key. */
export function libraryId({ baseUrl, key }: { readonly baseUrl: string; readonly key: Secret }): string {
  const { origin } = new URL(baseUrl);
  return createHash('sha256').update(`${origin}\n${key.reveal()}`).digest('hex').slice(0, 32);
}

/** The file name of a connection's library in this version. */
export function libraryName(connection: Parameters<typeof libraryId>[0]): string {
  return `${libraryId(connection)}.v${libraryVersion}.sqlite`;
}

/** Which connection's library a file name stands for, and in which version; null for any other file. */
export function readLibraryName(name: string): { readonly id: string; readonly version: number } | null {
  const [, id, version] = /^([0-9a-f]{32})\.v(\d+)\.sqlite$/.exec(name) ?? [];
  return id === undefined ? null : { id, version: Number(version) };
}
