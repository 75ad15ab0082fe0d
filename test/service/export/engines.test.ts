import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { peerPackage } from '../../../scripts/install/peers.ts';
import { exportLibrary } from '../../../src/export/exportLibrary.ts';
import { exportManifestName, filesOf, readExportManifest } from '../../../src/export/exportManifest.ts';
import { engineCode, engineForms, engines } from '../../../src/notebook/engineCode.ts';
import { openDuckdb } from '../../support/duckdb.ts';
import { hasProgram, runProgram } from '../../support/languages/programs.ts';
import { bring, openFile, temporaryDirectory } from '../../unit/library/support/stores.ts';
import { reports } from '../../unit/library/support/variedReports.ts';

/** ClickHouse for Node, where its package has a build for this machine. */
async function openableChdb(): Promise<string | undefined> {
  const [chdb, build] = await Promise.all(['chdb/index.js', '@chdb'].map(peerPackage));
  return build && existsSync(fileURLToPath(build)) ? chdb : undefined;
}

const python = engines.filter((engine) => engineForms[engine].language === 'python');

describe('code for engines', function () {
  this.timeout(60_000);
  const place = temporaryDirectory();
  // What a person may call a folder, and code must not take for its own.
  const folder = join(place.path, 'It’s "my" {export} $1');
  after(() => place.remove());
  before(async () => {
    const library = join(place.path, 'library.sqlite');
    const store = openFile(library);
    bring(store, reports);
    store.close();
    mkdirSync(folder);
    await exportLibrary({ library, folder, origin: 'https://reports.example' });
  });
  const manifest = () => readExportManifest(readFileSync(join(folder, exportManifestName), 'utf8'));

  it('for DuckDB runs as it stands, and finds every report', async function () {
    const connection = await openDuckdb();
    if (!connection) return this.skip();
    const [, prepare = '', question = ''] = /"""\n(.*?)""".*?"""\n(.*?)"""/s.exec(engineCode('duckdb', folder)) ?? [];
    await connection.run(`SET VARIABLE folder = '${folder.replaceAll("'", "''")}'`);
    for (const statement of prepare.split(';\n').filter((text) => text.trim() !== '')) await connection.run(statement);
    const rows = (await connection.runAndReadAll(question)).getRowsJS();
    assert.equal(
      rows.reduce((sum, [, count]) => sum + Number(count), 0),
      reports.length,
    );
    assert.equal(
      rows.reduce((sum, [, , gri]) => sum + Number(gri), 0),
      reports.filter(({ standards_gri }) => standards_gri === true).length,
    );
    connection.closeSync();
  });

  it('for ClickHouse runs as it stands, and finds every report, undated ones too', async function () {
    const chdb = await openableChdb();
    if (!chdb || !hasProgram('python3')) return this.skip();
    // ClickHouse takes braces in a path for alternatives.
    const plain = join(place.path, 'It’s Anna\'s "export" $1');
    cpSync(folder, plain, { recursive: true });
    const said = 'import sys, types\nsys.modules["chdb"] = types.SimpleNamespace(query=lambda sql, form: sql)\n';
    const asked = runProgram('python3', ['-'], place.path, said + engineCode('clickhouse', plain));
    assert.equal(asked.err, '');
    const script = `import chdb from ${JSON.stringify(chdb)}; process.stdout.write(chdb.query(process.argv[1], 'JSONCompact'));`;
    const answer = runProgram(process.execPath, ['--input-type=module', '-e', script, asked.out], place.path);
    assert.equal(answer.err, '');
    const { data } = JSON.parse(answer.out) as { data: [year: number | null, count: string, gri: string][] };
    const sum = (at: 1 | 2) => data.reduce((all, row) => all + Number(row[at]), 0);
    assert.deepEqual(
      [sum(1), sum(2)],
      [reports.length, reports.filter(({ standards_gri }) => standards_gri === true).length],
    );
    assert.ok(data.some(([year]) => year === null) && data.some(([year]) => Number(year) > 1990));
  });

  it('in R gives each year’s files their year: from a list of files arrow takes none', () => {
    const code = engineCode('r', folder);
    assert.match(code, /sub\("\^reports\/fiscal_year=\(\[\^\/\]\*\)\/\.\*", "\\\\1", paths\)/);
    assert.match(code, /open_dataset\(years\[\[name\]\]\) \|> mutate\(fiscal_year = !!filed\)/);
    assert.doesNotMatch(code, /partition/);
  });

  it('in Python reads as code, whatever the folder is called', function () {
    if (!hasProgram('python3')) this.skip();
    const code = 'import json, sys\nfor text in json.load(sys.stdin): compile(text, "cell", "exec")';
    const cells = python.flatMap((engine) => [engineCode(engine, folder), engineCode(engine, '"""; x = 1 #\n\\')]);
    assert.deepEqual(runProgram('python3', ['-c', code], place.path, JSON.stringify(cells)), {
      code: 0,
      out: '',
      err: '',
    });
  });

  it('in Python takes the files that the manifest lists', function () {
    if (!hasProgram('python3')) this.skip();
    const wanted = filesOf(manifest() ?? assert.fail())
      .filter(({ path }) => path.startsWith('reports/'))
      .map(({ path }) => `${folder}/${path}`);
    for (const engine of python.filter((name) => name !== 'duckdb')) {
      const [files = ''] = engineCode(engine, folder).split('\n\n\nimport ');
      const [only = ''] = files.split('\n\n\nfrom pyspark');
      const { out, err } = runProgram('python3', ['-'], place.path, `${only}\nprint(json.dumps(export_files()))\n`);
      assert.deepEqual(JSON.parse(out || err), wanted, engine);
    }
  });
});
