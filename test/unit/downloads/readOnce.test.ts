import assert from 'node:assert/strict';
import type { Stats } from 'node:fs';
import fs, { writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { silentLogger } from '../../../src/base/logger.ts';
import { downloadReport } from '../../../src/downloads/download.ts';
import { DownloadFolder } from '../../../src/downloads/folder.ts';
import { DownloadQueue } from '../../../src/downloads/queue.ts';
import { HeldFiles } from '../../../src/downloads/verify.ts';
import { FakeClock, FakeSource, pdf, portsOf, reportOf, sha256, temporaryFolder } from './fixtures.ts';

describe('a PDF that was hashed', () => {
  const home = temporaryFolder();
  const { open, lstat } = fs;
  const { now } = Date;
  /** The PDFs that were opened under their own names. */
  let opened: string[] = [];

  beforeEach(() => {
    opened = [];
    const counting = (...given: Parameters<typeof open>) => {
      if (String(given[0]).endsWith('.pdf')) opened.push(String(given[0]));
      return open(...given);
    };
    Object.assign(fs, { open: counting });
    syncBuiltinESMExports();
  });
  afterEach(() => {
    Object.assign(fs, { open, lstat });
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
    assert.deepEqual(opened, []);
    assert.equal((await folder.verify())[0]?.state, 'matches-lock');
    assert.equal(opened.length, 1, 'a person who has it verified means the bytes');
  });

  it('is read again once it was written to, though its size is the same', async () => {
    const { file, files, path } = await downloaded();
    await writeFile(file, pdf(8));
    assert.equal((await files.glance([7]))[0]?.state, 'unread');
    assert.equal((await files.look(path))?.state, 'edited');
    assert.equal(opened.length, 1);
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

  it('is read once while its place is taken by a newer version', async () => {
    const target = { root: home.path, path: '7.pdf', heldSha256: sha256(pdf(1)) };
    await writeFile(join(home.path, '7.pdf'), pdf(1));
    Date.now = () => now() + 5000;
    const source = new FakeSource().serve(7, pdf(7));
    const inTurn = <T>(_: string, work: () => Promise<T>) => work();
    const result = await downloadReport(reportOf(pdf(7)), target, portsOf(source, { inTurn }));
    assert.deepEqual([result.status, result.replaced], ['downloaded', sha256(pdf(1))]);
    assert.equal(opened.length, 1);
  });
});
