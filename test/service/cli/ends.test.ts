import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Secret } from '../../../src/base/secret.ts';
import { cliStage } from './stage.ts';

const count = 8;
const preload = (script: string) => ({ NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(script)}` });

describe('how a command line ends', function () {
  this.timeout(60_000);
  const stage = cliStage(count);
  const { cli } = stage;

  it('with 2 and a sentence for what is wrong with it, and a document where JSON is wanted', async () => {
    for (const args of [['verify', '--bogus'], ['restore', 'extra'], ['nonsense']]) {
      const plain = await cli(args);
      assert.deepEqual([plain.code, plain.stdout], [2, ''], args.join(' '));
      assert.match(plain.stderr, /^.+[.”] Run report-library --help .+\n$/);
      const { code, stdout, stderr } = await cli([...args.slice(0, 1), '--json', ...args.slice(1)]);
      const document = JSON.parse(stdout) as { exit: number; error: { kind: string } };
      assert.deepEqual([code, stderr, document.exit, document.error.kind], [2, '', 2, 'usage'], args.join(' '));
    }
    const early = await cli(['verify']);
    assert.match(early.stderr, /There is no reports\/reports\.lock\.json\. Download reports first/);
    assert.match((await cli(['find'])).stderr, /^report-library find needs WORDS\. Run /);
    const blank = await cli(['search', ' ']);
    assert.deepEqual([blank.code, /to search for/.test(blank.stderr)], [2, true], blank.stderr);
  });

  it('with 2 on a Node that is too old, which gets a sentence and no stack', async () => {
    for (const version of ['20.20.2', '22.22.2', '24.14.1']) {
      const script = `Object.defineProperty(process,'versions',{value:{...process.versions,node:'${version}'}})`;
      const { code, stderr } = await cli(['status'], { env: preload(script) });
      assert.equal(code, 2, stderr);
      assert.match(stderr, /^report-library needs Node\.js 22\.22\.3 .+This is Node\.js [\d.]+\. Run .+\n$/, version);
    }
  });

  it('at its own end, with its own code, when nobody reads what it writes', async () => {
    for (const closed of ['stdout', 'stderr'] as const) {
      const folder = ['--folder', closed];
      assert.equal((await cli(['download', ...stage.keys, 'NO_SUCH_KEY', ...folder], { closed })).code, 1, closed);
      const { code, stdout } = await cli(['verify', ...folder]);
      assert.deepEqual([code, stdout], [0, `${count} PDFs: ${count} matching the lock\n`], closed);
    }
  });

  it('with 1 and a sentence when its output cannot be written', async function () {
    if (process.platform !== 'linux') this.skip();
    const script = `import{openSync,closeSync}from'node:fs';closeSync(1);openSync('/dev/full','w')`;
    const { code, stderr } = await cli(['verify', '--json'], { env: preload(script) });
    assert.deepEqual([code, stderr], [1, "report-library: The output can't be written (ENOSPC).\n"]);
  });

  it('without repeating what stands where a command belongs: it may be a key', async () => {
    const { code, stdout, stderr } = await cli(['abcd_live_0123456789']);
    assert.deepEqual([code, (stdout + stderr).includes('0123')], [2, false], stderr);
    assert.equal((await cli(['mcp', '--key-stdin'])).code, 2, 'standard input of mcp is the client’s');
  });

  it('with 1 when a filter matches nothing', async () => {
    for (const more of [[], ['--dry-run']]) {
      const { code, stdout } = await cli(['download', '--type', 'NOSUCH', ...more]);
      assert.deepEqual([code, stdout], [1, 'No report in your license matches the filter.\n']);
    }
  });

  it('with words that fit a command line: no command signs in', async () => {
    await cli(['download', ...stage.keys]);
    assert.equal((await cli(['update'])).stdout, `${count} up to date\n`);
    await rm(join(stage.home, '.cache'), { recursive: true });
    await rm(join(stage.cwd, 'reports', 'reports.csv'));
    const { reports } = JSON.parse((await cli(['status', '--json'])).stdout) as { reports: { path: string }[] };
    await rm(join(stage.cwd, reports[0]?.path ?? ''));
    const service = { baseUrl: stage.demo.baseUrl, key: new Secret('rlk_demo_live_of_nobody') };
    for (const command of ['restore', 'doctor', 'sync']) {
      const { code, stdout, stderr } = await cli([command], { service });
      assert.equal(code, 4, command);
      assert.match(stdout + stderr, /Check the (API )?key\./, command);
      assert.doesNotMatch(stdout + stderr, /Sign in/, command);
    }
    await writeFile(join(stage.cwd, 'blocked'), '');
    const { code, stderr } = await cli(['mcp'], { env: { XDG_CACHE_HOME: join(stage.cwd, 'blocked') } });
    assert.equal(code, 1);
    assert.doesNotMatch(stderr, /ENOTDIR|EEXIST|mkdir/);
    const ill = await cli(['doctor'], { env: { XDG_CACHE_HOME: join(stage.cwd, 'blocked') } });
    assert.match(ill.stdout, /^BAD +folder of this computer: .+Set XDG_CACHE_HOME to a folder/m);
    await writeFile(join(stage.cwd, 'names.csv'), 'isin\nUS0000000000\n');
    const nowhere = await cli(['resolve', 'names.csv', '--output', 'gone/companies.csv']);
    assert.deepEqual([nowhere.code, /no folder gone/.test(nowhere.stderr)], [2, true], nowhere.stderr);
    const table = await cli(['export', '--output', 'gone/table.csv']);
    assert.deepEqual([table.code, /no folder gone/.test(table.stderr)], [2, true], table.stderr);
    const inFile = await cli(['download', stage.keys[0] ?? '', '--folder', 'blocked/x/reports']);
    assert.equal(inFile.code, 1);
    assert.doesNotMatch(inFile.stdout + inFile.stderr, /ENOTDIR|mkdir/);
  });
});
