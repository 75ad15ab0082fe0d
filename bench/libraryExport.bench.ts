import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { PlainFailure } from '../scripts/progress.ts';
import { columns } from '../src/api/schemas/fields.ts';
import { exportManifestName, readExportManifest } from '../src/export/exportManifest.ts';
import type { LibraryExportResult } from '../src/export/writeLibrary.ts';
import { type Duckdb, openDuckdb } from '../test/support/duckdb.ts';
import { filledLibrary } from './libraryBench.ts';
import { type BenchmarkResult, round, sizeOf } from './libraryBenchmark.ts';

/** What work took: ms by the clock, and of all processors together. */
interface Cost {
  readonly ms: number;
  readonly cpu: number;
}
type Run = LibraryExportResult & Cost & { readonly megabytes: number };

const turns = 3;
/** Beyond this, the JSON of all rows is too much for memory. */
const maxAsJson = 1_000_000;
const options = 'FORMAT parquet, COMPRESSION zstd, PARTITION_BY (fiscal_year), OVERWRITE';

/** Columns that both sides count and add up: 20 aggregates. */
const counted = {
  ...{ title: 'report_title', type: 'report_type', language: 'report_lang', isin: 'company_isin', lei: 'company_lei' },
  ...{ country: 'company_country', sector: 'company_sector', std_gri: 'standards_gri', std_tcfd: 'standards_tcfd' },
  ...{ std_esrs: 'standards_esrs', std_cdp: 'standards_cdp', period_end: 'period_end_date', year: 'report_year' },
  ...{ assurance_level: 'assurance_level', company_key: 'company_key', report_key: 'report_key' },
};
const added = { pages: 'report_pages', filesize: 'report_filesize', year: 'report_year' };

/**
 * An export beside DuckDB's own `COPY` of the same rows, and a second one after a change in one year.
 *
 * Before it writes a column, a row takes about 4 µs to be read from SQLite, 4 to be parsed and 1.5 to be hashed (by the
 * hash later runs find unchanged files), of some 36 µs in all; two threads share them by years. Of 10,000,000 rows DuckDB
 * writes one in 1.8 µs: on all processors, from a table in memory whose columns are typed already. So the rows below also
 * say how much processor time each side takes, and how long DuckDB takes from the JSON that the library keeps.
 *
 * Tried, and not worth the code: encoding alone in threads (1.6x as fast on four processors, slower on two, 480 MB of
 * memory); making bytes of each text once per file instead of once per row group (1.05x).
 */
