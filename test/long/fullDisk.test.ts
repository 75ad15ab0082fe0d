import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, readFile, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLogger } from '../../src/base/logger.ts';
import { DownloadFolder } from '../../src/downloads/folder.ts';
import { DownloadQueue } from '../../src/downloads/queue.ts';
import {
  FakeClock,
  FakeSource,
  filesBelow,
  pdf,
  portsOf,
  reportOf,
  sha256,
  temporaryFolder,
} from '../unit/downloads/fixtures.ts';

const size = 700_000;
const ids = [1, 2, 3, 4];

describe('a restore into a workspace on a disk that becomes full (needs root on Linux to mount one)', () => {
  let disk: string;
  let mounted: boolean;
  // Before the folder goes, so declared before it.
  afterEach(() => {
    if (mounted) assert.equal(spawnSync('umount', [disk]).status, 0);
  });
  const home = temporaryFolder();
  beforeEach(async () => {
    disk = join(home.path, 'disk');
    await mkdir(disk);
    const isRoot = process.platform === 'linux' && process.getuid?.() === 0;
    mounted = isRoot && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m', 'tmpfs', disk]).status === 0;
  });

  it('says so of each report that found no room, leaves no part of one, and goes on once there is room', async function () {
    if (!mounted) this.skip();
    const clock = new FakeClock();
    const source = new FakeSource();
    const reports = ids.map((report_id) =>
      reportOf(pdf(report_id, size), { report_id, report_key: `KEY_${report_id}` }),
    );
    for (const report of reports) {
      source.serve(report.report_id, pdf(report.report_id, size)).tell(report.report_id, report);
    }
    // One after the other: several at once would fill the disk with parts of all.
    const queue = new DownloadQueue(portsOf(source, { clock }), 1);
    const folder = new DownloadFolder({ root: disk, folder: 'reports', queue, clock, logger: silentLogger });
    const first = await folder.download(reports);
    assert.deepEqual([...new Set(first.map(({ status }) => status))], ['downloaded']);
    const pdfs = async () => (await filesBelow(disk)).filter((name) => name.endsWith('.pdf'));
    for (const name of await pdfs()) await unlink(join(disk, name));
    const before = await folder.rows();

    const filler = join(disk, 'filler');
    await writeFile(filler, Buffer.alloc(2_400_000));
    const results = await folder.restore();
    const count = (status: string) => results.filter((result) => result.status === status).length;
    assert.ok(count('downloaded') > 0 && count('failed') > 0, JSON.stringify(results.map(({ status }) => status)));
    assert.equal(count('downloaded') + count('failed'), ids.length);
    for (const result of results) if (result.status === 'failed') assert.equal(result.cause, 'no-space');
    assert.equal((await pdfs()).length, count('downloaded'));
    assert.deepEqual(
      (await filesBelow(disk)).filter((name) => /part/i.test(name)),
      [],
    );
    assert.deepEqual(
      (await folder.rows()).map(({ report_id, sha256: hash }) => [report_id, hash]),
      before.map(({ report_id, sha256: hash }) => [report_id, hash]),
    );

    await unlink(filler);
    assert.ok((await folder.restore()).every(({ status }) => status === 'downloaded' || status === 'unchanged'));
    for (const { path, sha256: hash } of await folder.rows()) {
      assert.equal(sha256(await readFile(join(disk, 'reports', path))), hash);
    }
  });
});
