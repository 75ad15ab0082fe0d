import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openBenchLibrary } from './libraryBench.ts';
import { type BenchmarkResult, percentile, round, rowOf, sizeOf } from './libraryBenchmark.ts';
import { pageBytes, pageSize } from './libraryPages.ts';
import { PlainTable } from './libraryPlain.ts';

/** Reports a second that the service permits: ten pages of 200. */
const permitted = 2000;
const pagesPerBlock = 10;

/** How fast pages become stored, searchable reports, and how much room they take, beside the plain way. */
export async function run(): Promise<BenchmarkResult[]> {
  const reports = sizeOf('INGEST_REPORTS', 30_000);
  const directory = mkdtempSync(join(tmpdir(), 'report-library-plain-'));
  const plainPath = join(directory, 'plain.db');
  const pagesPath = join(directory, 'pages.jsonl');
  const plain = new PlainTable(plainPath);
  const library = openBenchLibrary();
  const ours: number[] = [];
  const theirs: number[] = [];
  let json = 0;
  try {
    for (let first = 0; first * pageSize < reports; first += pagesPerBlock) {
      const pages = Array.from({ length: pagesPerBlock }, (_, index) => pageBytes(first + index));
      json += pages.reduce((sum, page) => sum + page.byteLength, 0);
      for (const page of pages) appendFileSync(pagesPath, Buffer.concat([page, Buffer.from('\n')]));
      ours.push(rate(pages, (page, index) => library.take(first + index, page)));
      theirs.push(rate(pages, (page) => plain.take(page)));
    }
    plain.close();
    library.close();
    const size = statSync(library.path).size;
    const held = ours.length * pagesPerBlock * pageSize;
    const speed = percentile(ours, 0.5);
    const python = pythonRate(join(directory, 'python.db'), pagesPath);
    return [
      {
        name: `ingest of ${held} reports: read, checked, indexed, a transaction a page`,
        goal: `>= 2x the permitted ${permitted}/s`,
        unit: 'reports/s (p95: the slowest twentieth)',
        rows: [slowRow('library', ours), slowRow('node:sqlite, the plain way, unchecked', theirs)],
        ratio: round(speed / permitted),
        met: speed >= 2 * permitted,
      },
      {
        name: `the same ${held} reports beside python3`,
        goal: '>= 1.0x its sqlite3, the plain way',
        unit: 'reports/s',
        rows: [slowRow('library', ours), slowRow('python3 sqlite3', python === null ? [] : [python])],
        ratio: python === null ? 0 : round(speed / python),
        met: python === null ? null : speed >= python,
      },
      {
        name: 'room on disk, everything included',
        goal: '<= 0.8x the JSON',
        unit: 'bytes a report',
        rows: [
          rowOf('library', [size / held]),
          rowOf('node:sqlite, the plain way', [statSync(plainPath).size / held]),
          rowOf('JSON', [json / held]),
        ],
        ratio: round(size / json),
        met: size <= 0.8 * json,
      },
    ];
  } finally {
    library.remove();
    rmSync(directory, { recursive: true, force: true });
  }
}

/** What Python's sqlite3 reaches with the same pages in one go; null where there is no Python. */
function pythonRate(database: string, pages: string): number | null {
  try {
    const script = fileURLToPath(new URL('plainTable.py', import.meta.url));
    return Number(execFileSync('python3', [script, database, pages], { encoding: 'utf8' }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function rate<P>(pages: readonly P[], take: (page: P, index: number) => void): number {
  return (pages.length * pageSize * 1000) / timeOf(() => pages.forEach(take));
}

/** ms. */
function timeOf(work: () => void): number {
  const started = performance.now();
  work();
  return performance.now() - started;
}

function slowRow(peer: string, rates: readonly number[]): BenchmarkResult['rows'][number] {
  return { peer, p50: round(percentile(rates, 0.5)), p95: round(percentile(rates, 0.05)) };
}
