import { existsSync } from 'node:fs';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { build } from './build.ts';
import { fingerprint } from './install/fingerprint.ts';
import { cache, root } from './places.ts';
import { capture } from './process/capture.ts';
import { PlainFailure, step } from './progress.ts';

const inputs = [
  'src/**/*',
  'media/**/*',
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
  readonly stamp: string;
}

const readme = join('dist', 'README.md');

/**
 * Writes the README as the package has it: without the paragraphs that lead to files that stay in the repository (its
 * moving picture alone is a quarter of what a package may weigh).
 */
async function writeReadme(): Promise<void> {
  const kept = (await readFile(join(root, '.vscodeignore'), 'utf8')).split('\n').filter((line) => line.startsWith('!'));
  const isKept = (file: string) =>
    kept.some((line) => (line.endsWith('/**') ? file.startsWith(line.slice(1, -2)) : file === line.slice(1)));
  const paragraphs = (await readFile(join(root, 'README.md'), 'utf8')).split(/\n(?=\n)/);
  const whole = paragraphs.filter((text) =>
    [...text.matchAll(/\]\((?!\w+:|#)([^)]+)\)/g)].every(([, file = '']) => isKept(file)),
  );
  await writeFile(join(root, readme), whole.join('\n'));
}

/**
 * Builds and packages the extension as `report-library-<version>.vsix` in the repository's top folder; when nothing it
 * is made from changed since the last time, and `always` is false, takes the one that is there.
 */
export async function packageVsix(always = false): Promise<Vsix> {
  const manifest = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string };
  const file = join(root, `report-library-${manifest.version}.vsix`);
  const stampFile = join(cache, 'vsix.stamp');
  const stamp = await fingerprint(root, inputs);
  const known = existsSync(stampFile) ? await readFile(stampFile, 'utf8') : undefined;
  const label = async () => `${stamp} ${(await stat(file)).size}`;
  if (!always && existsSync(file) && known === (await label())) return { file, stamp };
  await step('Building and packaging the extension', async () => {
    await build('production');
    await writeReadme();
    const args = [
      'package',
      '--readme-path',
      readme,
      '--no-dependencies',
      '--allow-missing-repository',
      '--no-rewrite-relative-links',
      '--out',
      file,
    ];
    const vsce = join(root, 'node_modules', '@vscode', 'vsce', 'vsce');
    const { code, output } = await capture(process.execPath, [vsce, ...args], { cwd: root });
    if (code !== 0) throw new PlainFailure(`vsce could not package the extension:\n${output.trim()}`);
  });
  await mkdir(cache, { recursive: true });
  await writeFile(stampFile, await label());
  return { file, stamp };
}
