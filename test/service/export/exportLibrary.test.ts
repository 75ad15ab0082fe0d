import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as sqlite from 'node:sqlite';
import zlib from 'node:zlib';
import { asyncBufferFromFile, parquetMetadata, parquetReadObjects } from 'hyparquet';
import { columns } from '../../../src/api/schemas/fields.ts';
import type { Report } from '../../../src/api/schemas/report.ts';
import { exportLibrary, type LibraryExportOptions } from '../../../src/export/exportLibrary.ts';
import {
  type ExportManifest,
  exportManifestName,
  filesOf,
  formatExportManifest,
  readExportManifest,
} from '../../../src/export/exportManifest.ts';
import type { TablePart } from '../../../src/export/libraryTables.ts';
import type { ParquetColumn } from '../../../src/export/parquet.ts';
import { typedRow } from '../../../src/export/rows.ts';
import { writeLibrary } from '../../../src/export/writeLibrary.ts';
import type { LibraryStore } from '../../../src/library/sqlite/sqliteStore.ts';
import { openPages } from '../../../src/text/pagesFile.ts';
import { openDuckdb } from '../../support/duckdb.ts';
import { hostileReport, sampleReport, sparseReport } from '../../support/panels/reports.ts';
import { bring, following, openFile, temporaryDirectory } from '../../unit/library/support/stores.ts';
import { reports as varied } from '../../unit/library/support/variedReports.ts';
import { keep } from '../../unit/text/support/texts.ts';

const origin = 'https://reports.example';
const compressors = { ZSTD: (bytes: Uint8Array) => zlib.zstdDecompressSync(bytes) };
const base = sampleReport({ report_id: 900_001, report_key: 'XFRA_NWK_2019_SR', content_sha256: null });
/** Cells that say something else than their fields, hostile texts, undated reports, and all kinds of unknown values. */
const reports: readonly Report[] = [
  ...varied,
  { ...base, metadata: { ...base.metadata, period_end: '2023-02-30', title: 'Said otherwise', pages: 'many' } },
  { ...hostileReport, report_id: 900_002, requested_legacy_report_id: null, canonical_report_id: null },
  { ...sparseReport, report_id: 900_003 },
];

