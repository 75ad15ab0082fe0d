import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type Engine, engineCode, engines } from '../../../src/notebook/code.ts';
import { openDuckdb } from '../../support/duckdb.ts';
import { hasProgram, runProgram } from '../../support/languages/programs.ts';
import { bring, openFile, temporaryDirectory } from '../../unit/library/support/stores.ts';
import { reports } from '../../unit/library/support/variedReports.ts';
import { exportFolder } from './exportedLibrary.ts';

describe('code for engines', function () {
  this.timeout(120_000);
  const place = temporaryDirectory();
  // Characters that a folder's name may have, and that code must not read as its own.
  const folder = join(place.path, 'It’s "my" {export} $1');
  const count = new Map<number | null, number>();
  after(() => place.remove());
  before(async () => {
    const store = openFile(join(place.path, 'library.sqlite'));
    bring(store, reports);
    await exportFolder(store, folder);
    for (const { report_id } of reports) {
      const year = store.report(report_id)?.fiscal_year ?? null;
      count.set(year, (count.get(year) ?? 0) + 1);
    }
    store.close();
    assert.ok(count.has(null) && count.size > 2);
  });

  it('for DuckDB runs as it is, and finds every report', async function () {
    const connection = await openDuckdb();
    if (!connection) return this.skip();
    const [, prepare = '', question = ''] = /"""\n(.*?)""".*?"""\n(.*?)"""/s.exec(engineCode('duckdb', folder)) ?? [];
    await connection.run(`SET VARIABLE files = '${folder.replaceAll("'", "''")}/reports/*/*.parquet'`);
    await connection.run(prepare);
    const rows = (await connection.runAndReadAll(question)).getRowsJS();
    const found = rows.map(([year, reports]) => [year === null ? null : Number(year), Number(reports)] as const);
    assert.deepEqual(new Map(found), count);
    assert.equal(
      rows.reduce((sum, [, , gri]) => sum + Number(gri), 0),
      reports.filter(({ standards_gri }) => standards_gri === true).length,
    );
    connection.closeSync();
  });

  it('for pandas runs as it is, and finds every report with its year as a number', function () {
    const found = runProgram('python3', ['-c', 'import pandas, pyarrow'], place.path);
    // This computer has no Python with pandas and pyarrow.
    if (found.code !== 0) this.skip();
    const shown = `
import json
print(reports["fiscal_year"].dtype, len(reports.columns))
years = reports.groupby("fiscal_year", dropna=False).size().items()
print(json.dumps([[None if pd.isna(year) else int(year), int(count)] for year, count in years]))
`;
    const { code, out, err } = runProgram('python3', ['-'], place.path, engineCode('pandas', folder) + shown);
    assert.equal(code, 0, err);
    const [type, years = ''] = out.trim().split('\n').slice(-2);
    assert.equal(type, 'Int64 51');
    assert.deepEqual(new Map(JSON.parse(years) as [number | null, number][]), count);
  });

  it('for Spark runs as it is, and finds every report with its year as a number', function () {
    // This computer has no Python with pyspark.
    if (runProgram('python3', ['-c', 'import pyspark'], place.path).code !== 0) this.skip();
    const shown = `
import json
print(json.dumps([[row[0], row[1]] for row in reports.groupBy("fiscal_year").count().collect()]))
`;
    const { code, out, err } = runProgram('python3', ['-'], place.path, engineCode('spark', folder) + shown);
    assert.equal(code, 0, err);
    assert.deepEqual(new Map(JSON.parse(out.trim().split('\n').at(-1) ?? '') as [number | null, number][]), count);
  });

  it('is Python, whatever the folder is called', function () {
    if (!hasProgram('python3')) this.skip();
    const code = 'import json, sys\nfor text in json.load(sys.stdin): compile(text, "cell", "exec")';
    const names = Object.keys(engines) as Engine[];
    const cells = names.flatMap((engine) => [engineCode(engine, folder), engineCode(engine, '"""; x = 1 #\n\\')]);
    const run = runProgram('python3', ['-c', code], place.path, JSON.stringify(cells));
    assert.deepEqual(run, { code: 0, out: '', err: '' });
  });
});
