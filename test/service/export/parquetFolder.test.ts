import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { asyncBufferFromFile, parquetMetadata, parquetReadObjects } from 'hyparquet';
import { columns } from '../../../src/api/schemas/fields.ts';
import type { Report } from '../../../src/api/schemas/report.ts';
import { writeParquetFolder } from '../../../src/export/parquetFolder.ts';
import { typedRow } from '../../../src/export/rows.ts';
import type { LibraryStore } from '../../../src/library/sqlite/sqliteStore.ts';
import { openDuckdb } from '../../support/duckdb.ts';
import { hostileReport, sampleReport, sparseReport } from '../../support/panels/reports.ts';
import { asRead, plainRow } from '../../support/parquetRows.ts';
import { bring, following, openFile, temporaryDirectory } from '../../unit/library/support/stores.ts';
import { reports as varied } from '../../unit/library/support/variedReports.ts';
import { exportFolder } from './exportedLibrary.ts';

const base = sampleReport({ report_id: 900_001, report_key: 'XFRA_NWK_2019_SR', content_sha256: null });
/** Cells that differ from their fields, hostile texts, undated reports, and all kinds of unknown values. */
const reports: readonly Report[] = [
  ...varied,
  { ...base, metadata: { ...base.metadata, period_end: '2023-02-30', title: 'Said otherwise', pages: 'many' } },
  { ...hostileReport, report_id: 900_002, requested_legacy_report_id: null, canonical_report_id: null },
  { ...sparseReport, report_id: 900_003 },
];

