import assert from 'node:assert/strict';
import type { Stats } from 'node:fs';
import fs, { writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { silentLogger } from '../../../src/base/logger.ts';
import { DownloadFolder } from '../../../src/downloads/folder.ts';
import { DownloadQueue } from '../../../src/downloads/queue.ts';
import { HeldFiles } from '../../../src/downloads/verify.ts';
import { FakeClock, FakeSource, pdf, pdfsRead, portsOf, reportOf, temporaryFolder } from './fixtures.ts';

describe('a PDF that was hashed', () => {
  const home = temporaryFolder();
  const read = pdfsRead();
  const { lstat } = fs;
  const { now } = Date;
  afterEach(() => {
    Object.assign(fs, { lstat });
    syncBuiltinESMExports();
    Date.now = now;
  });

  /** Downloads report 7; gives its file, and what looks at it. */
  async function downloaded() {
    const source = new FakeSource().serve(7, pdf(7));
    const queue = new DownloadQueue(portsOf(source));
    const at = { root: home.path, folder: 'reports' };
    const folder = new DownloadFolder({ ...at, queue, clock: new FakeClock(), logger: silentLogger });
    const [result] = await folder.download([reportOf(pdf(7))]);
    const path = result?.path?.slice('reports/'.length) ?? '';
    return { file: join(home.path, 'reports', path), path, folder, files: new HeldFiles(at) };
  }

  it('on its way here is read no more', async () => {
    const { folder, files, path } = await downloaded();
    assert.equal((await files.glance([7]))[0]?.state, 'same');
    assert.equal((await files.look(path))?.state, 'same');
    assert.equal((await folder.download([reportOf(pdf(7))]))[0]?.status, 'unchanged');
    assert.deepEqual(read, []);
    assert.equal((await folder.verify())[0]?.state, 'matches-lock');
    assert.equal(read.length, 1, 'a person who has it verified means the bytes');
  });

  it('is read again once it was written to, though its size is the same', async () => {
    const { file, files, path } = await downloaded();
    await writeFile(file, pdf(8));
    assert.equal((await files.glance([7]))[0]?.state, 'unread');
    assert.equal((await files.look(path))?.state, 'edited');
    assert.equal(read.length, 1);
  });

  it('is not believed on a disk whose times are too coarse to tell that it was written to', async () => {
    const coarse = async (path: string) => {
      const stats = (await lstat(path)) as Stats;
      const [mtimeMs, ctimeMs] = [stats.mtimeMs, stats.ctimeMs].map((time) => Math.floor(time / 1e6) * 1e6);
      return Object.assign(stats, { mtimeMs, ctimeMs });
    };
    Object.assign(fs, { lstat: coarse });
    syncBuiltinESMExports();
    const { file, files } = await downloaded();
    await writeFile(file, pdf(8));
    assert.equal((await files.glance([7]))[0]?.state, 'unread');
  });
});
