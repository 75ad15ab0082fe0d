import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { cache, root } from '../places.ts';
import { capture } from '../process/capture.ts';
import { say } from '../progress.ts';
import type { Tally } from './tally.ts';

async function check(args: readonly string[]): Promise<Tally> {
  const { code, output } = await capture(process.execPath, args, { cwd: root });
  if (code === 0) return { passed: 1, failed: 0, skipped: 0 };
  say(output.trim());
  return { passed: 0, failed: 1, skipped: 0 };
}

/** Types, one check a TypeScript project (Node's and the browser's). What was found of a file is kept until it changes. */
export async function types(): Promise<Tally> {
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
  let passed = 0;
  let failed = 0;
  for await (const project of glob(['tsconfig.json', 'src/webview/tsconfig.json'], { cwd: root })) {
    const kept = join(cache, 'types', `${project.replaceAll(/[\\/]/g, '-')}.tsbuildinfo`);
    const result = await check([compiler, '--noEmit', '-p', project, '--incremental', '--tsBuildInfoFile', kept]);
    passed += result.passed;
    failed += result.failed;
  }
  return { passed, failed, skipped: 0 };
}

const biome = join(root, 'node_modules', '@biomejs', 'biome', 'bin', 'biome');

/** Lint and format, as one check. */
export async function lint(): Promise<Tally> {
  return check([biome, 'check', '--error-on-warnings', '.']);
}

/** Formats everything and mends what lint can mend by itself. */
export async function format(): Promise<Tally> {
  return check([biome, 'check', '--write', '.']);
}
