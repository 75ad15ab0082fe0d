import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { services } from '../../support/demo/ask.ts';
import { sha256, temporaryFolder } from '../../unit/downloads/fixtures.ts';

const script = (path: string) => fileURLToPath(new URL(path, import.meta.url));

interface Outcome {
  readonly signedIn: string;
  readonly resolved: unknown;
  /** The panel as text. */
  readonly opened: string;
  readonly downloaded: { readonly status: string; readonly path: string; readonly sha256: string };
  /** What a person is told of the library itself. */
  readonly told: readonly string[];
}

describe('an editor that lacks SQLite', function () {
  this.timeout(60_000);
  const home = temporaryFolder();
  const { start, end } = services();
  afterEach(end);

  it('signs in, resolves, opens a report and downloads its PDF, and says once what to do', async () => {
    const { baseUrl, key } = await start();
    const stubs = new URL('../../support/vscode/inNode.ts', import.meta.url).href;
    const host = fork(script('withoutSqliteHost.ts'), [baseUrl, key.reveal(), home.path], {
      execArgv: ['--no-warnings', '--no-experimental-sqlite', '--import', stubs],
      env: { ...process.env, XDG_CACHE_HOME: home.path, LOCALAPPDATA: home.path, HOME: home.path },
    });
    const ended = once(host, 'exit').then(([code]) => assert.fail(`It ended with ${code}.`));
    const [outcome] = (await Promise.race([once(host, 'message'), ended])) as [Outcome];
    assert.equal(outcome.signedIn, 'signedIn');
    assert.deepEqual(outcome.resolved, ['XTST_ALFA']);
    assert.match(outcome.opened, /^# Report 1$/m);
    assert.match(outcome.opened, /isn’t on this computer.*Update the editor/);
    assert.equal(outcome.downloaded.status, 'downloaded');
    const bytes = await readFile(join(home.path, outcome.downloaded.path));
    assert.equal(sha256(bytes), outcome.downloaded.sha256);
    assert.equal(outcome.told.length, 1);
    assert.match(outcome.told[0] ?? '', /Update the editor/);
  });
});
