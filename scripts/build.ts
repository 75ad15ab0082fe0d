import { join } from 'node:path';
import { cliForTests, root } from './places.ts';
import { capture } from './process/capture.ts';
import { PlainFailure, say } from './progress.ts';

/** Makes the bundles. Throws a PlainFailure with esbuild's messages when it cannot. */
export async function build(mode: 'development' | 'production'): Promise<void> {
  const args = [join(root, 'esbuild.mjs'), ...(mode === 'production' ? ['--production'] : [])];
  const { code, output } = await capture(process.execPath, args, { cwd: root });
  if (code !== 0) throw new PlainFailure(`The build failed:\n${output.trim()}`);
  say(output.trim());
}

/** Makes the command line for the tests that run it: beside its sources each of their many processes would compile those. */
export async function buildCliForTests(): Promise<void> {
  const { code, output } = await capture(process.execPath, [join(root, 'esbuild.mjs'), '--cli', cliForTests], {
    cwd: root,
  });
  if (code !== 0) throw new PlainFailure(`The build failed:\n${output.trim()}`);
}
