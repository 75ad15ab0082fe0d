import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { type BenchmarkResult, percentile, round, rowOf, sizeOf } from './libraryBenchmark.ts';
import { pageBytes, pageSize } from './libraryPages.ts';

interface Memory {
  readonly loading: number;
  readonly after: number;
}

const runs = 3;
const goal = { loading: 160, after: 80 };

/** What a first load adds to a process like the extension host: its two threads beside a process that does nothing. */
export async function run(): Promise<BenchmarkResult> {
  const reports = sizeOf('MEMORY_REPORTS', 100_000);
  const directory = mkdtempSync(join(tmpdir(), 'report-library-memory-'));
  try {
    const pages = join(directory, 'pages');
    const lengths = writePages(pages, Math.ceil(reports / pageSize));
    const load = await bundled('libraryMemoryLoad.ts', join(directory, 'load.mjs'));
    const worker = await bundled('../src/library/worker.ts', join(directory, 'worker.mjs'));
    const empty: Memory[] = [];
    const loaded: Memory[] = [];
    for (let turn = 0; turn < runs; turn++) {
      empty.push(measured([load]));
      loaded.push(measured([load, pages, lengths.join(), join(directory, `library-${turn}.db`), worker]));
    }
    const of = (list: readonly Memory[], name: keyof Memory) => list.map((memory) => memory[name]);
    const over = (name: keyof Memory) => percentile(of(loaded, name), 0.5) - percentile(of(empty, name), 0.5);
    const share = Math.max(over('loading') / goal.loading, over('after') / goal.after);
    return {
      name: `memory of a first load of ${reports} reports, over a process that does nothing`,
      goal: `<= ${goal.loading} MB loading, <= ${goal.after} MB after`,
      unit: 'MB resident',
      rows: [
        rowOf('a process that does nothing', of(empty, 'after')),
        rowOf(`loading, at most (over it: ${round(over('loading'))})`, of(loaded, 'loading')),
        rowOf(`fifteen seconds after (over it: ${round(over('after'))})`, of(loaded, 'after')),
      ],
      ratio: round(share),
      met: share <= 1,
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Writes so many pages one after the other, and tells their lengths. */
function writePages(path: string, count: number): number[] {
  const file = openSync(path, 'w');
  try {
    return Array.from({ length: count }, (_, p) => writeSync(file, pageBytes(p)));
  } finally {
    closeSync(file);
  }
}

/** As it is shipped: reading TypeScript takes memory of its own. */
async function bundled(source: string, outfile: string): Promise<string> {
  const entry = fileURLToPath(new URL(source, import.meta.url));
  const options = { bundle: true, minify: true, platform: 'node', format: 'esm', logLevel: 'silent' } as const;
  await build({ ...options, entryPoints: [entry], outfile });
  return outfile;
}

function measured(args: readonly string[]): Memory {
  return JSON.parse(execFileSync(process.execPath, ['--no-warnings', ...args], { encoding: 'utf8' })) as Memory;
}
