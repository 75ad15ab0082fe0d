import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { copyFile, cp, mkdir, mkdtemp, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { npm } from '../../../scripts/process/npm.ts';
import { packageVsix } from '../../../scripts/vsix.ts';
import { loadingCode } from '../../../src/notebook/code.ts';
import { root } from '../../house/sources.ts';
import { type CliRun, runCli } from '../../support/cli.ts';
import { type DemoProcess, startDemoProcess } from '../../support/demo/demoProcess.ts';
import { hasProgram, runProgram } from '../../support/languages/programs.ts';

const count = 5;
const sample = join(root, 'sample');

interface LockText {
  reports: { report_id: number; report_key: string; path: string; sha256: string }[];
}

describe('a machine that has nothing but the package and what was committed', function () {
  this.timeout(120_000);
  let place: string;
  /** Where npm put the package, once for all tests. */
  let installed: string;
  /** A folder with the sample, and the lock and table of `count` reports. */
  let repository: string;
  let tarball: string;
  let demo: DemoProcess;
  /** Each test's own. */
  let home: string;
  let cwd: string;
  let machines = 0;

  before(async () => {
    place = await mkdtemp(join(tmpdir(), 'report-library-ci-'));
    ({ tarball } = await packageVsix());
    demo = await startDemoProcess(count);
    installed = join(place, 'installed');
    await mkdir(installed);
    await npm(
      ['install', '--global', '--prefix', installed, '--offline', '--cache', join(place, 'npm'), tarball],
      place,
    );
    repository = join(place, 'repository');
    await cp(sample, repository, { recursive: true });
    await copyFile(tarball, join(repository, basename(tarball)));
    [home, cwd] = [join(place, 'author'), repository];
    await mkdir(home);
    const { code } = await run(`download ${demo.reports.map(({ report_key }) => report_key).join(' ')}`);
    assert.equal(code, 0);
    for (const { path } of await locked())
      await rm(join(repository, 'reports', path.split('/')[0] ?? ''), { recursive: true, force: true });
  });
  beforeEach(async () => {
    machines += 1;
    [home, cwd] = [join(place, `home-${machines}`), join(place, `checkout-${machines}`)];
    await mkdir(home);
    await cp(repository, cwd, { recursive: true });
    await demo.requests();
  });
  afterEach(() => demo.faults([]));
  after(async () => {
    await demo?.end();
    await rm(place, { recursive: true, force: true });
  });

  const script = () => join(installed, 'bin', 'report-library');
  const run = (args: string, own: Partial<CliRun> = {}) =>
    runCli(args.split(' '), { cwd, home, service: demo, script: script(), ...own });
  const cold = { service: undefined };
  const locked = async () =>
    (JSON.parse(await readFile(join(cwd, 'reports', 'reports.lock.json'), 'utf8')) as LockText).reports;
  const pdfOf = (path: string) => join(cwd, 'reports', path);
  const stateOf = async (path: string, sha256: string) => {
    if (!existsSync(pdfOf(path))) return 'missing';
    return createHash('sha256')
      .update(await readFile(pdfOf(path)))
      .digest('hex') === sha256
      ? 'right'
      : 'WRONG';
  };
  /** What lies under the names of the lock, without the product's help. */
  const states = async () => Promise.all((await locked()).map(({ path, sha256 }) => stateOf(path, sha256)));
  const all = (state: string) => Array(count).fill(state);

  /** Runs lines of the sample as the shell of a build machine does, with nothing of this process's environment. */
  async function shell(line: string, env: Readonly<Record<string, string>>) {
    const bin = [join(home, 'npm', 'bin'), dirname(process.execPath), process.env.PATH].join(':');
    const own = { PATH: bin, HOME: home, npm_config_prefix: join(home, 'npm'), npm_config_offline: 'true' };
    const child = spawn('sh', ['-ec', line], { cwd, env: { ...own, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
    const [out, err, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
    return { code: code as number | null, told: out + err };
  }

  it('restores and verifies, runs the notebook and the code that Insert writes, and the second time asks nothing', async function () {
    assert.equal((await run('restore --frozen')).code, 0);
    assert.deepEqual(await states(), all('right'));
    assert.ok((await demo.requests()).length > count);
    assert.equal((await run('restore --frozen')).code, 0);
    const cells = JSON.parse((await run('verify --json', cold)).stdout) as {
      exit: number;
      reports: { state: string }[];
    };
    assert.deepEqual([cells.exit, cells.reports.map(({ state }) => state)], [0, all('matches-lock')]);
    // A checkout of tomorrow, on a machine that kept its caches.
    for (const { path } of await locked()) await unlink(pdfOf(path));
    assert.equal((await run('restore --frozen')).code, 0);
    assert.deepEqual(await states(), all('right'));
    assert.deepEqual(await demo.requests(), []);
    if (!hasProgram('python3')) return this.skip();
    const notebook = JSON.parse(await readFile(join(cwd, 'analysis.ipynb'), 'utf8')) as {
      cells: { cell_type: string; source: string[] }[];
    };
    const code = notebook.cells.filter(({ cell_type }) => cell_type === 'code').map(({ source }) => source.join(''));
    const inserted = loadingCode('python', {
      ...{ reports: demo.reports, folder: 'reports', shown: false, existing: code.join('\n') },
    });
    const whole = [...code, inserted.helper, inserted.code, inserted.table, 'print("Loaded:", len(loaded))'];
    const ran = runProgram('python3', ['-'], cwd, whole.filter((part) => part !== null).join('\n\n'));
    assert.equal(ran.code, 0, ran.err);
    assert.match(ran.out, new RegExp(`Downloaded reports: ${count}\n[^]*Loaded: ${count}\n`));
  });

  it('takes the commands of the sample’s CI file, and of its container, as they stand', async () => {
    const key = demo.key.reveal();
    const steps = [...(await readFile(join(cwd, 'restore-reports.yml'), 'utf8')).matchAll(/^ {6}- run: (.+)$/gm)];
    assert.equal(steps.length, 4);
    for (const [, line = ''] of steps) {
      if (line.startsWith('python ') && !hasProgram('python')) continue;
      const env = { REPORT_LIBRARY_BASE_URL: demo.baseUrl, REPORT_LIBRARY_API_KEY: key };
      const { code, told } = await shell(line, line.includes('restore') ? env : {});
      assert.equal(code, 0, `${line}: ${told}`);
    }
    const file = (await readFile(join(cwd, 'Containerfile'), 'utf8')).replaceAll('\\\n', '');
    const lines = [...file.matchAll(/^RUN (?:--mount=\S+ +)?(.+)$/gm)].map(([, line = '']) => line);
    assert.equal(lines.length, 2);
    for (const [, from = ''] of file.matchAll(/^COPY (.+) \S+$/gm))
      for (const name of from.split(' ')) assert.ok(existsSync(join(cwd, name)), name);
    const secret = join(home, 'secret');
    await writeFile(secret, `${demo.baseUrl}\n${key}\n`, { mode: 0o600 });
    for (const { path } of await locked()) await unlink(pdfOf(path));
    for (const line of lines) {
      const { code, told } = await shell(line.replace('/run/secrets/report-library', secret), {});
      assert.equal(code, 0, `${line}: ${told}`);
    }
    assert.deepEqual(await states(), all('right'));
  });

  it('brings the right bytes through faults of the network, and names nothing wrong', async () => {
    await demo.faults([
      { match: { route: 'GET /files', nth: 1 }, action: { kind: 'reset' } },
      { match: { route: 'GET /files', nth: 2 }, action: { kind: 'truncate', atByte: 9, end: 'close' } },
      { match: { route: 'GET /files', nth: 3 }, action: { kind: 'altered-bytes' } },
      { match: { route: 'GET /reports/{report_id}', nth: 2 }, action: { kind: 'status', status: 503, retryAfter: 1 } },
      { match: { route: 'GET /reports/{report_id}/download', nth: 2 }, action: { kind: 'html', status: 502 } },
    ]);
    const first = await run('restore --frozen');
    const found = await states();
    assert.ok(
      found.every((state) => state !== 'WRONG'),
      found.join(),
    );
    // Bytes that differ from the published hash are the service's word against itself: said, and not taken.
    if (first.code !== 0) assert.ok(found.includes('missing'), first.stderr);
    assert.equal((await run('restore --frozen')).code, 0);
    assert.deepEqual(await states(), all('right'));
  });
});
