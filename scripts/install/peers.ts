import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cache, root } from '../places.ts';
import { npm } from '../process/npm.ts';
import { step } from '../progress.ts';
import { fingerprint } from './fingerprint.ts';
import { ensureFolder } from './folder.ts';

/** The address of a package that only benchmarks compare with (`bench/peers`), installed on first use. */
export async function peerPackage(path: string): Promise<string> {
  const lock = join(root, 'bench', 'peers');
  const folder = join(cache, 'peers');
  const stamp = await fingerprint(lock, ['*.json']);
  await ensureFolder(folder, stamp, (empty) =>
    step('Installing what benchmarks compare with', async () => {
      await copyFile(join(lock, 'package.json'), join(empty, 'package.json'));
      await npm(['install', '--no-package-lock'], empty);
    }),
  );
  return pathToFileURL(join(folder, 'node_modules', path)).href;
}
