import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/base/clock.ts';
import { parseLock } from '../../src/downloads/manifest.ts';
import { services } from '../support/demo/ask.ts';
import type { FaultAction } from '../support/demo/faults.ts';
import { filesBelow, sha256 } from '../unit/downloads/fixtures.ts';
import { openFile } from '../unit/library/support/stores.ts';

const minutes = Number(process.env.LONG_MINUTES ?? 10);
const faultShare = 0.1;
const trouble: readonly FaultAction[] = [
  { kind: 'status', status: 503, retryAfter: 1 },
  { kind: 'status', status: 500 },
  { kind: 'html', status: 502 },
  { kind: 'reset' },
  { kind: 'truncate', atByte: 700, end: 'close' },
  { kind: 'truncate', atByte: 700, end: 'reset' },
  { kind: 'stall', atByte: 300, ms: 3000 },
  { kind: 'altered-bytes' },
  { kind: 'expired-link' },
  { kind: 'usage-unrecorded', retryAfter: 1 },
];

describe(`four windows at once for ${minutes} minutes, with ${faultShare * 100} % faults`, function () {
  this.timeout(minutes * 60_000 + 600_000);
  const { start, end } = services();
  const windows: ChildProcess[] = [];
  let directory = '';

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'report-library-long-'));
    await mkdir(join(directory, 'workspace'));
  });
  afterEach(async () => {
    for (const window of windows.splice(0)) {
      window.kill('SIGCONT');
      window.kill('SIGKILL');
    }
    await end();
    await rm(directory, { recursive: true, force: true });
  });

  it('the library is what the service has, each link is counted, and no file is an orphan', async () => {
    const share = faultShare / trouble.length;
    const demo = await start({
      companies: 6,
      settlingSeconds: 0,
      ...{ liveSeconds: 5, edgeRequestsPerSecond: 9, edgeConnections: 8 },
      faults: trouble.map((action) => ({ match: { share }, action })),
    });
    const script = fileURLToPath(new URL('./window.ts', import.meta.url));
    for (const _ of [1, 2, 3, 4]) {
      const window = fork(script, [demo.baseUrl, demo.key.reveal(), directory], { execArgv: ['--no-warnings'] });
      windows.push(window);
      await once(window, 'message');
    }
    const [holder] = windows;
    for (let second = 0; second < minutes * 60; second += 1) {
      await systemClock.sleep(1000);
      // One of them stands still now and then, the sync in its hands or not, and goes on long after its lease.
      if (second % 120 === 30 && process.platform !== 'win32') holder?.kill('SIGSTOP');
      if (second % 120 === 90) holder?.kill('SIGCONT');
      for (const window of windows) assert.equal(window.exitCode, null, 'a window has ended');
    }
    holder?.kill('SIGCONT');
    const { catalog, faults, log } = demo.control;
    const fired = faults.fired.length;
    faults.clear();
    const [first] = demo.control.entitled();
    catalog.change(first?.report_id ?? 0, { report_title: 'The last change' });
    const ends = windows.map((window) => once(window, 'exit'));
    for (const window of windows) window.send('over');
    for (const [code] of await Promise.all(ends)) assert.equal(code, 0, 'a window fell over');
    assert.ok(fired > minutes * 5, `${fired} faults`);

    const store = openFile(join(directory, 'library.db'), Date.now);
    const truth = demo.control.entitled();
    assert.deepEqual(
      [...store.reportIds({})].sort((a, b) => a - b),
      truth.map(({ report_id }) => report_id),
    );
    for (const { report_id } of truth) {
      const { metadata, other, ...held } = store.report(report_id)?.report ?? { metadata: {}, other: {} };
      const { metadata: sent, ...fields } = await demo.control.wire(report_id);
      assert.deepEqual([held, metadata, other], [fields, sent, {}], `report ${report_id}`);
    }
    store.close();

    const links = log.to('GET /reports/{report_id}/download').filter(({ status }) => status === 200);
    assert.equal(demo.control.usage().downloads, links.length);
    assert.deepEqual(log.violations, []);

    const reports = join(directory, 'workspace', 'reports');
    const files = (await filesBelow(reports)).map((name) => name.replaceAll('\\', '/'));
    const lock = await parseLock(await readFile(join(reports, 'reports.lock.json'), 'utf8'));
    const pdfs = files.filter((name) => name.endsWith('.pdf'));
    assert.ok(pdfs.length > 0);
    assert.deepEqual(pdfs.toSorted(), lock.reports.map(({ path }) => path).toSorted());
    for (const { path, sha256: hash } of lock.reports) assert.equal(sha256(await readFile(join(reports, path))), hash);
    assert.deepEqual(
      files.filter((name) => !name.endsWith('.pdf') && !/^reports\.(lock\.json|csv)$|^\.gitignore$/.test(name)),
      [],
    );
    const figures = [`${log.entries.length} requests`, `${fired} faults`, `${truth.length} reports`];
    figures.push(`${links.length} links, as many counted`, `${pdfs.length} PDFs, no orphan`);
    process.stdout.write(`${minutes} minutes, four windows: ${figures.join(', ')}\n`);
  });
});
