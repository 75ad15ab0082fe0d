import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { glob, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import type { FileTally } from '../../test/support/quietReporter.ts';
import { cache, root } from '../places.ts';
import { end, spawnOwned } from '../process/owned.ts';
import { say, seconds } from '../progress.ts';
import { inLanes, Lanes } from './lanes.ts';
import { editorFiles, keepTimes, laneShares, shareOut, weigh } from './shares.ts';
import { add, none, type Tally } from './tally.ts';

/** How long a test may take, and how the files are run. */
export interface MochaOptions {
  readonly timeoutMs: number;
  /** Where files run at once: each that opens an editor in a process of its own, the others together in one a lane. */
  readonly lanes?: Lanes;
  /** Without lanes: in how many processes the files run; one if left out. */
  readonly processes?: number;
  /** How many of these run at once; all if left out. The next begins when one ends, so that none is busy alone for long. */
  readonly atOnce?: number;
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

/** Shared out among lanes, what takes longest first; or among the processes. */
async function mochaRuns(
  kind: string,
  files: readonly string[],
  options: MochaOptions,
): Promise<ReadonlyMap<string, Tally>> {
  const { lanes, processes = 1, atOnce = processes } = options;
  const weights = await weigh(kind, files);
  const shares = lanes ? laneShares(weights, await editorFiles(files), lanes.count) : shareOut(weights, processes);
  const runs = await inLanes(shares, lanes ?? new Lanes(atOnce), async (share) => {
    const start = performance.now();
    const run = await mochaRun(kind, share, options);
    if (lanes) say(`  ${share.join(', ')}: ${seconds(start)}`);
    return run;
  });
  return new Map(runs.flatMap((run) => [...run]));
}

/** How long a process may go on after its last test, in ms. */
const maxStuckMs = 30_000;

/** Ends a process that goes on although its results are written: a server or a process that a failed test left open. */
async function endIfStuck(
  child: ChildProcess,
  resultFile: string,
  files: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  let writtenAt: number | undefined;
  while (!signal.aborted) {
    if (existsSync(resultFile)) writtenAt ??= performance.now();
    if (writtenAt !== undefined && performance.now() - writtenAt > maxStuckMs) {
      say(`${files.join(', ')}: still running ${maxStuckMs / 1000} s after the last test, so it was ended.`);
      return await end(child);
    }
    await setTimeout(1000, undefined, { signal }).catch(() => undefined);
  }
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
  // Leases and budgets of the person who runs the tests are none of theirs.
  const machine = `${resultFile}.machine`;
  const own = { XDG_CACHE_HOME: machine, LOCALAPPDATA: machine };
  const child = spawnOwned(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    // What TypeScript was made into is kept, so that the many small processes of tests begin sooner.
    env: {
      NODE_COMPILE_CACHE: join(cache, 'compiled'),
      ...process.env,
      ...own,
      REPORT_LIBRARY_TEST_RESULTS: resultFile,
    },
  });
  const exited = new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (exitCode) => resolve(exitCode ?? 1));
  });
  const stopWaiting = new AbortController();
  void endIfStuck(child, resultFile, files, stopWaiting.signal);
  const code = await exited.finally(() => stopWaiting.abort());
  await end(child);
  await rm(machine, { recursive: true, force: true });
  const crash: [string, Tally] = [files.join(' '), { passed: 0, failed: 1, skipped: 0 }];
  if (!existsSync(resultFile)) return new Map([crash]);
  const tallies = Object.entries(JSON.parse(await readFile(resultFile, 'utf8')) as Record<string, FileTally>);
  await rm(resultFile);
  await keepTimes(kind, tallies);
  const failures = tallies.reduce((sum, [, { failed }]) => sum + failed, 0);
  return new Map<string, Tally>(code !== 0 && failures === 0 ? [...tallies, crash] : tallies);
}
