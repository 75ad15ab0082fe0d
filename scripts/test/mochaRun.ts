import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { cache, root } from '../places.ts';
import { end, spawnOwned } from '../process/owned.ts';
import type { Tally } from './tally.ts';

/**
 * Runs the tests of `test/<kind>/` with mocha in a process of its own, which prints only what failed. A run that ends
 * without its result (a crash, an import that fails) counts as one failure.
 */
export async function mochaTests(kind: string, options: { readonly timeoutMs: number }): Promise<Tally> {
  const pattern = `test/${kind}/**/*.test.ts`;
  const files: string[] = [];
  for await (const name of glob(pattern, { cwd: root })) files.push(name);
  if (files.length === 0) return { passed: 0, failed: 0, skipped: 0 };

  const resultFile = join(cache, 'runs', `${kind}-${process.pid}.json`);
  await mkdir(join(cache, 'runs'), { recursive: true });
  const args = ['--disable-warning=ExperimentalWarning', join(root, 'node_modules', 'mocha', 'bin', 'mocha.js')];
  args.push('--no-config', '--extension', 'ts', '--timeout', String(options.timeoutMs), '--forbid-only');
  args.push('--reporter', join(root, 'test', 'support', 'quietReporter.ts'), pattern);
  const child = spawnOwned(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: { ...process.env, REPORT_LIBRARY_TEST_RESULTS: resultFile },
  });
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exitCode) => resolve(exitCode ?? 1));
  });
  await end(child);
  if (!existsSync(resultFile)) return { passed: 0, failed: 1, skipped: 0 };
  const tally = JSON.parse(await readFile(resultFile, 'utf8')) as Tally;
  await rm(resultFile);
  return code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
}