describe('an export by fiscal year', function () {
  this.timeout(60_000);
  const place = temporaryDirectory();
  let store: LibraryStore;
  let runs = 0;

  before(() => {
    store = openFile(join(place.path, 'library.sqlite'));
    following(store);
    bring(store, reports);
  });
  after(() => {
    store.close();
    place.remove();
  });

  const newFolder = () => join(place.path, `${++runs}`, 'export');
  const ready = () => {
    const folder = newFolder();
    mkdirSync(join(folder, '..'));
    return folder;
  };
  const filesIn = (folder: string) =>
    readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) =>
        join(parentPath, name)
          .slice(folder.length + 1)
          .replaceAll('\\', '/'),
      )
      .sort();
  const contentsOf = (folder: string) => filesIn(folder).map((path) => [path, readFileSync(join(folder, path), 'hex')]);
  const rowsOf = async (file: string) => parquetReadObjects({ file: await asyncBufferFromFile(file) });

  it('has every report in the file of its year, typed as in the other forms', async () => {
    const folder = ready();
    const progress: number[] = [];
    const rows = await exportFolder(store, folder, { onProgress: (done) => progress.push(done) });
    assert.deepEqual([rows, progress.at(-1)], [reports.length, reports.length]);
    const [companies, ...files] = filesIn(folder);
    assert.equal(companies, 'companies.parquet');
    const found = [];
    for (const path of files) {
      const [, year] = /^reports\/fiscal_year=(\d{4}|__HIVE_DEFAULT_PARTITION__)\/part-0\.parquet$/.exec(path) ?? [];
      for (const row of await rowsOf(join(folder, path))) {
        const stored = store.report(Number(row.report_id));
        assert.equal(year, String(stored?.fiscal_year ?? '__HIVE_DEFAULT_PARTITION__'));
        found.push(plainRow(row));
      }
    }
    const byId = (a: Record<string, unknown>, b: Record<string, unknown>) => Number(a.report_id) - Number(b.report_id);
    assert.deepEqual(found.sort(byId), reports.map((report) => asRead(typedRow(report))).sort(byId));
    const file = await asyncBufferFromFile(join(folder, files[0] ?? ''));
    assert.equal(parquetMetadata(await file.slice(0)).schema.length, columns.length + 2);
  });

  it('has the companies of the library beside them', async () => {
    const folder = ready();
    await exportFolder(store, folder);
    const companies = (await rowsOf(join(folder, 'companies.parquet'))).map(plainRow);
    assert.equal(companies.length, store.totals().companies);
    assert.equal(
      companies.reduce((sum, company) => sum + Number(company.reports), 0),
      reports.length,
    );
    const [known] = store.companies({}, { limit: 1 }).items;
    const row = companies.find(({ company_key }) => company_key === known?.company_key);
    assert.deepEqual(
      [row?.company_name, row?.country, row?.newest_fiscal_year],
      [known?.company_name, known?.country, known?.newest],
    );
  });

  it('keeps few rows in memory, in whatever order the reports come', async () => {
    const folder = ready();
    const [one] = varied;
    assert.ok(one);
    const many = 9_000;
    const ofYear = (index: number) => 2000 + (index % 7);
    async function* pages() {
      for (let start = 1; start <= many; start += 500)
        yield Array.from({ length: 500 }, (_, index): Report => {
          const report_id = start + index;
          return {
            ...one,
            report_id,
            report_fcyear: ofYear(report_id),
            metadata: { ...base.metadata, title: `t ${report_id}` },
          } as Report;
        });
    }
    async function* companies() {}
    const { signal } = new AbortController();
    assert.equal(await writeParquetFolder({ folder, pages: pages(), companies: companies(), signal }), many);
    const ids = [];
    for (let year = 2000; year < 2007; year++) {
      const path = join(folder, 'reports', `fiscal_year=${year}`, 'part-0.parquet');
      const { row_groups } = parquetMetadata(await (await asyncBufferFromFile(path)).slice(0));
      assert.ok(row_groups.length > 1 && row_groups.every(({ num_rows }) => num_rows < 1_500n), `${year}`);
      for (const row of await rowsOf(path)) {
        assert.equal(row.title, `t ${row.report_id}`);
        assert.equal(ofYear(Number(row.report_id)), year);
        ids.push(Number(row.report_id));
      }
    }
    assert.equal(new Set(ids).size, many);
  });

  it('replaces an earlier export whole, and an empty folder', async () => {
    const folder = ready();
    mkdirSync(folder);
    await exportFolder(store, folder);
    writeFileSync(join(folder, '.DS_Store'), 'Finder');
    const before = filesIn(folder);
    const [first] = store.reportIds({});
    assert.equal(await exportFolder(store, folder, { ids: [first ?? 0] }), 1);
    const after = filesIn(folder);
    assert.ok(before.length > 3);
    assert.equal(after.length, 2);
    assert.deepEqual(readdirSync(join(folder, '..')), ['export']);
  });

  it('never replaces a folder that is not an earlier export, or holds anything else', async () => {
    const foreign: readonly ((folder: string) => void)[] = [
      (folder) => writeFileSync(join(folder, 'notes.txt'), 'mine'),
      (folder) => rmSync(join(folder, 'companies.parquet')),
      (folder) => rmSync(join(folder, 'reports'), { recursive: true }),
      (folder) => writeFileSync(join(folder, 'companies.parquet'), 'PAR1 of another program PAR1'),
      (folder) => writeFileSync(join(folder, 'reports', 'mine.parquet'), 'mine'),
      (folder) => mkdirSync(join(folder, 'reports', 'fiscal_year=2020', 'more')),
      (folder) => writeFileSync(join(folder, 'reports', 'fiscal_year=2020', 'part-1.parquet'), 'mine'),
      (folder) => {
        rmSync(join(folder, 'reports', 'fiscal_year=2020'), { recursive: true });
        symlinkSync(place.path, join(folder, 'reports', 'fiscal_year=2020'), 'junction');
      },
    ];
    for (const change of foreign) {
      const folder = ready();
      await exportFolder(store, folder);
      assert.ok(existsSync(join(folder, 'reports', 'fiscal_year=2020')));
      change(folder);
      const before = readdirSync(folder, { recursive: true }).sort();
      await assert.rejects(exportFolder(store, folder), { name: 'DiskProblem', code: 'foreign' }, `${change}`);
      assert.deepEqual(readdirSync(folder, { recursive: true }).sort(), before);
      assert.deepEqual(readdirSync(join(folder, '..')), ['export']);
    }
    const file = ready();
    writeFileSync(file, 'mine');
    await assert.rejects(exportFolder(store, file), /not an earlier export/);
    const link = ready();
    const exported = ready();
    await exportFolder(store, exported);
    symlinkSync(exported, link, 'junction');
    await assert.rejects(exportFolder(store, link), /not an earlier export/);
    assert.equal(readFileSync(file, 'utf8'), 'mine');
  });

  it('leaves a file alone that came into the folder while it was written', async () => {
    const folder = ready();
    await exportFolder(store, folder);
    const before = contentsOf(folder);
    const mine = join(folder, 'mine.txt');
    await assert.rejects(
      exportFolder(store, folder, { onProgress: () => writeFileSync(mine, 'mine') }),
      /not an earlier export/,
    );
    rmSync(mine);
    assert.deepEqual(contentsOf(folder), before);
  });

  it('removes what a killed export left, and nothing of one that runs', async () => {
    const folder = ready();
    const machine = createHash('sha256').update(hostname()).digest('hex').slice(0, 4);
    const [left, other] = [2 ** 22 + 1, process.ppid].map((pid) => `.export.${machine}-${pid}---4567abcd.part`);
    for (const name of [left ?? '', other ?? '']) mkdirSync(join(folder, '..', name, 'reports'), { recursive: true });
    await exportFolder(store, folder);
    assert.deepEqual(readdirSync(join(folder, '..')).sort(), [other, 'export']);
  });

  it('leaves the earlier export as it was when it is canceled', async () => {
    const folder = ready();
    await exportFolder(store, folder);
    const before = contentsOf(folder);
    const abort = new AbortController();
    const canceled = exportFolder(store, folder, { signal: abort.signal, onProgress: () => abort.abort() });
    await assert.rejects(canceled, { name: 'AbortError' });
    assert.deepEqual(contentsOf(folder), before);
    assert.deepEqual(readdirSync(join(folder, '..')), ['export']);
  });

  it('reads in DuckDB with its years and types', async function () {
    const connection = await openDuckdb();
    if (!connection) return this.skip();
    const folder = ready();
    await exportFolder(store, folder);
    const table = `read_parquet('${folder}/reports/*/*.parquet', hive_partitioning = true)`;
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
