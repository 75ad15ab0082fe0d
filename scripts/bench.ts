import { glob, mkdir, writeFile } from 'node:fs/promises';
import { availableParallelism, cpus } from 'node:os';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BenchmarkResult } from '../bench/libraryBenchmark.ts';
import { root } from './places.ts';
import { endOnSignals } from './process/owned.ts';
import { main, PlainFailure, say, step } from './progress.ts';

interface Benchmark {
  /** One result, or several of one kind. */
  run(): Promise<BenchmarkResult | readonly BenchmarkResult[]>;
}

const verdict = (met: boolean | null) => (met === null ? 'no peer here' : met ? 'met' : 'NOT MET');
const figure = (value: number) => (Math.abs(value) >= 100 ? value.toFixed(0) : value.toPrecision(3));

function table(results: readonly BenchmarkResult[]): string {
  const lines = results.flatMap(({ name, goal, unit, rows, ratio, met }) => [
    '',
    `${name} (${unit})`,
    ...rows.map(
      ({ peer, p50, p95 }) => `  ${peer.padEnd(44)} p50 ${figure(p50).padStart(8)}   p95 ${figure(p95).padStart(8)}`,
    ),
    `  ratio ${figure(ratio)}; goal ${goal}: ${verdict(met)}`,
  ]);
  return lines.join('\n');
}

/** What `long` stands for: the benchmarks of the library, with as many reports as a large license has. */
const long = ['duckdb', 'findInPdfs', 'ingest', 'libraryExport', 'libraryMemory', 'query', 'tablePainted', 'tools'];
const largeLicense = ['DUCKDB', 'EXPORT', 'INGEST', 'MEMORY', 'QUERY', 'TABLE', 'TOOLS'].map(
  (name) => `${name}_REPORTS`,
);
const manyReports = '1000000';
const manyPages = '1500000';

/** The benchmarks whose file name starts with one of the words given, or all. */
async function find(only: readonly string[]): Promise<string[]> {
  const names: string[] = [];
  for await (const name of glob('bench/*.bench.ts', { cwd: root })) names.push(name);
  const wanted = names.filter((name) => only.length === 0 || only.some((word) => basename(name).startsWith(word)));
  if (wanted.length === 0) throw new PlainFailure(`No benchmark starts with ${only.join(' or ')}.`);
  return wanted.sort();
}

endOnSignals();
await main(async () => {
  const results: BenchmarkResult[] = [];
  let failed = 0;
  const words = process.argv.slice(2);
  const isLong = words.includes('long');
  if (isLong) {
    for (const name of largeLicense) process.env[name] ??= manyReports;
    process.env.TEXT_PAGES ??= manyPages;
  }
  for (const name of await find(isLong ? [...words.filter((word) => word !== 'long'), ...long] : words)) {
    const benchmark = (await import(pathToFileURL(join(root, name)).href)) as Benchmark;
    try {
      const own = [await step(name, () => benchmark.run())].flat();
      results.push(...own);
      process.stdout.write(`${table(own)}\n`);
    } catch (error) {
      // One that cannot run must not take what the others measured along.
      failed += 1;
      say(String(error instanceof Error ? error.stack : error));
    }
  }
  const machine = {
    node: process.version,
    platform: process.platform,
    cpu: cpus()[0]?.model,
    cores: availableParallelism(),
  };
  await mkdir(join(root, 'bench'), { recursive: true });
  const json = JSON.stringify({ measured_at: new Date().toISOString(), machine, results }, undefined, 2);
  await writeFile(join(root, 'bench', 'results.json'), `${json}\n`);
  return failed === 0 ? 0 : 1;
});
