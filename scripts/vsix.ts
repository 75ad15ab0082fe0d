import { existsSync } from 'node:fs';
import { cp, glob, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from './build.ts';
import { fingerprint } from './install/fingerprint.ts';
import { cache, root } from './places.ts';
import { capture } from './process/capture.ts';
import { npm } from './process/npm.ts';
import { PlainFailure, step } from './progress.ts';

const inputs = [
  'src/**/*',
  'media/**/*',
  'docs/**/*',
  'l10n/**/*',
  '*.md',
  'LICENSE*',
  'package*.json',
  'esbuild.mjs',
  'scripts/*.mjs',
  '.vscodeignore',
  'tsconfig.json',
];

/** A packaged extension and the fingerprint of everything it was made from. */
export interface Vsix {
  readonly file: string;
  /** The command line, as `npm install` takes it. */
  readonly tarball: string;
  readonly stamp: string;
}

const readme = join('dist', 'README.md');

/**
 * Copies what goes into the package to a folder of its own, and gives that: vsce tries each rule on each file that lies
 * around it, which takes longer than all else where editors of 25,000 files are installed.
 */
async function gathered(): Promise<string> {
  const folder = join(cache, 'package');
  await rm(folder, { recursive: true, force: true });
  const lines = (await readFile(join(root, '.vscodeignore'), 'utf8')).split('\n');
  const kept = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  for await (const name of glob([...kept, '.vscodeignore'], { cwd: root })) {
    if ((await stat(join(root, name))).isFile()) await cp(join(root, name), join(folder, name));
  }
  return folder;
}

/** Writes the README for the Marketplace: without its last section, which is for people with the source. */
async function writeReadme(): Promise<void> {
  const [forUsers = ''] = (await readFile(join(root, 'README.md'), 'utf8')).split('\n## From source\n');
  await writeFile(join(root, readme), forUsers);
}

/**
 * Builds and packages the extension as `report-library-<version>.vsix` in the repository's top folder, and the command line
 * as a tarball beside it; when nothing they are made from changed since the last time, and `always` is false, takes the one that is there.
 */
export async function packageVsix(always = false): Promise<Vsix> {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
    readonly version: string;
    readonly repository?: unknown;
  };
  const file = join(root, `report-library-${manifest.version}.vsix`);
  const tarball = join(root, `report-library-${manifest.version}.tgz`);
  const stampFile = join(cache, 'vsix.stamp');
  const stamp = await fingerprint(root, inputs);
  const known = existsSync(stampFile) ? await readFile(stampFile, 'utf8') : undefined;
  const label = async () => `${stamp} ${(await stat(file)).size}`;
  if (!always && existsSync(file) && existsSync(tarball) && known === (await label())) return { file, tarball, stamp };
  await step('Building and packaging the extension', async () => {
    await build('production');
    await writeReadme();
    const args = [
      'package',
      '--readme-path',
      readme,
      '--no-dependencies',
      // With a repository's address, vsce gives pictures and links of the README that address.
      ...(manifest.repository ? [] : ['--allow-missing-repository', '--no-rewrite-relative-links']),
      '--out',
      file,
    ];
    const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
    const { code, output } = await capture(process.execPath, [vsce, ...args], { cwd: await gathered() });
    if (code !== 0) throw new PlainFailure(`vsce could not package the extension:\n${output.trim()}`);
    await npm(['pack', join(root, 'dist-cli'), '--pack-destination', root], root);
  });
  await mkdir(cache, { recursive: true });
  await writeFile(stampFile, await label());
  return { file, tarball, stamp };
}
