import { glob, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** The files below `folder` that hold one of the texts, as they are or as base64: credentials that got out. */
export async function filesHolding(folder: string, texts: readonly string[]): Promise<string[]> {
  const wanted = texts.flatMap((text) => [text, Buffer.from(text).toString('base64').replace(/=+$/, '')]);
  const found: string[] = [];
  for await (const name of glob('**/*', { cwd: folder })) {
    const file = join(folder, name);
    if (!(await stat(file)).isFile()) continue;
    const bytes = await readFile(file);
    if (wanted.some((text) => bytes.includes(text))) found.push(name);
  }
  return found;
}
