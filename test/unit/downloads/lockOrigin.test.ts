import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLogger } from '../../../src/base/logger.ts';
import { DownloadFolder } from '../../../src/downloads/folder.ts';
import { lockOrigin, parseLock } from '../../../src/downloads/manifest.ts';
import { demoOrigin, lastingOrigin } from '../../../src/downloads/ports.ts';
import { DownloadQueue } from '../../../src/downloads/queue.ts';
import { FakeClock, FakeSource, pdf, portsOf, reportOf, temporaryFolder } from './fixtures.ts';

describe('a lock file', () => {
  const home = temporaryFolder();

  it('says which service its reports are of, the first one, and nothing of an address on this computer', async () => {
    const lock = join(home.path, 'reports', 'reports.lock.json');
    const download = async (id: number, baseUrl: string) => {
      const source = Object.assign(new FakeSource(), {
        origin: baseUrl === demoOrigin ? demoOrigin : lastingOrigin(baseUrl),
      });
      source.serve(id, pdf(id));
      const clock = new FakeClock();
      const queue = new DownloadQueue(portsOf(source, { clock }));
      const folder = new DownloadFolder({
        root: home.path,
        folder: 'reports',
        queue,
        source,
        clock,
        logger: silentLogger,
      });
      await folder.download([reportOf(pdf(id), { report_id: id, report_key: `K${id}` })]);
      return lockOrigin(await parseLock(await readFile(lock, 'utf8')));
    };
    assert.equal(await download(1, 'http://127.0.0.1:4711/api/v2'), undefined);
    assert.equal(await download(9, demoOrigin), undefined, 'rows of whatever service');
    assert.equal(await download(2, 'https://one.example/some/api/v2'), 'https://one.example');
    const before = await readFile(lock, 'utf8');
    for (const other of ['https://two.example/api/v2', demoOrigin, 'http://127.0.0.1:4711/api/v2'])
      await assert.rejects(download(3, other), {
        ...{ name: 'LockProblem', code: 'other-service' },
        message: /^reports\.lock\.json is of another service \(https:\/\/one\.example\)/,
      });
    assert.equal(await readFile(lock, 'utf8'), before);
    await writeFile(lock, (await readFile(lock, 'utf8')).replace('https://one.example', ''));
    assert.equal(await download(4, 'https://two.example/api/v2'), '');
    await rm(lock);
    assert.equal(await download(5, demoOrigin), demoOrigin);
    await assert.rejects(download(6, 'https://two.example/api/v2'), /of another service \(demo\)/);
    assert.equal(await download(7, demoOrigin), demoOrigin);
  });
});
