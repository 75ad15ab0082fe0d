import { spawnSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '../scripts/build.ts';
import { root } from '../scripts/places.ts';
import { type BenchmarkResult, percentile } from './libraryBenchmark.ts';

const starts = 21;
const rounds = 5;
/** So many PDFs of 5 MB: 500 MB, of which the start of Node is a good part, and 2 GB. */
const libraries = [100, 400];
const bytes = 5_000_000;
const main = join(root, 'dist-cli', 'dist', 'cli', 'main.js');

/** The command line beside an empty Node, and its verifying beside openssl, each in a process of its own. */
export async function run(): Promise<readonly BenchmarkResult[]> {
  await build('production');
  const cwd = await mkdtemp(join(tmpdir(), 'report-library-bench-'));
  try {
    const results: BenchmarkResult[] = [];
    for (const files of libraries) {
      await makeReports(join(cwd, 'reports'), files);
      if (results.length === 0) results.push(...start(cwd));
      results.push(verify(cwd, files));
    }
    return results;
  } finally {
    await rm(cwd, { recursive: true });
  }
}

function start(cwd: string): BenchmarkResult[] {
  const peers = { empty: ['-e', '0'], help: [main, '--help'], status: [main, 'status'] };
  const times: Record<string, number[]> = { empty: [], help: [], status: [] };
  for (let turn = 0; turn < starts; turn++)
    for (const [name, args] of Object.entries(peers)) times[name]?.push(timed(process.execPath, args, cwd));
  const rows = (name: 'help' | 'status') =>
    [name, 'empty'].map((peer) => ({ peer: peer === 'empty' ? 'node -e 0' : peer, ...quantiles(times[peer]) }));
  const result = (name: 'help' | 'status', maxRatio: number): BenchmarkResult => {
    const ratio = percentile(times[name] ?? [], 0.5) / percentile(times.empty ?? [], 0.5);
    return {
      name: `start to ${name}`,
      goal: `<= ${maxRatio}x`,
      unit: 'ms',
      rows: rows(name),
      ratio,
      met: ratio <= maxRatio,
    };
  };
  return [result('help', 2.5), result('status', 4)];
}

function verify(cwd: string, files: number): BenchmarkResult {
  const paths = Array.from({ length: files }, (_, index) => `reports/${index + 1}.pdf`);
  const ours: number[] = [];
  const theirs: number[] = [];
  const hasOpenssl = spawnSync('openssl', ['version']).status === 0;
  for (let round = 0; round < rounds; round++) {
    ours.push(timed(process.execPath, [main, 'verify'], cwd));
    if (hasOpenssl) theirs.push(timed('openssl', ['dgst', '-sha256', ...paths], cwd));
  }
  const ratio = percentile(ours, 0.5) / percentile(theirs, 0.5);
  return {
    ...{ name: `verify ${files} files of ${bytes / 1e6} MB`, goal: '<= 0.75x openssl dgst -sha256', unit: 'ms' },
    rows: [
      { peer: 'report-library verify', ...quantiles(ours) },
      { peer: 'openssl dgst -sha256', ...quantiles(theirs) },
    ],
    ...{ ratio, met: hasOpenssl ? ratio <= 0.75 : null },
  };
}

/** How long a program takes from its start to its end, ms. */
function timed(program: string, args: readonly string[], cwd: string): number {
  const begun = performance.now();
  const { status } = spawnSync(program, args, { cwd, stdio: 'ignore' });
  if (status !== 0) throw new Error(`${program} ${args[1] ?? ''} ended with ${status}.`);
  return performance.now() - begun;
}

const quantiles = (times: readonly number[] = []) => ({ p50: percentile(times, 0.5), p95: percentile(times, 0.95) });

async function makeReports(folder: string, files: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  const reports = [];
  for (let id = 1; id <= files; id++) {
    const pdf = randomBytes(bytes);
    await writeFile(join(folder, `${id}.pdf`), pdf);
    reports.push({
      ...{ report_id: id, report_key: `K_${id}`, company_key: 'C', path: `${id}.pdf`, bytes },
      ...{ sha256: createHash('sha256').update(pdf).digest('hex') },
      ...{ downloaded_at: '2026-01-01T00:00:00Z', schema_version: 'V3' },
    });
  }
  await writeFile(join(folder, 'reports.lock.json'), JSON.stringify({ version: 1, reports }));
}
