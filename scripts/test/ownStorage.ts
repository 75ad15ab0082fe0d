import { readdir, readFile, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { root } from '../places.ts';

/**
 * What the extension keeps below its own storage and others on the machine could read: every file there is to be 0600 and
 * every folder 0700, whatever the umask. None on Windows, where modes say nothing.
 */
export async function openToOthers(userFolder: string): Promise<string[]> {
  if (process.platform === 'win32') return [];
  const { publisher, name } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as Record<string, string>;
  const own = `${publisher}.${name}`.toLowerCase();
  const found: string[] = [];
  for (const entry of await readdir(userFolder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!`${path}${sep}`.toLowerCase().includes(`${sep}${own}${sep}`) || !(entry.isFile() || entry.isDirectory()))
      continue;
    const mode = (await stat(path)).mode & 0o777;
    if (mode !== (entry.isFile() ? 0o600 : 0o700))
      found.push(`${path.slice(userFolder.length + 1)}: ${mode.toString(8)}`);
  }
  return found;
}
