import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestDemo } from '../../support/demo/testDemo.ts';
import { cold, sharedCliStage } from './stage.ts';

describe('the command line, asked what is in the library', function () {
  this.timeout(60_000);
  const stage = sharedCliStage();
  const { cli } = stage;
  let home: string;
  let cwd: string;
  let demo: TestDemo;

  before(async () => {
    ({ home, cwd, demo } = stage);
    assert.equal((await cli('find anything')).code, 2);
    assert.equal((await cli('sync')).code, 0);
    const [report] = demo.control.entitled();
    assert.equal((await cli(`download ${report?.report_key}`)).code, 0);
    demo.control.log.clear();
  });

  const asked = () => demo.control.log.entries.length;

  it('finds and exports reports without a request', async () => {
    const [report] = demo.control.entitled();
    const found = JSON.parse((await cli(`find ${report?.report_key} --json`)).stdout) as {
      reports: { report_id: number }[];
    };
    assert.equal(found.reports[0]?.report_id, report?.report_id);
    assert.equal((await cli('export --format jsonl --output all.jsonl')).code, 0);
    const lines = (await readFile(join(cwd, 'all.jsonl'), 'utf8')).trim().split('\n');
    assert.deepEqual(
      lines.map((line) => (JSON.parse(line) as { report_id: number }).report_id).sort((a, b) => a - b),
      demo.control.entitled().map(({ report_id }) => report_id),
    );
    assert.equal((await cli('export --format excel')).code, 2);
    const folder = 'export --format parquet --partition fiscal_year --output lake';
    for (const _ of ['first', 'second']) {
      const { rows } = JSON.parse((await cli(`${folder} --json`)).stdout) as { rows: number };
      assert.equal(rows, lines.length);
    }
    assert.equal(asked(), 0);
    const mine = join(cwd, 'lake', 'mine.txt');
    await writeFile(mine, 'mine');
    const refused = await cli(folder);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /not an earlier export/);
    assert.equal(await readFile(mine, 'utf8'), 'mine');
  });

  it('searches the pages of the PDFs that are here, without network and key', async () => {
    const { code, stdout } = await cli('search 20* --json', cold);
    const { hits, coverage } = JSON.parse(stdout) as {
      hits: Record<string, unknown>[];
      coverage: { searchable: number };
    };
    assert.deepEqual([code, coverage.searchable, hits.length > 0], [0, 1, true]);
    assert.deepEqual(Object.keys(hits[0] ?? {}), ['report_id', 'report_key', 'sha256', 'page', 'label', 'snippet']);
    // The outermost words may be cut.
    const [words = []] = `${hits[0]?.snippet}`
      .split('…')
      .map((part) => part.trim().split(' ').slice(1, -1))
      .filter((part) => part.length > 2);
    const quote = {
      ...{ id: 'aaaaaaaaaaaa', kind: 'quote', note: '', created_at: '2026-01-01T00:00:00Z' },
      ...{ report_id: hits[0]?.report_id, report_key: hits[0]?.report_key, sha256: hits[0]?.sha256 },
      selector: { type: 'TextQuoteSelector', exact: words.join(' '), prefix: '', suffix: '' },
      regions: [{ page: hits[0]?.page, label: null, rectangles: [] }],
    };
    const file = join(cwd, 'reports', 'reports.evidence.json');
    const write = (sha256: unknown) =>
      writeFile(file, JSON.stringify({ version: 1, evidence: [{ ...quote, sha256 }] }));
    await write(quote.sha256);
    const same = await cli('check-evidence --json', cold);
    assert.deepEqual([same.code, JSON.parse(same.stdout).evidence[0].state], [0, 'same']);
    const invented = { ...quote, selector: { ...quote.selector, exact: 'We never emitted anything at all.' } };
    const forged = { ...quote, regions: [{ page: 99_999, label: null, rectangles: [] }] };
    for (const one of [invented, forged]) {
      await writeFile(file, JSON.stringify({ version: 1, evidence: [one] }));
      const { code: differs, stdout: told } = await cli('check-evidence --json', cold);
      assert.deepEqual([differs, JSON.parse(told).evidence[0].state], [1, 'ambiguous']);
    }
    await write('0'.repeat(64));
    const other = await cli('check-evidence', cold);
    assert.equal(other.code, 1);
    assert.match(other.stdout, /^(ambiguous|found|gone) +aaaaaaaaaaaa /m);
  });

  it('adds companies to a table of identifiers, and writes no formula', async () => {
    const [company] = demo.control.entitled();
    const key = company?.company_key.replace('_', ':') ?? '';
    await writeFile(join(cwd, 'in.csv'), `name,code\n"=1+1",${key}\nx,XLON:NONE\n`);
    const { code, stdout, stderr } = await cli('resolve in.csv');
    assert.match(stderr, /code \(UTF-8, delimiter ,\): 1 matched, 1 unmatched/);
    const [header, first, second] = stdout.split('\n');
    assert.equal(header, 'name,code,company_key,company_name,match_status');
    assert.ok(first?.startsWith(`"=1+1",${key},${company?.company_key},`) && first.endsWith(',matched'), first);
    assert.equal(second, 'x,XLON:NONE,,,unmatched');
    assert.equal(code, 1);
    assert.equal((await cli('resolve in.csv --column nothing')).code, 2);
    await writeFile(join(cwd, 'below.csv'), `Report, 2024\n\ncode;name\n${key};a\n`);
    const below = await cli('resolve below.csv --output out.csv');
    assert.match(below.stdout, /^code \(UTF-8, delimiter ;, header in line 3\): 1 matched$/m);
    await writeFile(join(cwd, 'broken.csv'), `code,name\n${key},"a\nXLON:NONE,b\n`);
    const broken = await cli('resolve broken.csv');
    assert.deepEqual([broken.code, broken.stdout], [2, '']);
    assert.match(broken.stderr, /Row 2 has quotes that don't match/);
  });

  it('keeps every cell and the delimiter of a table, also where the table itself is replaced', async () => {
    const [company] = demo.control.entitled();
    const key = company?.company_key.replace('_', ':') ?? '';
    const file = join(cwd, 'wide.csv');
    await writeFile(
      file,
      `code;note
${key};"a;b";beyond the header
XLON:NONE
`,
    );
    await cli('resolve wide.csv --column code --output wide.csv');
    const [header, first, second] = (await readFile(file, 'utf8')).split('\n');
    assert.equal(header, 'code;note;;company_key;company_name;match_status');
    assert.ok(first?.startsWith(`${key};"a;b";beyond the header;${company?.company_key};`), first);
    assert.equal(second, 'XLON:NONE;;;;;unmatched');
  });

  it('answers assistants from its library, with no key and no request', async () => {
    const before = asked();
    const initialize = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const calls = [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize },
      { jsonrpc: '2.0', id: 2, method: 'tools/list' },
    ];
    const { code, stdout } = await cli('mcp', { stdin: calls.map((call) => `${JSON.stringify(call)}\n`).join('') });
    assert.equal(code, 0);
    assert.match(stdout, /"reportlibrary_find_reports"/);
    const elsewhere = { baseUrl: 'https://reports.example/api/v2', key: demo.key };
    const empty = await cli('mcp', { service: elsewhere });
    assert.deepEqual([empty.code, /Run report-library sync/.test(empty.stderr)], [0, true]);
    assert.equal(asked(), before);
    assert.deepEqual(await readdir(join(home, '.cache', 'report-library', 'mcp')), []);
  });

  it('says that a lock is of another service, and takes the habits of requests from the environment', async () => {
    const lockFile = join(cwd, 'reports', 'reports.lock.json');
    const lock = await readFile(lockFile, 'utf8');
    await writeFile(lockFile, JSON.stringify({ ...JSON.parse(lock), origin: 'https://elsewhere.example' }));
    const { stdout } = await cli('doctor');
    await writeFile(lockFile, lock);
    assert.match(stdout, /^BAD +lock: .* is of another service/m);
    demo.control.log.clear();
    const env = { REPORT_LIBRARY_AUTHENTICATION: 'x-api-key', REPORT_LIBRARY_REQUESTS_PER_SECOND: '2' };
    assert.equal((await cli('sync', { env })).code, 0);
    const headers = demo.control.log.entries.map((entry) => Object.keys(entry.headers));
    assert.ok(
      headers.length > 0 && headers.every((names) => names.includes('x-api-key') && !names.includes('authorization')),
    );
    for (const wrong of [{ REPORT_LIBRARY_AUTHENTICATION: 'none' }, { REPORT_LIBRARY_REQUESTS_PER_SECOND: '20' }])
      assert.equal((await cli('sync', { env: wrong })).code, 2);
  });

  it('says what is well and what is not', async () => {
    const { code, stdout } = await cli('doctor');
    assert.equal(code, 0, stdout);
    assert.match(stdout, /^ok +service: answers; licensed to Demo Research Desk/m);
    assert.doesNotMatch(stdout, new RegExp(demo.key.reveal()));
    const ill = await cli('doctor', cold);
    assert.equal(ill.code, 4);
    assert.match(ill.stdout, /^BAD +base URL: /m);
  });

  it('needs neither key nor service with the demo', async () => {
    const { code, stdout } = await cli('find sustainability --demo --json --limit 3', cold);
    assert.deepEqual([code, (JSON.parse(stdout) as { reports: unknown[] }).reports.length], [0, 3]);
    for (const _ of ['first', 'second']) {
      const run = await cli('export --format parquet --partition fiscal_year --output demo-lake --demo', cold);
      assert.equal(run.code, 0, run.stderr);
      assert.match(run.stderr, /^Exporting: (\d+) of \1$/m);
    }
  });
});
