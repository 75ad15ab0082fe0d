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
  const library = openBenchLibrary('from the start');
  const late = openBenchLibrary('late');
  const ours: number[] = [];
  const theirs: number[] = [];
  let lateMs = 0;
  let json = 0;
  try {
    for (let first = 0; first * pageSize < reports; first += pagesPerBlock) {
      const pages = Array.from({ length: pagesPerBlock }, (_, index) => pageBytes(first + index));
      json += pages.reduce((sum, page) => sum + page.byteLength, 0);
      for (const page of pages) appendFileSync(pagesPath, Buffer.concat([page, Buffer.from('\n')]));
      ours.push(rate(pages, (page, index) => library.take(first + index, page)));
      lateMs += timeOf(() => pages.forEach((page, index) => void late.take(first + index, page)));
      theirs.push(rate(pages, (page) => plain.take(page)));
    }
    plain.close();
    lateMs += timeOf(() => late.endLoad());
    late.close();
    library.close();
    const size = statSync(library.path).size;
    const held = ours.length * pagesPerBlock * pageSize;
    const speed = percentile(ours, 0.5);
    const lateSpeed = round((held * 1000) / lateMs);
    const python = pythonRate(join(directory, 'python.db'), pagesPath);
    return [
      {
        name: `ingest of ${held} reports: read, checked, packed, indexed, a transaction a page`,
        goal: `>= 7x the permitted ${permitted}/s`,
        unit: 'reports/s (p95: the slowest twentieth)',
        rows: [slowRow('library', ours), slowRow('node:sqlite, the plain way, unchecked', theirs)],
        ratio: round(speed / permitted),
        met: speed >= 7 * permitted,
      },
      {
        name: `first load of ${held} reports, the index of filters made last and counted in`,
        goal: `>= 13x the permitted ${permitted}/s`,
        unit: 'reports/s',
        rows: [slowRow('library, first load', [lateSpeed]), slowRow('library, all indexes from the start', ours)],
        ratio: round(lateSpeed / permitted),
        met: lateSpeed >= 13 * permitted,
      },
      {
        name: `the same ${held} reports beside python3`,
        goal: '>= 1.6x its sqlite3, the plain way',
        unit: 'reports/s',
        rows: [slowRow('library', ours), slowRow('python3 sqlite3', python === null ? [] : [python])],
        ratio: python === null ? 0 : round(speed / python),
        met: python === null ? null : speed >= 1.6 * python,
      },
      {
        name: 'room on disk, everything included',
        goal: '<= 0.45x the JSON',
        unit: 'bytes a report',
        rows: [
          rowOf('library', [size / held]),
          rowOf('node:sqlite, the plain way', [statSync(plainPath).size / held]),
          rowOf('JSON', [json / held]),
        ],
        ratio: round(size / json),
        met: size <= 0.45 * json,
      },
    ];
  } finally {
    library.remove();
    late.remove();
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

function rate(pages: readonly Uint8Array[], take: (page: Uint8Array, index: number) => void): number {
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
