import { once } from 'node:events';
import { existsSync, watch } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';

/** The text of a file once it is there and `fits`: the writer of a file tells nobody. Looks again when its folder changes. */
export async function fileOnce(path: string, fits: (text: string) => boolean = () => true): Promise<string> {
  await folderOnce(dirname(path));
  return lookAgain(dirname(path), async () => {
    const text = await readFile(path, 'utf8').catch(() => undefined);
    return text !== undefined && fits(text) ? text : undefined;
  });
}

async function folderOnce(path: string): Promise<void> {
  if (existsSync(path)) return;
  await folderOnce(dirname(path));
  await lookAgain(dirname(path), async () => existsSync(path) || undefined);
}

/** Longest wait, in ms: one without an end would keep the whole run from ending. */
const limitMs = 120_000;

/** Looks now and whenever something changed in a folder, until something is seen. */
async function lookAgain<T>(folder: string, look: () => Promise<T | undefined>): Promise<T> {
  const watcher = watch(folder);
  const signal = AbortSignal.timeout(limitMs);
  try {
    for (;;) {
      const changed = once(watcher, 'change', { signal });
      changed.catch(() => undefined);
      const seen = await look();
      if (seen !== undefined) return seen;
      await changed;
    }
  } catch (error) {
    if (!signal.aborted) throw error;
    throw new Error(`In ${folder} nothing came that fits within ${limitMs} ms.`);
  } finally {
    watcher.close();
  }
}
