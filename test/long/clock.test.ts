import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '../../src/base/clock.ts';
import { services } from '../support/demo/ask.ts';
import { openFile } from '../unit/library/support/stores.ts';

const script = fileURLToPath(new URL('./window.ts', import.meta.url));
/** How many requests tell that a window goes on: more than were on their way when its clock was changed. */
const goesOn = 30;

describe('a window whose clock is set a day forth and two days back (needs libfaketime)', function () {
  this.timeout(600_000);
  const { start, end } = services();
  let window: ChildProcess | undefined;
  let directory = '';

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'report-library-clock-'));
    await mkdir(join(directory, 'workspace'));
  });
  afterEach(async () => {
    window?.kill('SIGKILL');
    await end();
    await rm(directory, { recursive: true, force: true });
  });

  it('goes on after each change at the permitted pace, and its library is what the service has', async function () {
    const found = ['x86_64-linux-gnu/', 'aarch64-linux-gnu/', ''].map(
      (kind) => `/usr/lib/${kind}faketime/libfaketime.so.1`,
    );
    const preload = found.find((path) => existsSync(path));
    if (preload === undefined) return this.skip();
    const demo = await start({
      companies: 6,
      settlingSeconds: 0,
      ...{ liveSeconds: 2, edgeRequestsPerSecond: 9, edgeConnections: 8 },
    });
    const offset = join(directory, 'offset');
    await writeFile(offset, '+0');
    const env = { LD_PRELOAD: preload, FAKETIME_TIMESTAMP_FILE: offset, FAKETIME_NO_CACHE: '1' };
    window = fork(script, [demo.baseUrl, demo.key.reveal(), directory], {
      execArgv: ['--no-warnings'],
      env: { ...process.env, ...env, FAKETIME_DONT_FAKE_MONOTONIC: '1' },
    });
    const { log } = demo.control;
    for (const change of ['+0', '+1d', '-1d', '+0']) {
      await writeFile(offset, change);
      const before = log.entries.length;
      while (log.entries.length < before + goesOn) {
        await systemClock.sleep(100);
        assert.equal(window.exitCode, null, `the window ended at ${change}`);
      }
    }
    const [first] = demo.control.entitled();
    demo.control.catalog.change(first?.report_id ?? 0, { report_title: 'The last change' });
    const ended = once(window, 'exit');
    window.send('over');
    assert.deepEqual(await ended, [0, null]);
    assert.deepEqual(log.violations, []);
    const links = log.to('GET /reports/{report_id}/download').filter(({ status }) => status === 200);
    assert.equal(demo.control.usage().downloads, links.length);

    const store = openFile(join(directory, 'library.db'), Date.now);
    try {
      const ids = demo.control.entitled().map(({ report_id }) => report_id);
      assert.deepEqual(
        [...store.reportIds({})].sort((a, b) => a - b),
        ids,
      );
      assert.equal(store.report(first?.report_id ?? 0)?.report.report_title, 'The last change');
    } finally {
      store.close();
    }
  });
});
