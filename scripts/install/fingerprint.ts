import { createHash } from 'node:crypto';
import { glob, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** SHA-256 over the names and bytes of all files matching `patterns` under `folder`: equal when nothing changed. */
export async function fingerprint(folder: string, patterns: readonly string[]): Promise<string> {
  const names: string[] = [];
  for await (const name of glob(patterns, { cwd: folder })) names.push(name);
  const hash = createHash('sha256');
  for (const name of names.sort()) {
    const file = join(folder, name);
    if (!(await stat(file)).isFile()) continue;
    hash
      .update(`${name}\0`)
      .update(await readFile(file))
      .update('\0');
  }
  return hash.digest('hex');
}
