import assert from 'node:assert/strict';
import { appendFile, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Secret } from '../../../src/base/secret.ts';
import type { CliRun } from '../../support/cli.ts';
import { cliStage, cold } from './stage.ts';

const count = 6;
const jsonOf = ({ stdout }: { stdout: string }) =>
  JSON.parse(stdout) as {
    exit: number;
    error?: { kind: string; message: string };
    reports: Record<string, unknown>[];
  };

describe('the command line, with a lock', function () {
  this.timeout(60_000);
  const stage = cliStage(count);
  const { cli, lock, lockPath, forgetPdfs } = stage;

  it('downloads by key, restores from the lock, and asks nothing the second time', async () => {
    const downloaded = await cli(`download ${stage.keys.join(' ')}`);
    assert.deepEqual(
      [downloaded.code, downloaded.stdout.split('\n').at(-2)],
      [0, `${count} PDFs: ${count} downloaded`],
    );
    await forgetPdfs();
    const restored = jsonOf(await cli('restore --frozen --json'));
    assert.deepEqual(
      [restored.exit, restored.reports.map(({ status }) => status)],
      [0, Array(count).fill('downloaded')],
    );
    assert.ok(restored.reports.every(({ path }) => String(path).startsWith('reports/')));
    stage.demo.control.log.clear();
    assert.equal((await cli('restore')).code, 0);
    assert.deepEqual(stage.demo.control.log.entries, []);
    assert.equal((await cli('restore', cold)).code, 0);
  });

  it('verifies without network and key, and never calls that verified', async () => {
    await cli(`download ${stage.keys.join(' ')}`);
    const matching = jsonOf(await cli('verify --json', cold));
    assert.deepEqual(
      [matching.exit, new Set(matching.reports.map(({ state }) => state))],
      [0, new Set(['matches-lock'])],
    );
    const [edited, gone] = (await lock()).reports;
    await appendFile(join(stage.cwd, 'reports', edited?.path ?? ''), 'x');
    await rm(join(stage.cwd, 'reports', gone?.path ?? ''));
    assert.equal((await cli('verify --demo', cold)).code, 1);
    for (const command of ['verify', 'status']) {
      const { code, stdout } = await cli(command, cold);
      assert.equal(code, 1);
      assert.match(stdout, new RegExp(`^edited +${edited?.report_key} `, 'm'));
      assert.match(stdout, new RegExp(`^missing +${gone?.report_key} `, 'm'));
    }
  });

  it('says what the service published where the library is here, asks nothing for it, and names what is newer', async () => {
    await cli(`download ${stage.keys.join(' ')}`);
    await cli('sync');
    stage.demo.control.log.clear();
    const states = async (run?: Partial<CliRun>) => {
      const { exit, reports } = jsonOf(await cli('verify --json', run));
      return [exit, ...new Set(reports.map(({ state }) => state))];
    };
    assert.deepEqual(await states(), [0, 'verified']);
    assert.deepEqual(await states(cold), [0, 'matches-lock']);
    const other = { baseUrl: 'https://reports.example/api/v2', key: stage.demo.key };
    assert.deepEqual(await states({ service: other }), [0, 'matches-lock']);
    assert.deepEqual(stage.demo.control.log.entries, []);
    stage.demo.control.catalog.replacePdf((await lock()).reports[0]?.report_id ?? 0);
    stage.demo.control.advance(3_600_000);
    await cli('sync');
    assert.deepEqual(await states(), [1, 'newer', 'verified']);
    stage.demo.control.catalog.withdraw((await lock()).reports[1]?.report_id ?? 0);
    stage.demo.control.advance(3_600_000);
    await cli('sync');
    assert.deepEqual(await states(), [1, 'newer', 'withdrawn', 'verified']);
  });

  it('takes no row for verified that names a report by a key that it never had', async () => {
    await cli(`download ${stage.keys.join(' ')}`);
    await cli('sync');
    const text = await readFile(lockPath(), 'utf8');
    const [first] = (await lock()).reports;
    const forge = (key: string) =>
      writeFile(lockPath(), text.replace(`"report_key":${JSON.stringify(first?.report_key)}`, `"report_key":"${key}"`));
    await forge('XNYS_LRKF_1990_SR');
    assert.notEqual(await readFile(lockPath(), 'utf8'), text);
    const ends = async (command: string, of: 'state' | 'status' | 'cause') => {
      const { exit, reports } = jsonOf(await cli(`${command} --json`));
      return [exit, reports.find(({ report_id }) => report_id === first?.report_id)?.[of]];
    };
    assert.deepEqual(await ends('verify', 'state'), [1, 'other-key']);
    assert.deepEqual(await ends('status', 'state'), [1, 'other-key']);
    assert.deepEqual(await ends('restore --frozen', 'cause'), [1, 'other-key']);
    assert.deepEqual(await ends('update --dry-run', 'cause'), [1, 'other-key']);
    assert.deepEqual(await ends('update', 'cause'), [1, 'other-key']);
    assert.match(
      (await cli('verify')).stdout,
      /: 1 not matching the library, 5 verified|: 5 verified, 1 not matching the library/,
    );
    assert.equal((await cli(`download ${first?.report_key}`)).code, 0);
    assert.deepEqual(
      [await ends('verify', 'state'), (await lock()).reports[0]?.report_key],
      [[0, 'verified'], first?.report_key],
    );
  });

  it('takes PDFs from a team’s store and adds to it, for what the library lists', async () => {
    const share = join(stage.cwd, 'share');
    await mkdir(share);
    const team = { env: { REPORT_LIBRARY_SHARED_STORE: share } };
    const inShare = async () => (await readdir(share, { recursive: true })).filter((name) => name.endsWith('.pdf'));
    const first = await cli(`download ${stage.keys.join(' ')}`, team);
    assert.deepEqual([first.code, await inShare()], [0, []]);
    assert.match(first.stderr, /shared store is not used.+report-library sync/);
    await forgetPdfs();
    await cli('sync');
    await cli('restore', team);
    assert.equal((await inShare()).length, count);
    await forgetPdfs();
    stage.demo.control.log.clear();
    const shared = await cli('restore', team);
    assert.deepEqual([shared.code, shared.stderr.includes('shared store')], [0, false]);
    assert.deepEqual(stage.demo.control.log.entries, []);
    const relative = await cli('restore', { env: { REPORT_LIBRARY_SHARED_STORE: 'share' } });
    assert.deepEqual([relative.code, /not an absolute path/.test(relative.stderr)], [2, true]);
    await writeFile(join(stage.cwd, '.env'), `REPORT_LIBRARY_SHARED_STORE=${share}\n`);
    await forgetPdfs();
    await cli('restore');
    assert.ok(stage.demo.control.log.entries.length > 0, 'a .env names no store');
    assert.match((await cli('doctor', team)).stdout, /^ok +shared store: .*share$/m);
  });

  it('asks for one link only when two processes want the same PDF at once', async () => {
    await cli(`download ${stage.keys.join(' ')}`);
    await forgetPdfs();
    await cp(join(stage.cwd, 'reports'), join(stage.cwd, 'other'), { recursive: true });
    stage.demo.control.log.clear();
    const ends = await Promise.all(['reports', 'other'].map((folder) => cli(`restore --frozen --folder ${folder}`)));
    assert.deepEqual(
      ends.map(({ code }) => code),
      [0, 0],
    );
    const links = stage.demo.control.log.entries.filter(({ route }) => route.endsWith('/download'));
    assert.equal(links.length, count);
  });

  it('names the reports whose bytes changed or were withdrawn, and leaves the lock as it is', async () => {
    await cli(`download ${stage.keys.join(' ')}`);
    const [changed, withdrawn] = (await lock()).reports;
    const before = await readFile(lockPath(), 'utf8');
    await forgetPdfs();
    stage.demo.control.catalog.replacePdf(changed?.report_id ?? 0);
    stage.demo.control.catalog.withdraw(withdrawn?.report_id ?? 0);
    const { code, stdout } = await cli('restore');
    assert.equal(code, 1);
    assert.match(stdout, new RegExp(`^changed-upstream +${changed?.report_key} .*report-library update`, 'm'));
    assert.match(stdout, new RegExp(`^withdrawn +${withdrawn?.report_key} `, 'm'));
    assert.equal(await readFile(lockPath(), 'utf8'), before);
    const dry = jsonOf(await cli('update --dry-run --json'));
    assert.deepEqual(
      [dry.exit, dry.reports.map(({ status }) => status).sort()],
      [1, ['changed', 'kept', ...Array(count - 2).fill('unchanged')]],
    );
    assert.equal((await cli('update')).code, 1);
    assert.match((await cli('verify', cold)).stdout, /^6 PDFs: .*5 matching the lock/m);
  });

  it('counts a report of the lock that has no PDF any more as differing', async () => {
    await cli(`download ${stage.keys.join(' ')}`);
    const [gone] = (await lock()).reports;
    await forgetPdfs();
    const report = stage.demo.control.entitled().find(({ report_id }) => report_id === gone?.report_id);
    assert.ok(report);
    report.has_file = false;
    const restored = jsonOf(await cli('restore --json'));
    assert.deepEqual([restored.exit, restored.reports[0]?.status], [1, 'no-file']);
    for (const command of ['update --dry-run', 'update']) assert.equal((await cli(command)).code, 1, command);
    assert.equal((await cli(`download ${gone?.report_key}`)).code, 0);
  });

  it('ends with 4 for a wrong key or none, 3 without the service, 2 for what it can’t use', async () => {
    await cli(`download ${stage.keys[0]}`);
    await forgetPdfs();
    const wrong = new Secret('wrong_live_0123456789abcdef');
    const refused = await cli('restore', { service: { baseUrl: stage.demo.baseUrl, key: wrong } });
    assert.equal(refused.code, 4);
    assert.doesNotMatch(refused.stdout + refused.stderr, /wrong_live/);
    assert.equal((await cli('restore', { service: { baseUrl: stage.demo.baseUrl } })).code, 4);
    assert.equal((await cli('restore', cold)).code, 2);
    const nobody = { baseUrl: 'http://127.0.0.1:1/api/v2', key: stage.demo.key };
    assert.equal((await cli('restore', { service: nobody })).code, 3);
    assert.equal(
      (await cli('restore', { service: { baseUrl: 'http://reports.example/api/v2', key: stage.demo.key } })).code,
      2,
    );
    assert.equal((await cli('restore --folder elsewhere', cold)).code, 2);
    assert.equal((await cli('restore --fast', cold)).code, 2);
  });

  it('leaves a lock of another service alone', async () => {
    await cli(`download ${stage.keys[0]}`);
    await writeFile(
      lockPath(),
      (await readFile(lockPath(), 'utf8')).replace('{', '{"origin":"https://reports.example",'),
    );
    stage.demo.control.log.clear();
    for (const command of ['restore', 'update', `download ${stage.keys[1]}`, 'restore --demo']) {
      const { code, stderr } = await cli(command);
      assert.equal(code, 2, command);
      assert.match(stderr, /another service \(https:\/\/reports\.example\)/);
    }
    await writeFile(lockPath(), (await readFile(lockPath(), 'utf8')).replace('https://reports.example', 'demo'));
    const refused = await cli('restore');
    assert.deepEqual([refused.code, /another service \(demo\)/.test(refused.stderr)], [2, true]);
    assert.equal((await cli('restore --demo')).code, 0);
    assert.deepEqual(stage.demo.control.log.entries, []);
  });
});
