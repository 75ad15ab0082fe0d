import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { downloadReport } from '../../../src/downloads/download.ts';
import { DownloadQueue } from '../../../src/downloads/queue.ts';
import {
  body,
  FakeSource,
  filesBelow,
  pdf,
  pieces,
  portsOf,
  reportOf,
  runBatch,
  sha256,
  temporaryFolder,
} from './fixtures.ts';

/** Mounts a small file system of its own, where this user and machine allow it. */
function mount(at: string, options: string): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  return spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', at]).status === 0;
}

describe('a disk that refuses (needs root on Linux to mount one)', function () {
  this.timeout(30_000);
  let disk: string;
  let mounted: boolean;
  // Before the folder goes, so declared before it.
  afterEach(() => {
    if (mounted) assert.equal(spawnSync('umount', [disk]).status, 0);
  });
  const folder = temporaryFolder();
  beforeEach(async () => {
    disk = join(folder.path, 'disk');
    mounted = false;
    await mkdir(disk);
  });
  const target = (path = 'reports/a.pdf') => ({ root: disk, path, heldSha256: null });

  it('because it is full costs no link when the size is known, keeps nothing, and loses no file', async function () {
    mounted = mount(disk, 'size=2m');
    if (!mounted) this.skip();
    const [small, large] = [pdf(1, 500_000), pdf(2, 4_000_000)];
    const source = new FakeSource().serve(1, small).serve(2, large);
    const kept = await downloadReport(reportOf(small, { report_id: 1 }), target(), portsOf(source));
    assert.equal(kept.status, 'downloaded');

    const known = reportOf(large, { report_id: 2, report_filesize: 4 });
    const early = await downloadReport(known, target('reports/b.pdf'), portsOf(source));
    assert.deepEqual([early.status, early.cause], ['failed', 'no-space']);
    assert.deepEqual(source.links, [1]);

    const unknown = reportOf(large, { report_id: 2 });
    for (const served of [large, body([...pieces(large)])]) {
      const late = await downloadReport(unknown, target('reports/b.pdf'), portsOf(source.serve(2, served)));
      assert.deepEqual([late.status, late.cause], ['failed', 'no-space']);
      assert.match(late.reason ?? '', /disk is full/);
    }
    assert.deepEqual(source.links, [1, 2, 2]);

    const update = { ...target(), heldSha256: sha256(small) };
    const replaced = await downloadReport(reportOf(large, { report_id: 2 }), update, portsOf(source.serve(2, large)));
    assert.equal(replaced.cause, 'no-space');
    assert.deepEqual(await readFile(join(disk, 'reports/a.pdf')), small);
    assert.deepEqual(await filesBelow(disk), ['reports/a.pdf']);
  });

  it('because it is full ends a batch instead of asking for one link after another', async function () {
    mounted = mount(disk, 'size=1m');
    if (!mounted) this.skip();
    const source = new FakeSource();
    const jobs = [1, 2, 3, 4, 5, 6].map((report_id) => {
      const report = source.publish(report_id, {}, pdf(report_id, 3_000_000));
      return { report, target: target(`reports/${report_id}.pdf`), askedId: report_id };
    });
    const results = await runBatch(new DownloadQueue(portsOf(source), 1), jobs);
    assert.ok(results.every(({ cause }) => cause === 'no-space'));
    assert.equal(source.links.length, 1);
  });
});