describe('the export of a library', function () {
  this.timeout(60_000);
  const place = temporaryDirectory();
  const library = join(place.path, 'library.sqlite');
  let store: LibraryStore;
  let runs = 0;

  before(() => {
    store = openFile(library);
    following(store);
    bring(store, reports);
  });
  after(() => {
    store.close();
    place.remove();
  });

  const emptyFolder = () => {
    const folder = join(place.path, `export ${++runs}`);
    mkdirSync(folder);
    return folder;
  };
  const run = (folder: string, more: Partial<LibraryExportOptions> = {}) =>
    exportLibrary({ library, folder, origin, ...more });
  const manifestOf = (folder: string): ExportManifest => {
    const manifest = readExportManifest(readFileSync(join(folder, exportManifestName), 'utf8'));
    assert.ok(manifest);
    return manifest;
  };
  const rowsOf = async (folder: string, paths: readonly string[]) => {
    const files = await Promise.all(paths.map((path) => asyncBufferFromFile(join(folder, path))));
    return (await Promise.all(files.map((file) => parquetReadObjects({ file, compressors })))).flat();
  };
  const paths = (folder: string) => filesOf(manifestOf(folder)).map(({ path }) => path);
  const plain = (value: unknown) =>
    value instanceof Date
      ? value.toISOString().slice(0, 10)
      : typeof value === 'bigint'
        ? Number(value)
        : typeof value === 'string'
          ? value.replace(/^\ufeff/, '')
          : (value ?? null);
  const plainRow = (row: object) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [name, plain(value)]));

  it('has every listed report under its year, typed as in the other forms, in files named by their bytes', async () => {
    const folder = emptyFolder();
    const told: number[] = [];
    const result = await run(folder, { onProgress: (rows) => told.push(rows) });
    const { tables, source } = manifestOf(folder);
    assert.deepEqual([result.reports, tables.reports?.rows, source.origin], [reports.length, reports.length, origin]);
    assert.ok(told.length > 0);
    const found = [];
    for (const { path, rows, bytes, sha256 } of tables.reports?.files ?? []) {
      const content = readFileSync(join(folder, path));
      assert.equal(createHash('sha256').update(content).digest('hex'), sha256);
      assert.equal(content.length, bytes);
      const read = await rowsOf(folder, [path]);
      assert.equal(read.length, rows);
      const [, year] = /fiscal_year=(\w+)\//.exec(path) ?? [];
      for (const row of read) {
        const stored = store.report(Number(row.report_id));
        assert.equal(year, String(stored?.fiscal_year ?? '__HIVE_DEFAULT_PARTITION__'));
      }
      found.push(...read.map(plainRow));
    }
    const byId = (a: Record<string, unknown>, b: Record<string, unknown>) => Number(a.report_id) - Number(b.report_id);
    assert.deepEqual(found.sort(byId), reports.map((report) => plainRow(typedRow(report))).sort(byId));
    const { row_groups, schema } = parquetMetadata(
      await (await asyncBufferFromFile(join(folder, tables.reports?.files[0]?.path ?? ''))).slice(0),
    );
    assert.deepEqual(
      [row_groups.length, row_groups[0]?.columns[0]?.meta_data?.codec, schema.length],
      [1, 'ZSTD', columns.length + 2],
    );
  });

  it('has companies, changes and local files as tables of their own', async () => {
    const folder = emptyFolder();
    const row = { report_id: 3, report_key: 'K', path: 'a/K.pdf', sha256: 'ab', bytes: 2 ** 33, downloaded_at: '2026' };
    await run(folder, { localFiles: [row] });
    const { tables } = manifestOf(folder);
    const read = async (name: 'companies' | 'files') =>
      (await rowsOf(folder, tables[name]?.files.map(({ path }) => path) ?? [])).map(plainRow);
    const companies = await read('companies');
    assert.equal(companies.length, store.totals().companies);
    assert.equal(
      companies.reduce((sum, { reports }) => sum + Number(reports), 0),
      reports.length,
    );
    assert.deepEqual(await read('files'), [row]);
    assert.deepEqual(tables.changes?.rows, store.changes({ limit: 1000 }).length);
  });

  it('writes nothing anew where nothing changed, and heals a file that was damaged or is gone', async () => {
    const folder = emptyFolder();
    const first = await run(folder);
    const before = paths(folder);
    const again = await run(folder);
    assert.deepEqual([again.filesWritten, again.bytes, paths(folder)], [0, first.bytes, before]);
    unlinkSync(join(folder, before[0] ?? ''));
    const healed = await run(folder);
    assert.deepEqual([healed.filesWritten, paths(folder)], [1, before]);
  });

  it('rewrites the years that changed alone, and removes what it replaced one run later', async () => {
    const folder = emptyFolder();
    await run(folder);
    const before = paths(folder);
    const [changed] = reports;
    assert.ok(changed);
    bring(store, [
      { ...changed, report_title: 'Another title', metadata: { ...changed.metadata, title: 'Another title' } },
    ]);
    const { filesWritten } = await run(folder);
    const after = paths(folder);
    const year = `fiscal_year=${store.report(changed.report_id)?.fiscal_year}/`;
    const replaced = before.filter((path) => path.includes(year));
    assert.deepEqual(
      before.filter((path) => !after.includes(path) && path.startsWith('reports/')),
      replaced,
    );
    assert.ok(filesWritten >= 1 && filesWritten <= 3);
    assert.ok(replaced.every((path) => existsSync(join(folder, path))));
    await run(folder);
    assert.ok(replaced.every((path) => !existsSync(join(folder, path))));
    assert.ok(paths(folder).every((path) => existsSync(join(folder, path))));
    bring(store, [changed]);
  });

  it('splits a year in files, and a change touches one of them', async () => {
    const folder = emptyFolder();
    const table: readonly ParquetColumn[] = [{ name: 'n', type: 'integer' }];
    const rows = (numbers: readonly number[]): TablePart => ({
      ...{
        table: 'reports',
        folder: 'reports/fiscal_year=2020',
        columns: table,
        rowsPerFile: 10,
        rows: numbers.length,
      },
      after: (key: number, limit: number) =>
        numbers
          .filter((n) => n > key)
          .slice(0, limit)
          .map((n) => ({ key: n, source: String(n), values: () => [n] })),
    });
    const target = { folder, source: { origin, cursor: null, complete: true } };
    const write = (numbers: readonly number[]) => writeLibrary(target, [rows(numbers)], () => {});
    const all = Array.from({ length: 95 }, (_, index) => (index + 1) * 2);
    assert.deepEqual(await write(all).then(({ files, reports }) => [files, reports]), [10, 95]);
    const without = all.filter((n) => n !== 22 && n !== 24);
    assert.equal((await write(without)).filesWritten, 1);
    assert.equal((await write([...without, 1000].sort((a, b) => a - b))).filesWritten, 1);
    const more = [...without, 1000, 43, 45].sort((a, b) => a - b);
    assert.equal((await write(more)).filesWritten, 1, 'a file may grow a little');
    more.push(47, 49, 51, 53, 55);
    more.sort((a, b) => a - b);
    assert.equal((await write(more)).filesWritten, 2);
    const found = await rowsOf(folder, paths(folder));
    assert.deepEqual(
      found.map(({ n }) => Number(n)).sort((a, b) => a - b),
      more,
    );
  });

  it('keeps every text to the letter over several row groups, whether it repeats or not', async () => {
    const folder = emptyFolder();
    const table = ['plain', 'accented', 'repeated'].map((name): ParquetColumn => ({ name, type: 'string' }));
    const many = 21_000;
    const values = (n: number) => [n % 7 === 0 ? null : `text ${n}`, n % 5 === 0 ? null : `téxt € ${n}`, `${n % 3}`];
    const part: TablePart = {
      ...{ table: 'reports', folder: 'reports/fiscal_year=2020', columns: table, rowsPerFile: many, rows: many },
      after: (key, limit) =>
        Array.from({ length: Math.min(limit, many - key) }, (_, index) => key + index + 1).map((n) => {
          return { key: n, source: `${n}`, values: () => values(n) };
        }),
    };
    await writeLibrary({ folder, source: { origin, cursor: null, complete: true } }, [part], () => {});
    const [path = ''] = paths(folder);
    const found = await rowsOf(folder, [path]);
    const wanted = Array.from({ length: many }, (_, index) => values(index + 1));
    assert.deepEqual(
      found.map(({ plain = null, accented = null, repeated }) => [plain, accented, repeated]),
      wanted,
    );
    const file = await asyncBufferFromFile(join(folder, path));
    assert.equal(parquetMetadata(await file.slice(0)).row_groups.length, 3);
  });

  it('removes what a run left that never ended, and begins where such a run was the first', async () => {
    const folder = emptyFolder();
    const left = join(folder, 'reports', 'fiscal_year=2001', `${'a'.repeat(64)}.parquet`);
    mkdirSync(join(left, '..'), { recursive: true });
    writeFileSync(left, 'half');
    await run(folder);
    assert.equal(existsSync(left), false);
    writeFileSync(left, 'half');
    writeFileSync(join(left, '..', 'mine.parquet'), 'mine');
    await run(folder);
    assert.deepEqual([existsSync(left), existsSync(join(left, '..', 'mine.parquet'))], [false, true]);
  });

  it('goes into no folder that holds anything else, and changes nothing there', async () => {
    for (const name of ['notes.txt', 'reports/XTST_ALFA/2020/K.pdf']) {
      const folder = emptyFolder();
      mkdirSync(join(folder, name, '..'), { recursive: true });
      writeFileSync(join(folder, name), 'mine');
      const before = readdirSync(folder, { recursive: true });
      await assert.rejects(run(folder), /wasn’t written by Report Library. Choose an empty folder/);
      assert.deepEqual(readdirSync(folder, { recursive: true }), before);
    }
  });

  it('leaves the older manifest and its files where the rows turn out to be of no one moment', async () => {
    const folder = emptyFolder();
    const part = (values: readonly number[]): TablePart => ({
      ...{ table: 'reports', folder: 'reports/fiscal_year=2020', columns: [{ name: 'n', type: 'integer' }] },
      ...{ rowsPerFile: 10, rows: values.length },
      after: (key, limit) =>
        values
          .filter((n) => n > key)
          .slice(0, limit)
          .map((n) => ({ key: n, source: `${n}`, values: () => [n] })),
    });
    const target = { folder, source: { origin, cursor: null, complete: true } };
    await writeLibrary(target, [part([1, 2])], () => {});
    const before = readFileSync(join(folder, exportManifestName), 'utf8');
    const check = () => {
      throw new Error('changed');
    };
    await assert.rejects(
      writeLibrary({ ...target, check }, [part([3])], () => {}),
      /changed/,
    );
    assert.equal(readFileSync(join(folder, exportManifestName), 'utf8'), before);
    assert.ok(paths(folder).every((path) => existsSync(join(folder, path))));
  });

  it('leaves an export alone that another API key of the service made of many more reports', async () => {
    const folder = emptyFolder();
    const write = (library: string | undefined, rows: number) => {
      const source = { origin, cursor: null, complete: true, ...(library && { library }) };
      const part: TablePart = {
        ...{ table: 'reports', folder: 'reports/fiscal_year=2020', columns: [{ name: 'n', type: 'integer' }] },
        ...{ rowsPerFile: 10, rows },
        after: (key) =>
          Array.from({ length: rows }, (_, at) => ({ key: at + 1, source: `${at}`, values: () => [at] })).slice(key),
      };
      return writeLibrary({ folder, source }, [part], () => {});
    };
    await write(undefined, 5);
    await write('one', 5);
    await assert.rejects(write('two', 2), /made with another API key/);
    await write('one', 2);
    await write('one', 5);
    await write('replaced', 4);
  });

  it('leaves the last export whole when it is cancelled', async () => {
    const folder = emptyFolder();
    await run(folder);
    const before = readdirSync(folder, { recursive: true }).sort();
    const abort = new AbortController();
    const cancelled = run(folder, { signal: abort.signal });
    abort.abort();
    await assert.rejects(cancelled, { name: 'AbortError' });
    assert.deepEqual(readdirSync(folder, { recursive: true }).sort(), before);
  });

  it('leaves alone what isn’t its own: other manifests, other libraries, and paths out of the folder', async () => {
    const folder = emptyFolder();
    await run(folder);
    await assert.rejects(run(folder, { origin: 'https://other.example' }), /holds an export of https:\/\/reports/);
    const victim = join(place.path, 'victim.parquet');
    writeFileSync(victim, 'mine');
    const manifest = manifestOf(folder);
    const hostile = formatExportManifest({ ...manifest, replaced: ['../../unit/victim.parquet'] });
    assert.equal(readExportManifest(hostile), undefined);
    writeFileSync(join(folder, exportManifestName), hostile);
    await assert.rejects(run(folder), /wasn’t written by Report Library/);
    assert.equal(readFileSync(victim, 'utf8'), 'mine');
    const linked = emptyFolder();
    symlinkSync(place.path, join(linked, 'reports'), 'junction');
    await assert.rejects(run(linked), /link/);
  });

  it('has pages only where their file is named, and only those of listed reports', async () => {
    const folder = emptyFolder();
    const pages = join(place.path, 'pages.sqlite');
    const listed = varied.find(({ content_sha256 }) => content_sha256 !== null);
    const texts = openPages({ path: pages, sqlite, now: () => 1_700_000_000_000 });
    await keep(texts, listed?.content_sha256 ?? '', 1, ['Page one', 'Page two']);
    await keep(texts, 'f'.repeat(64), 1, ['Nobody’s page']);
    texts.close();
    await run(folder);
    assert.equal(manifestOf(folder).tables.pages, undefined);
    await run(folder, { pages });
    const rows = await rowsOf(folder, manifestOf(folder).tables.pages?.files.map(({ path }) => path) ?? []);
    const { report_key, content_sha256: sha256 } = listed ?? {};
    assert.deepEqual(
      rows.map(({ label: _, ...row }) => row),
      [
        { report_key, page: 1, text: 'Page one', sha256 },
        { report_key, page: 2, text: 'Page two', sha256 },
      ],
    );
    await run(folder);
    assert.equal(manifestOf(folder).tables.pages, undefined);
  });

  it('writes pages anew whose text was read anew, and no page that is gone', async () => {
    const folder = emptyFolder();
    const pages = join(place.path, 'pages read anew.sqlite');
    const sha256 = varied.find(({ content_sha256 }) => content_sha256 !== null)?.content_sha256 ?? '';
    const texts = openPages({ path: pages, sqlite, now: () => 1_700_000_000_000 });
    const exported = async () => {
      await run(folder, { pages });
      const rows = await rowsOf(folder, manifestOf(folder).tables.pages?.files.map(({ path }) => path) ?? []);
      return rows.map(({ text }) => text);
    };
    await keep(texts, sha256, 1, ['Read badly']);
    assert.deepEqual(await exported(), ['Read badly']);
    texts.forget([sha256]);
    await keep(texts, sha256, 1, ['Read well']);
    assert.deepEqual(await exported(), ['Read well']);
    texts.db.run('DELETE FROM blocks');
    assert.deepEqual(await exported(), []);
    texts.close();
  });

  it('reads in DuckDB with its years and types', async function () {
    const connection = await openDuckdb();
    if (!connection) return this.skip();
    const folder = emptyFolder();
    await run(folder);
    const list = (manifestOf(folder).tables.reports?.files ?? []).map(({ path }) => `'${join(folder, path)}'`).join();
    const table = `read_parquet([${list}], hive_partitioning = true)`;
    const ask = async (sql: string) => (await connection.runAndReadAll(sql)).getRowsJS();
    const [counted] = await ask(
      `SELECT count(*)::INT, count(DISTINCT fiscal_year)::INT, count(*) FILTER (fiscal_year IS NULL)::INT FROM ${table}`,
    );
    const years = reports.map(({ report_id }) => store.report(report_id)?.fiscal_year ?? null);
    assert.deepEqual(counted, [
      reports.length,
      new Set(years.filter((year) => year !== null)).size,
      years.filter((year) => year === null).length,
    ]);
    const types = await ask(
      `SELECT column_type FROM (DESCRIBE SELECT fiscal_year, std_gri, period_end, year, filesize, title, report_id FROM ${table})`,
    );
    assert.deepEqual(types.flat(), ['BIGINT', 'BOOLEAN', 'DATE', 'INTEGER', 'DOUBLE', 'VARCHAR', 'BIGINT']);
    connection.closeSync();
  });
});
