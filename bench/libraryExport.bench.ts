import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { companyPages, writeParquetFolder } from '../src/export/parquetFolder.ts';
import { reportPages } from '../src/export/writeTable.ts';
import { openLibrary } from '../src/library/library.ts';
import { filledLibrary } from './libraryBench.ts';
import { type BenchmarkResult, round, sizeOf } from './libraryBenchmark.ts';
import { ObservedLoop } from './observedLoop.ts';

/** Exports all reports by fiscal year, as the editor does: the library in its thread, the writer in this one. */
export async function run(): Promise<BenchmarkResult[]> {
  const reports = sizeOf('EXPORT_REPORTS', 100_000);
  const filled = filledLibrary(reports);
  filled.close();
  const folder = mkdtempSync(join(tmpdir(), 'report-library-export-'));
  const library = openLibrary({ path: filled.path, worker: new URL('../src/library/worker.ts', import.meta.url) });
  const loop = new ObservedLoop();
  const began = performance.now();
  let rows = 0;
  let megabytes = 0;
  try {
    await loop.during(async () => {
      const ids = await library.reportIds({});
      const read = async (page: readonly number[]) => (await library.storedReports(page)).map(({ report }) => report);
      const onProgress = () => {
        megabytes = Math.max(megabytes, process.memoryUsage.rss() / 1_000_000);
      };
      const { signal } = new AbortController();
      const pages = reportPages(ids, read);
      const options = { pages, companies: companyPages(library), signal, onProgress };
      rows = await writeParquetFolder({ ...options, folder: join(folder, 'export') });
    });
  } finally {
    await library.dispose();
    filled.remove();
    rmSync(folder, { recursive: true, force: true });
  }
  const ms = performance.now() - began;
  const delay = loop.delay();
  const result = (name: string, goal: string, unit: string, value: number, most: number): BenchmarkResult => {
    const [row, met] = [{ peer: name, p50: round(value), p95: round(value) }, value <= most && rows === reports];
    return { name: `${name}, ${rows} reports`, goal, unit, ratio: round(value / most), met, rows: [row] };
  };
  return [
    result('export by fiscal year, for each 1,000 reports', '<= 200 ms', 'ms', (1000 * ms) / reports, 200),
    result('memory of the process, library thread included', '<= 700 MB', 'MB', megabytes, 700),
    result('delay of the loop while it exports, p99', '<= 50 ms', 'ms', delay.p99, 50),
    result('delay of the loop while it exports, longest', '<= 250 ms', 'ms', delay.max, 250),
  ];
}
