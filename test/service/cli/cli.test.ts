import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { chmod, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { cliStage, cold } from './stage.ts';

const count = 6;

describe('the command line', function () {
  this.timeout(60_000);
  const stage = cliStage(count);
  const { cli } = stage;

  it('takes the key from standard input or from a file of one’s own, and from no other', async () => {
    const key = stage.demo.key.reveal();
    const bare = { service: { baseUrl: stage.demo.baseUrl } };
    assert.equal((await cli(`download ${stage.keys[0]} --key-stdin`, { ...bare, stdin: `${key}\n` })).code, 0);
    const file = join(stage.home, 'key');
    await writeFile(file, `${stage.demo.baseUrl}\n${key}\n`, { mode: 0o600 });
    assert.equal((await cli(`download ${stage.keys[1]} --key-file ${file}`, cold)).code, 0);
    const other = { service: { baseUrl: 'https://reports.example/api/v2' } };
    assert.match(
      (await cli(`download ${stage.keys[2]} --key-file ${file}`, other)).stderr,
      /belongs to another service/,
    );
    await chmod(file, 0o644);
    const open = await cli(`download ${stage.keys[2]} --key-file ${file}`, cold);
    assert.deepEqual([open.code, /chmod 600/.test(open.stderr)], [2, true]);
    await chmod(file, 0o600);
    await symlink(file, join(stage.home, 'link'));
    const linked = await cli(`download ${stage.keys[2]} --key-file ${join(stage.home, 'link')}`, cold);
    assert.deepEqual([linked.code, /key file is a symbolic link/.test(linked.stderr)], [2, true]);
    await writeFile(
      join(stage.cwd, '.env'),
      `REPORT_LIBRARY_API_KEY=${key}\nREPORT_LIBRARY_BASE_URL=${stage.demo.baseUrl}\n`,
    );
    assert.equal((await cli(`download ${stage.keys[2]}`, cold)).code, 2);
  });

  it('says plainly that a folder can’t be written, and reads one that can’t', async function () {
    if (process.getuid?.() === 0) this.skip();
    await cli(`download ${stage.keys.join(' ')}`);
    await chmod(join(stage.cwd, 'reports'), 0o555);
    assert.equal((await cli('restore', cold)).code, 0);
    assert.equal((await cli('verify', cold)).code, 0);
  });

  it('keeps within the limits together with another process of the machine', async () => {
    const [one, two] = [stage.keys.slice(0, count / 2), stage.keys.slice(count / 2)];
    const ends = await Promise.all([
      cli(`download ${one.join(' ')} --folder one`),
      cli(`download ${two.join(' ')} --folder two`),
    ]);
    assert.deepEqual(
      ends.map(({ code }) => code),
      [0, 0],
    );
    assert.ok(stage.demo.control.log.maxWithin(1000) < 10);
    assert.ok(stage.demo.control.log.connections.peak <= 8);
  });

  it('fails at once while the service asks for days, and asks again with --ignore-pause', async () => {
    const { control } = stage.demo;
    control.faults.set([{ match: { nth: [1] }, action: { kind: 'status', status: 429, retryAfter: 30 * 86_400 } }]);
    const waits = async (options = '') => cli(`download ${stage.keys[0]}${options}`);
    const refused = await waits();
    assert.deepEqual([refused.code, /--ignore-pause/.test(refused.stderr)], [3, true], refused.stderr);
    const asked = control.log.entries.length;
    assert.equal((await waits()).code, 3);
    assert.equal(control.log.entries.length, asked, 'nothing is sent before the time');
    assert.equal((await waits(' --ignore-pause')).code, 0);
    control.faults.set([]);
  });

  it('leaves its connections to the next command at once', async () => {
    await cli(`download ${stage.keys[0]}`);
    const shared = new DatabaseSync(join(stage.home, '.cache', 'report-library', 'machine', 'budget.sqlite'));
    const rows = shared.prepare(`SELECT value FROM state WHERE name LIKE '% budget'`).all();
    shared.close();
    assert.deepEqual(
      rows.map(({ value }) => JSON.parse(String(value)).processes),
      [{}],
    );
  });

  it('keeps what it stores for this user alone', async () => {
    await cli(`download ${stage.keys[0]}`);
    const folder = join(stage.home, '.cache', 'report-library');
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const { mode } = await stat(join(entry.parentPath, entry.name));
      assert.equal(mode & 0o077, 0, entry.name);
      assert.ok(
        !entry.isFile() || !(await readFile(join(entry.parentPath, entry.name))).includes(stage.demo.key.reveal()),
      );
    }
  });

  it('loads the library, and syncs it the second time', async () => {
    const first = JSON.parse((await cli('sync --json')).stdout) as Record<string, number>;
    assert.deepEqual([first.exit, first.added, first.listed], [0, count, count]);
    stage.demo.control.catalog.withdraw((stage.demo.control.entitled()[0]?.report_id ?? 0) as number);
    stage.demo.control.advance(3_600_000);
    const second = JSON.parse((await cli('sync --json')).stdout) as Record<string, number>;
    assert.deepEqual([second.exit, second.added, second.withdrawn, second.listed], [0, 0, 1, count - 1]);
  });

  it('says how many records could not be read, and how many reports a full check did not find', async () => {
    type List = { data: Record<string, unknown>[]; page_info: object };
    const rewritten = (change: (body: List) => unknown) =>
      stage.demo.control.faults.set([
        { match: { route: 'GET /reports' }, action: { kind: 'rewrite', change: (body) => change(body as List) } },
      ]);
    rewritten(({ data, page_info }) => ({
      data: data.map((report, index) => (index === 0 ? { ...report, report_id: 'A-1' } : report)),
      page_info,
    }));
    const told = await cli('sync');
    assert.match(told.stderr, /^report-library: 1 record could not be read and was set aside\./m);
    stage.demo.control.faults.set([]);
    assert.doesNotMatch((await cli('sync --full')).stderr, /set aside/);
    rewritten(({ page_info }) => ({ data: [], page_info }));
    const { code, stdout, stderr } = await cli('sync --full');
    assert.equal(code, 0);
    assert.match(stdout, / 0 removed\./);
    assert.match(stderr, /^report-library: The full check did not find (\d+) of \1 reports\..+nothing was removed/m);
    stage.demo.control.faults.set([]);
  });

  it('says what it waits for, and nothing of it where JSON is wanted', async () => {
    const brokenOnce = {
      match: { route: 'GET /reports/changes', times: 1 },
      action: { kind: 'status', status: 503 },
    } as const;
    await cli('sync');
    stage.demo.control.faults.set([brokenOnce]);
    const told = await cli('sync');
    assert.equal(told.code, 0);
    assert.match(told.stderr, /^report-library: Waiting .+: .+\.$/m);
    stage.demo.control.faults.set([brokenOnce]);
    assert.deepEqual((await cli('sync --json')).stderr, '');
    stage.demo.control.faults.set([]);
  });

  it('says with 1 that another process syncs, warns of a library that is half loaded, and goes on when that is gone', async () => {
    const asked = Promise.withResolvers<void>();
    const when = () => {
      asked.resolve();
      return true;
    };
    stage.demo.control.faults.set([{ match: { route: 'GET /reports', when }, action: { kind: 'stall' } }]);
    let child: ChildProcess | undefined;
    const first = cli('sync', {
      onStart(started) {
        child = started;
      },
    });
    await asked.promise;
    const second = await cli('sync');
    assert.deepEqual(
      [second.code, second.stdout.split('\n')[0]],
      [1, 'Another process is syncing. Run it again later.'],
    );
    assert.match((await cli('find anything')).stderr, /not loaded completely.+report-library sync/);
    child?.kill('SIGKILL');
    await first;
    stage.demo.control.faults.set([]);
    const last = await cli('sync');
    assert.equal(last.code, 0);
    assert.match(last.stderr, /^Syncing: \d+ of \d+$/m);
    assert.equal((await cli('find anything')).stderr, '');
  });

  it('helps with examples', async () => {
    assert.match((await cli('--help', cold)).stdout, /restore +Bring back exactly/);
    assert.match((await cli('restore --help', cold)).stdout, /Examples:\n {2}report-library restore --frozen/);
  });
});
