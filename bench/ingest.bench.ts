import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  const plain = new PlainTable(plainPath);
  const library = openBenchLibrary();
  const ours: number[] = [];
  const theirs: number[] = [];
  let json = 0;
  try {
    for (let first = 0; first * pageSize < reports; first += pagesPerBlock) {
      const pages = Array.from({ length: pagesPerBlock }, (_, index) => pageBytes(first + index));
      json += pages.reduce((sum, page) => sum + page.byteLength, 0);
      ours.push(rate(pages, (page, index) => library.take(first + index, page)));
      theirs.push(rate(pages, (page) => plain.take(page)));
    }
    plain.close();
    library.close();
    const size = statSync(library.path).size;
    const held = ours.length * pagesPerBlock * pageSize;
    const speed = percentile(ours, 0.5);
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
    rmSync(directory, { recursive: true, force: true });
  }
}

function rate(pages: readonly Uint8Array[], take: (page: Uint8Array, index: number) => void): number {
  const started = performance.now();
  pages.forEach(take);
  return (pages.length * pageSize * 1000) / (performance.now() - started);
}

function slowRow(peer: string, rates: readonly number[]): BenchmarkResult['rows'][number] {
  return { peer, p50: round(percentile(rates, 0.5)), p95: round(percentile(rates, 0.05)) };
}
