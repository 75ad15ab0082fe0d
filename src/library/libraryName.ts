import { createHash } from 'node:crypto';
import type { Secret } from '../base/secret.ts';

/** The file name of a connection's library: one for each origin and key. Tells connections apart without telling the key. */
export function libraryName({ baseUrl, key }: { readonly baseUrl: string; readonly key: Secret }): string {
  const { origin } = new URL(baseUrl);
  return `${createHash('sha256').update(`${origin}\n${key.reveal()}`).digest('hex').slice(0, 32)}.sqlite`;
}