export async function run(): Promise<BenchmarkResult[]> {
  const reports = sizeOf('EXPORT_REPORTS', 100_000);
  const connection = await openDuckdb();
  if (!connection) throw new PlainFailure('DuckDB could not be installed for this machine.');
  const library = filledLibrary(reports);
  const place = mkdtempSync(join(tmpdir(), 'report-library-export-'));
  await bundle(place);
  const folder = join(place, 'ours');
  try {
    const first = exported(place, library.path, folder);
    const files =
      readExportManifest(readFileSync(join(folder, exportManifestName), 'utf8'))?.tables.reports?.files ?? [];
    const list = files.map(({ path }) => `'${join(folder, path)}'`).join();
    await connection.run(`CREATE TABLE reports AS FROM read_parquet([${list}], hive_partitioning = true)`);
    const theirs = await costOf(connection, `COPY reports TO '${join(place, 'theirs')}' (${options})`);
    const fromJson =
      reports > maxAsJson
        ? undefined
        : await costOf(
            connection,
            `COPY (${await storedRows(connection, library.path)}) TO '${join(place, 'json')}' (${options})`,
          );
    const sums = [
      'count(*)',
      ...Object.keys(counted).map((name) => `count(${name})`),
      ...Object.keys(added).map((name) => `round(sum(${name}))`),
    ];
    const [found = []] = (await connection.runAndReadAll(`SELECT ${sums.join(', ')} FROM reports`)).getRowsJS();
    const wanted = aggregatesOf(library.path);
    const agree = wanted.filter((value, index) => value === Number(found[index])).length;
    touchOneYear(library.path);
    const second = exported(place, library.path, folder);
    return [
      one(
        `export of ${reports} reports`,
        '>= 0.3x DuckDB’s own COPY',
        'ms',
        theirs.ms / first.ms,
        theirs.ms >= 0.3 * first.ms,
        [
          ...both('library to Parquet by year', first),
          ...both('DuckDB, COPY of a table in memory', theirs),
          ...(fromJson ? both('DuckDB, COPY of the JSON as stored', fromJson) : []),
        ],
      ),
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

/** The quickest of a few runs of a statement. */
async function costOf(connection: Duckdb, sql: string): Promise<Cost> {
  const costs: Cost[] = [];
  for (let turn = 0; turn < turns; turn++) {
    const [began, used] = [performance.now(), process.cpuUsage()];
    await connection.run(sql);
    const { user, system } = process.cpuUsage(used);
    costs.push({ ms: performance.now() - began, cpu: (user + system) / 1000 });
  }
  return { ms: Math.min(...costs.map(({ ms }) => ms)), cpu: Math.min(...costs.map(({ cpu }) => cpu)) };
}

/** Brings the library's rows to DuckDB as they are stored; gives the query that makes typed columns of them. */
async function storedRows(connection: Duckdb, path: string): Promise<string> {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    await connection.run('CREATE TABLE stored(report_id INTEGER, fiscal_year INTEGER, body VARCHAR)');
    const appender = await connection.createAppender('stored');
    for (const row of db.prepare('SELECT report_id, fy, body FROM reports WHERE state = 0').iterate()) {
      appender.appendInteger(Number(row.report_id));
      appender.appendInteger(Number(row.fy));
      appender.appendVarchar(String(row.body));
      appender.endRow();
    }
    appender.closeSync();
    const places = placesIn(db);
    const paths = columns.map(({ apiField }) => `'$[${places.indexOf(apiField)}]'`);
    const typed = columns.map(({ name, type }, index) => `TRY_CAST(v[${index + 1}] AS ${sqlTypes[type]}) AS "${name}"`);
    const parsed = `SELECT report_id, fiscal_year, json_extract_string(body, [${paths.join()}]) AS v FROM stored`;
    return `SELECT ${typed.join()}, report_id, fiscal_year FROM (${parsed})`;
  } finally {
    db.close();
  }
}

const sqlTypes = { string: 'VARCHAR', integer: 'INTEGER', float: 'DOUBLE', boolean: 'BOOLEAN', date: 'DATE' } as const;

/** The fields in the order in which a stored row has them. */
function placesIn(db: DatabaseSync): readonly string[] {
  const stored = db.prepare("SELECT value FROM meta WHERE name = 'fields'").get()?.value;
  return (JSON.parse(String(stored)) as { readonly values: readonly string[] }).values;
}

const both = (what: string, { ms, cpu }: Cost): [string, number][] => [
  [what, ms],
  [`${what}: all processors together`, cpu],
];

/** As it is shipped: reading TypeScript takes time and memory of its own, in each thread. */
async function bundle(place: string): Promise<void> {
  const source = (file: string) => fileURLToPath(new URL(file, import.meta.url));
  await build({
    ...{ bundle: true, minify: true, platform: 'node', format: 'esm', mainFields: ['module', 'main'] },
    ...{ logLevel: 'silent', outExtension: { '.js': '.mjs' } },
    entryPoints: [
      { in: source('libraryExportRun.ts'), out: 'export/run' },
      { in: source('../src/export/exportLibrary.worker.ts'), out: 'export/exportLibrary.worker' },
      { in: source('../src/export/parts.worker.ts'), out: 'export/parts.worker' },
    ],
    outdir: place,
  });
}

function exported(place: string, library: string, folder: string): Run {
  const script = join(place, 'export', 'run.mjs');
  const out = execFileSync(process.execPath, ['--no-warnings', script, library, folder], { encoding: 'utf8' });
  return JSON.parse(out) as Run;
}

/** The same sums by SQLite, from the rows as the library stores them. */
function aggregatesOf(path: string): number[] {
  const db = new DatabaseSync(path, { readOnly: true });
  try {
    const values = placesIn(db);
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
