import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import {
  appendFile,
  chmod,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Secret } from '../../../src/base/secret.ts';
import { type CliRun, runCli } from '../../support/cli.ts';
import { services } from '../../support/demo/ask.ts';
import type { TestDemo } from '../../support/demo/testDemo.ts';
import { plainCatalogue } from '../../support/demo/tinyCatalogue.ts';

const count = 6;

interface LockText {
  origin?: string;
  reports: { report_id: number; report_key: string; path: string }[];
}

describe('the command line', function () {
  this.timeout(60_000);
  const { start, end } = services();
  let home: string;
  let cwd: string;
  let demo: TestDemo;
  let keys: string[];

  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'report-library-home-'));
    cwd = await mkdtemp(join(tmpdir(), 'report-library-'));
    demo = await start({ catalogue: plainCatalogue(count), requestsPerMinute: 100_000 });
    keys = demo.control.entitled().map(({ report_key }) => report_key);
  });
  afterEach(async () => {
    await end();
    await chmod(join(cwd, 'reports'), 0o755).catch(() => undefined);
    await rm(home, { recursive: true, force: true });
    await rm(cwd, { recursive: true, force: true });
  });

  const cli = (args: string, run: Partial<CliRun> = {}) =>
    runCli(args.split(' '), { cwd, home, service: { baseUrl: demo.baseUrl, key: demo.key }, ...run });
  const cold: Partial<CliRun> = { service: undefined };
  const lockPath = () => join(cwd, 'reports', 'reports.lock.json');
  const lock = async () => JSON.parse(await readFile(lockPath(), 'utf8')) as LockText;
  const forgetPdfs = async () => {
    for (const { path } of (await lock()).reports) await rm(join(cwd, 'reports', path), { force: true });
    await rm(join(home, '.cache', 'report-library', 'pdf'), { recursive: true, force: true });
  };
  const jsonOf = ({ stdout }: { stdout: string }) =>
    JSON.parse(stdout) as {
      exit: number;
      error?: { kind: string; message: string };
      reports: Record<string, unknown>[];
    };

  it('downloads by key, restores from the lock, and asks nothing the second time', async () => {
    const downloaded = await cli(`download ${keys.join(' ')}`);
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
    demo.control.log.clear();
    assert.equal((await cli('restore')).code, 0);
    assert.deepEqual(demo.control.log.entries, []);
    assert.equal((await cli('restore', cold)).code, 0);
  });

  it('verifies without network and key, and never calls that verified', async () => {
    await cli(`download ${keys.join(' ')}`);
    const matching = jsonOf(await cli('verify --json', cold));
    assert.deepEqual(
      [matching.exit, new Set(matching.reports.map(({ state }) => state))],
      [0, new Set(['matches-lock'])],
    );
    const [edited, gone] = (await lock()).reports;
    await appendFile(join(cwd, 'reports', edited?.path ?? ''), 'x');
    await rm(join(cwd, 'reports', gone?.path ?? ''));
    for (const command of ['verify', 'status']) {
      const { code, stdout } = await cli(command, cold);
      assert.equal(code, 1);
      assert.match(stdout, new RegExp(`^edited +${edited?.report_key} `, 'm'));
      assert.match(stdout, new RegExp(`^missing +${gone?.report_key} `, 'm'));
    }
  });

  it('says what the service published where the library is here, asks nothing for it, and names what is newer', async () => {
    await cli(`download ${keys.join(' ')}`);
    await cli('sync');
    demo.control.log.clear();
    const states = async (run?: Partial<CliRun>) => {
      const { exit, reports } = jsonOf(await cli('verify --json', run));
      return [exit, ...new Set(reports.map(({ state }) => state))];
    };
    assert.deepEqual(await states(), [0, 'verified']);
    assert.deepEqual(await states(cold), [0, 'matches-lock']);
    const other = { baseUrl: 'https://reports.example/api/v2', key: demo.key };
    assert.deepEqual(await states({ service: other }), [0, 'matches-lock']);
    assert.deepEqual(demo.control.log.entries, []);
    demo.control.catalogue.replacePdf((await lock()).reports[0]?.report_id ?? 0);
    demo.control.advance(3_600_000);
    await cli('sync');
    assert.deepEqual(await states(), [1, 'newer', 'verified']);
    demo.control.catalogue.withdraw((await lock()).reports[1]?.report_id ?? 0);
    demo.control.advance(3_600_000);
    await cli('sync');
    assert.deepEqual(await states(), [1, 'newer', 'withdrawn', 'verified']);
  });

  it('takes PDFs from a team’s store and adds to it, for what the library lists', async () => {
    const share = join(cwd, 'share');
    await mkdir(share);
    const team = { env: { REPORT_LIBRARY_SHARED_STORE: share } };
    const inShare = async () => (await readdir(share, { recursive: true })).filter((name) => name.endsWith('.pdf'));
    const first = await cli(`download ${keys.join(' ')}`, team);
    assert.deepEqual([first.code, await inShare()], [0, []]);
    assert.match(first.stderr, /shared store is not used.+report-library sync/);
    await forgetPdfs();
    await cli('sync');
    await cli('restore', team);
    assert.equal((await inShare()).length, count);
    await forgetPdfs();
    demo.control.log.clear();
    const shared = await cli('restore', team);
    assert.deepEqual([shared.code, shared.stderr.includes('shared store')], [0, false]);
    assert.deepEqual(demo.control.log.entries, []);
    const relative = await cli('restore', { env: { REPORT_LIBRARY_SHARED_STORE: 'share' } });
    assert.deepEqual([relative.code, /not an absolute path/.test(relative.stderr)], [2, true]);
    await writeFile(join(cwd, '.env'), `REPORT_LIBRARY_SHARED_STORE=${share}\n`);
    await forgetPdfs();
    await cli('restore');
    assert.ok(demo.control.log.entries.length > 0, 'a .env names no store');
    assert.match((await cli('doctor', team)).stdout, /^ok +shared store: .*share$/m);
  });

  it('asks for one link only when two processes want the same PDF at once', async () => {
    await cli(`download ${keys.join(' ')}`);
    await forgetPdfs();
    await cp(join(cwd, 'reports'), join(cwd, 'other'), { recursive: true });
    demo.control.log.clear();
    const ends = await Promise.all(['reports', 'other'].map((folder) => cli(`restore --frozen --folder ${folder}`)));
    assert.deepEqual(
      ends.map(({ code }) => code),
      [0, 0],
    );
    const links = demo.control.log.entries.filter(({ route }) => route.endsWith('/download'));
    assert.equal(links.length, count);
  });

  it('names the reports whose bytes changed or were withdrawn, and leaves the lock as it is', async () => {
    await cli(`download ${keys.join(' ')}`);
    const [changed, withdrawn] = (await lock()).reports;
    const before = await readFile(lockPath(), 'utf8');
    await forgetPdfs();
    demo.control.catalogue.replacePdf(changed?.report_id ?? 0);
    demo.control.catalogue.withdraw(withdrawn?.report_id ?? 0);
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
    await cli(`download ${keys.join(' ')}`);
    const [gone] = (await lock()).reports;
    await forgetPdfs();
    const report = demo.control.entitled().find(({ report_id }) => report_id === gone?.report_id);
    assert.ok(report);
    report.has_file = false;
    const restored = jsonOf(await cli('restore --json'));
    assert.deepEqual([restored.exit, restored.reports[0]?.status], [1, 'no-file']);
    for (const command of ['update --dry-run', 'update']) assert.equal((await cli(command)).code, 1, command);
    assert.equal((await cli(`download ${gone?.report_key}`)).code, 0);
  });

  it('ends with 4 for a wrong key or none, 3 without the service, 2 for what it can’t use', async () => {
    await cli(`download ${keys[0]}`);
    await forgetPdfs();
    const wrong = new Secret('wrong_live_0123456789abcdef');
    const refused = await cli('restore', { service: { baseUrl: demo.baseUrl, key: wrong } });
    assert.equal(refused.code, 4);
    assert.doesNotMatch(refused.stdout + refused.stderr, /wrong_live/);
    assert.equal((await cli('restore', { service: { baseUrl: demo.baseUrl } })).code, 4);
    assert.equal((await cli('restore', cold)).code, 2);
    const nobody = { baseUrl: 'http://127.0.0.1:1/api/v2', key: demo.key };
    assert.equal((await cli('restore', { service: nobody })).code, 3);
    assert.equal(
      (await cli('restore', { service: { baseUrl: 'http://reports.example/api/v2', key: demo.key } })).code,
      2,
    );
    assert.equal((await cli('restore --folder elsewhere', cold)).code, 2);
    assert.equal((await cli('restore --fast', cold)).code, 2);
  });

  it('leaves a lock of another service alone', async () => {
    await cli(`download ${keys[0]}`);
    await writeFile(
      lockPath(),
      (await readFile(lockPath(), 'utf8')).replace('{', '{"origin":"https://reports.example",'),
    );
    demo.control.log.clear();
    for (const command of ['restore', 'update', `download ${keys[1]}`, 'restore --demo']) {
      const { code, stderr } = await cli(command);
      assert.equal(code, 2, command);
      assert.match(stderr, /another service \(https:\/\/reports\.example\)/);
    }
    await writeFile(lockPath(), (await readFile(lockPath(), 'utf8')).replace('https://reports.example', 'demo'));
    const refused = await cli('restore');
    assert.deepEqual([refused.code, /another service \(demo\)/.test(refused.stderr)], [2, true]);
    assert.equal((await cli('restore --demo')).code, 0);
    assert.deepEqual(demo.control.log.entries, []);
  });

  it('takes the key from standard input or from a file of one’s own, and from no other', async () => {
    const key = demo.key.reveal();
    const bare = { service: { baseUrl: demo.baseUrl } };
    assert.equal((await cli(`download ${keys[0]} --key-stdin`, { ...bare, stdin: `${key}\n` })).code, 0);
    const file = join(home, 'key');
    await writeFile(file, `${demo.baseUrl}\n${key}\n`, { mode: 0o600 });
    assert.equal((await cli(`download ${keys[1]} --key-file ${file}`, cold)).code, 0);
    const other = { service: { baseUrl: 'https://reports.example/api/v2' } };
    assert.match((await cli(`download ${keys[2]} --key-file ${file}`, other)).stderr, /belongs to another service/);
    await chmod(file, 0o644);
    const open = await cli(`download ${keys[2]} --key-file ${file}`, cold);
    assert.deepEqual([open.code, /chmod 600/.test(open.stderr)], [2, true]);
    await chmod(file, 0o600);
    await symlink(file, join(home, 'link'));
    const linked = await cli(`download ${keys[2]} --key-file ${join(home, 'link')}`, cold);
    assert.deepEqual([linked.code, /key file is a symbolic link/.test(linked.stderr)], [2, true]);
    await writeFile(join(cwd, '.env'), `REPORT_LIBRARY_API_KEY=${key}\nREPORT_LIBRARY_BASE_URL=${demo.baseUrl}\n`);
    assert.equal((await cli(`download ${keys[2]}`, cold)).code, 2);
  });

  it('goes on after it was killed, and leaves nothing unfinished', async () => {
    await cli(`download ${keys.join(' ')}`);
    await forgetPdfs();
    let child: ChildProcess | undefined;
    let files = 0;
    const when = () => {
      files += 1;
      if (files === 3) child?.kill('SIGKILL');
      return false;
    };
    demo.control.faults.set([{ match: { route: 'GET /files', when }, action: { kind: 'reset' } }]);
    const killed = await cli('restore', {
      onStart(started) {
        child = started;
      },
    });
    assert.equal(killed.code, null);
    demo.control.faults.set([]);
    assert.equal((await cli('restore')).code, 0);
    assert.equal((await cli('verify', cold)).code, 0);
    const left = (await readdir(join(cwd, 'reports'), { recursive: true })).filter((name) => name.includes('.part'));
    assert.deepEqual(left, []);
  });

  it('says plainly that a folder can’t be written, and reads one that can’t', async function () {
    if (process.getuid?.() === 0) this.skip();
    await cli(`download ${keys.join(' ')}`);
    await chmod(join(cwd, 'reports'), 0o555);
    assert.equal((await cli('restore', cold)).code, 0);
    assert.equal((await cli('verify', cold)).code, 0);
  });

  it('keeps within the limits together with another process of the machine', async () => {
    const [one, two] = [keys.slice(0, count / 2), keys.slice(count / 2)];
    const ends = await Promise.all([
      cli(`download ${one.join(' ')} --folder one`),
      cli(`download ${two.join(' ')} --folder two`),
    ]);
    assert.deepEqual(
      ends.map(({ code }) => code),
      [0, 0],
    );
    assert.ok(demo.control.log.maxWithin(1000) < 10);
    assert.ok(demo.control.log.connections.peak <= 8);
  });

  it('keeps what it stores for this user alone', async () => {
    await cli(`download ${keys[0]}`);
    const folder = join(home, '.cache', 'report-library');
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const { mode } = await stat(join(entry.parentPath, entry.name));
      assert.equal(mode & 0o077, 0, entry.name);
      assert.ok(!entry.isFile() || !(await readFile(join(entry.parentPath, entry.name))).includes(demo.key.reveal()));
    }
  });

  it('loads the library, and syncs it the second time', async () => {
    const first = JSON.parse((await cli('sync --json')).stdout) as Record<string, number>;
    assert.deepEqual([first.exit, first.added, first.listed], [0, count, count]);
    demo.control.catalogue.withdraw((demo.control.entitled()[0]?.report_id ?? 0) as number);
    demo.control.advance(3_600_000);
    const second = JSON.parse((await cli('sync --json')).stdout) as Record<string, number>;
    assert.deepEqual([second.exit, second.added, second.withdrawn, second.listed], [0, 0, 1, count - 1]);
  });

  it('says with 1 that another process syncs, warns of a library that is half loaded, and goes on when that is gone', async () => {
    const asked = Promise.withResolvers<void>();
    const when = () => {
      asked.resolve();
      return true;
    };
    demo.control.faults.set([{ match: { route: 'GET /reports', when }, action: { kind: 'stall' } }]);
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
    demo.control.faults.set([]);
    const last = await cli('sync');
    assert.equal(last.code, 0);
    assert.match(last.stderr, /^Syncing: \d+ of \d+$/m);
    assert.equal((await cli('find anything')).stderr, '');
  });

  it('helps with examples, and completes command lines', async () => {
    assert.match((await cli('--help', cold)).stdout, /restore +Bring back exactly/);
    assert.match((await cli('restore --help', cold)).stdout, /Examples:\n {2}report-library restore --frozen/);
    assert.match((await cli('completion bash', cold)).stdout, /complete -o default -F _report_library report-library/);
  });
});
