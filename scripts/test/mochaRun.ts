import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { FileTally } from '../../test/support/quietReporter.ts';
import { cache, root } from '../places.ts';
import { end, spawnOwned } from '../process/owned.ts';
import { say } from '../progress.ts';
import { inLanes, type Lanes } from './lanes.ts';
import { add, none, type Tally } from './tally.ts';

/** How long a test may take, and how the files are run. */
export interface MochaOptions {
  readonly timeoutMs: number;
  /** Where files run at once, each in a process of its own; without it one process runs all. */
  readonly lanes?: Lanes;
  /** Words of which a file's name must hold one; all files without any. */
  readonly only?: readonly string[];
}

/**
 * Runs the tests of `test/<kind>/` with mocha in processes of its own, which print only what failed. A run that ends
 * without its result (a crash, an import that fails) counts as one failure.
 *
 * On a build machine (`CI` is set) the files with failures run once more, by themselves, and it is said which these
 * were: such machines stand still at times, and a test that fails twice has a reason of its own.
 */
export async function mochaTests(kind: string, options: MochaOptions): Promise<Tally> {
  const files: string[] = [];
  const { only = [] } = options;
  for await (const found of glob(`test/${kind}/**/*.test.ts`, { cwd: root })) {
    const name = found.replaceAll('\\', '/');
    if (only.length === 0 || only.some((word) => name.includes(word))) files.push(name);
  }
  if (files.length === 0) return none;
  const first = await mochaRuns(kind, files.sort(), options);
  const failed = files.filter((name) => (first.get(name)?.failed ?? 0) > 0);
  if (process.env.CI === undefined || failed.length === 0) return total(first);
  say(`Once more, by themselves: ${failed.join(', ')}`);
  const second = await mochaRun(kind, failed, options);
  const ends = new Map([...first].filter(([name]) => !failed.includes(name)).concat([...second]));
  return { ...total(ends), retried: failed.length };
}

function total(files: ReadonlyMap<string, Tally>): Tally {
  return [...files.values()].reduce(add, none);
}

/** All files in one process, or the longest first, each in a process of its own. */
async function mochaRuns(
  kind: string,
  files: readonly string[],
  options: MochaOptions,
): Promise<ReadonlyMap<string, Tally>> {
  if (options.lanes === undefined) return mochaRun(kind, files, options);
  const sizes = await Promise.all(files.map(async (name) => ({ name, size: (await stat(join(root, name))).size })));
  const names = sizes.sort((a, b) => b.size - a.size).map(({ name }) => name);
  const tallies = await inLanes(names, options.lanes, async (name) => total(await mochaRun(kind, [name], options)));
  return new Map(names.map((name, index) => [name, tallies[index] ?? none]));
}

let runsBegun = 0;

async function mochaRun(
  kind: string,
  files: readonly string[],
  options: MochaOptions,
): Promise<ReadonlyMap<string, Tally>> {
  runsBegun += 1;
  const resultFile = join(cache, 'runs', `${kind}-${process.pid}-${runsBegun}.json`);
  await mkdir(join(cache, 'runs'), { recursive: true });
  const inNode = pathToFileURL(join(root, 'test', 'support', 'vscode', 'inNode.ts')).href;
  const args = [
    '--disable-warning=ExperimentalWarning',
    '--import',
    inNode,
    join(root, 'node_modules', 'mocha', 'bin', 'mocha.js'),
  ];
  args.push('--no-config', '--extension', 'ts', '--timeout', String(options.timeoutMs), '--forbid-only');
  args.push('--reporter', join(root, 'test', 'support', 'quietReporter.ts'), ...files);
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
  const crash: [string, Tally] = ['', { passed: 0, failed: 1, skipped: 0 }];
  if (!existsSync(resultFile)) return new Map([crash]);
  const tallies = Object.entries(JSON.parse(await readFile(resultFile, 'utf8')) as Record<string, FileTally>);
  await rm(resultFile);
  const failures = tallies.reduce((sum, [, { failed }]) => sum + failed, 0);
  return new Map(code !== 0 && failures === 0 ? [...tallies, crash] : tallies);
}
