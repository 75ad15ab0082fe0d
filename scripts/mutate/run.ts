import { existsSync } from 'node:fs';
import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../places.ts';
import { end, spawnOwned } from '../process/owned.ts';
import type { Mutant } from './mutants.ts';

/** What `overlay.ts` puts in the place of a module's text. */
export interface Overlay extends Pick<Mutant, 'start' | 'end' | 'after'> {
  readonly url: string;
}

export interface Run {
  readonly outcome: 'passed' | 'failed' | 'late';
  readonly wallMs: number;
  /** Of the processor, which a busy machine does not lengthen; as long as the run itself where it was cut short. */
  readonly cpuMs: number;
}

const preload = (...path: string[]) => ['--import', pathToFileURL(join(root, ...path)).href];

/**
 * Runs test files in one process up to the first failure; a mutant lies over the tree there and nowhere else. What the
 * tests write goes to `scratch`.
 */
export async function runTests(
  files: readonly string[],
  limitMs: number,
  scratch: string,
  mutant?: Mutant,
): Promise<Run> {
  const overlay = mutant && { ...mutant, url: pathToFileURL(join(root, mutant.file)).href };
  const args = ['--no-warnings', ...preload('scripts', 'mutate', 'cpu.ts')];
  args.push(...preload('test', 'support', 'vscode', 'inNode.ts'));
  args.push(join(root, 'node_modules', 'mocha', 'bin', 'mocha.js'), '--no-config', '--extension', 'ts', '--bail');
  args.push('--timeout', String(limitMs), '--reporter', 'dot', ...files);
  const [flag, module] = preload('scripts', 'mutate', 'overlay.ts');
  const cpuFile = join(scratch, 'cpu');
  await rm(cpuFile, { force: true });
  const start = performance.now();
  const child = spawnOwned(process.execPath, args, {
    cwd: root,
    stdio: 'ignore',
    env: {
      ...process.env,
      TMPDIR: scratch,
      REPORT_LIBRARY_CPU: cpuFile,
      // Tests start threads and processes: the mutant is there too.
      ...(overlay && {
        NODE_OPTIONS: `--no-warnings ${flag} ${module}`,
        REPORT_LIBRARY_MUTANT: JSON.stringify(overlay),
      }),
    },
  });
  const outcome = await new Promise<Run['outcome']>((resolve, reject) => {
    const limit = setTimeout(() => void end(child, 0).then(() => resolve('late')), limitMs);
    child.once('error', reject);
    child.once('exit', (code) => {
      clearTimeout(limit);
      void end(child).then(() => resolve(code === 0 ? 'passed' : 'failed'));
    });
  });
  const wallMs = performance.now() - start;
  return { outcome, wallMs, cpuMs: existsSync(cpuFile) ? Number(await readFile(cpuFile, 'utf8')) : wallMs };
}
