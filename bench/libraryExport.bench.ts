import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { PlainFailure } from '../scripts/progress.ts';
import { exportManifestName, readExportManifest } from '../src/export/exportManifest.ts';
import type { LibraryExportResult } from '../src/export/writeLibrary.ts';
import { openDuckdb } from '../test/support/duckdb.ts';
import { filledLibrary } from './libraryBench.ts';
import { type BenchmarkResult, round, sizeOf } from './libraryBenchmark.ts';

type Run = LibraryExportResult & { readonly ms: number; readonly megabytes: number };

/** Columns that both sides count and add up: 20 aggregates. */
const counted = {
  ...{ title: 'report_title', type: 'report_type', language: 'report_lang', isin: 'company_isin', lei: 'company_lei' },
  ...{ country: 'company_country', sector: 'company_sector', std_gri: 'standards_gri', std_tcfd: 'standards_tcfd' },
  ...{ std_esrs: 'standards_esrs', std_cdp: 'standards_cdp', period_end: 'period_end_date', year: 'report_year' },
  ...{ assurance_level: 'assurance_level', company_key: 'company_key', report_key: 'report_key' },
};
const added = { pages: 'report_pages', filesize: 'report_filesize', year: 'report_year' };

/** An export beside DuckDB's own `COPY` of the same rows, and a second one after a change in one year. */
export async function run(): Promise<BenchmarkResult[]> {
  const reports = sizeOf('EXPORT_REPORTS', 100_000);
  const connection = await openDuckdb();
  if (!connection) throw new PlainFailure('DuckDB could not be installed for this machine.');
  const library = filledLibrary(reports);
  const place = mkdtempSync(join(tmpdir(), 'report-library-export-'));
  const folder = join(place, 'ours');
  try {
    const first = exported(library.path, folder);
    const files =
      readExportManifest(readFileSync(join(folder, exportManifestName), 'utf8'))?.tables.reports?.files ?? [];
    const list = files.map(({ path }) => `'${join(folder, path)}'`).join();
    await connection.run(`CREATE TABLE reports AS FROM read_parquet([${list}], hive_partitioning = true)`);
    const theirs: number[] = [];
    for (let turn = 0; turn < 3; turn++) {
      const began = performance.now();
      const options = 'FORMAT parquet, COMPRESSION zstd, PARTITION_BY (fiscal_year), OVERWRITE';
      await connection.run(`COPY reports TO '${join(place, 'theirs')}' (${options})`);
      theirs.push(performance.now() - began);
    }
    const peer = Math.min(...theirs);
    const sums = [
      'count(*)',
      ...Object.keys(counted).map((name) => `count(${name})`),
      ...Object.keys(added).map((name) => `round(sum(${name}))`),
    ];
    const [found = []] = (await connection.runAndReadAll(`SELECT ${sums.join(', ')} FROM reports`)).getRowsJS();
    const wanted = aggregatesOf(library.path);
    const agree = wanted.filter((value, index) => value === Number(found[index])).length;
    touchOneYear(library.path);
    const second = exported(library.path, folder);
    return [
      one(`export of ${reports} reports`, '>= 0.3x DuckDB’s own COPY', 'ms', peer / first.ms, peer >= 0.3 * first.ms, [
        ['library to Parquet by year', first.ms],
        ['DuckDB, COPY of a table in memory', peer],
      ]),
      one('memory of the process that exports', '<= 400 MB', 'MB', first.megabytes / 400, first.megabytes <= 400, [
        ['most it held', first.megabytes],
      ]),
      one('aggregates that agree with the library', `all ${wanted.length}`, 'count', agree, agree === wanted.length, [
        ['agree', agree],
      ]),
      one(
        'bytes rewritten after 1 % of one year changed',
        '<= 10 % of all',
        'bytes',
        second.bytesWritten / second.bytes,
        second.bytesWritten <= 0.1 * second.bytes,
        [
          ['rewritten', second.bytesWritten],
          ['all', second.bytes],
        ],
      ),
    ];
  } finally {
    connection.closeSync();
    library.close();
    library.remove();
    rmSync(place, { recursive: true, force: true });
  }
}

function exported(library: string, folder: string): Run {
  const script = fileURLToPath(new URL('libraryExportRun.ts', import.meta.url));
  const out = execFileSync(process.execPath, ['--no-warnings', script, library, folder], { encoding: 'utf8' });
  return JSON.parse(out) as Run;
}

/** The same sums by SQLite, from the rows as the library stores them. */
function aggregatesOf(path: string): number[] {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const stored = db.prepare("SELECT value FROM meta WHERE name = 'fields'").get()?.value;
    const { values } = JSON.parse(String(stored)) as { readonly values: readonly string[] };
    const value = (field: string) => `nullif(json_extract(body, '$[${values.indexOf(field)}]'), '')`;
    const sums = [
      'count(*)',
      ...Object.values(counted).map((field) => `count(${value(field)})`),
      ...Object.values(added).map((field) => `round(sum(${value(field)}))`),
    ];
    const statement = db.prepare(`SELECT ${sums.join(', ')} FROM reports WHERE state = 0`);
    statement.setReturnArrays(true);
    return (statement.all() as unknown as unknown[][])[0]?.map(Number) ?? [];
  } finally {
    db.close();
  }
}

/** Changes the filename, the first value of a body, of each hundredth report of 2020. */
function touchOneYear(path: string): void {
  const db = new DatabaseSync(path);
  db.exec(
    "UPDATE reports SET body = json_set(body, '$[0]', 'changed.pdf') WHERE fy = 2020 AND report_id / 3 % 100 = 0",
  );
  db.close();
}

function one(
  ...[name, goal, unit, ratio, met, rows]: [string, string, string, number, boolean, (readonly [string, number])[]]
): BenchmarkResult {
  return { name, goal, unit, ratio: round(ratio), met, rows: rows.map(([peer, p50]) => ({ peer, p50, p95: p50 })) };
}
