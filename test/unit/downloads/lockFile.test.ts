import assert from 'node:assert/strict';
import fs, { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { lockRecorder, pdfsIn, readLock, recordResults } from '../../../src/downloads/lockFile.ts';
import { formatLock, type LockRow, parseLock } from '../../../src/downloads/manifest.ts';
import type { DownloadResult } from '../../../src/downloads/ports.ts';
import { changeFile } from '../../../src/files/changeFile.ts';
import { FakeClock, filesBelow, report, temporaryFolder } from './fixtures.ts';

const [hashA, hashB] = ['a'.repeat(64), 'b'.repeat(64)];

/** A report that came to lie in the folder, whose published hash is that of its bytes. */
function stored(id: number, more: Partial<DownloadResult> = {}, fields: Parameters<typeof report>[0] = {}) {
  const result: DownloadResult = {
    ...{ report_id: id, links: 1, status: 'downloaded', verified: true },
    ...{ path: `reports/${id}.pdf`, sha256: hashA, bytes: 10 },
    report: report({ report_id: id, content_sha256: hashA, ...fields }),
  };
  return { ...result, ...more };
}

describe('the lock file of a folder', () => {
  const home = temporaryFolder();
  const at = () => ({ root: home.path, folder: 'reports' });
  let clock: FakeClock;
  beforeEach(() => {
    clock = new FakeClock();
  });
  const record = (...results: DownloadResult[]) => recordResults(at(), results, clock);
  const rows = async () => (await readLock(at())).reports;
  const onDisk = () => readFile(join(home.path, 'reports/reports.lock.json'), 'utf8');

  it('holds what lies in the folder, and is not made for results without a file', async () => {
    await record({ ...stored(1), path: undefined } as unknown as DownloadResult);
    assert.deepEqual(await filesBelow(home.path), []);
    await record(stored(2), stored(1));
    const row = (report_id: number): LockRow => ({
      report_id,
      report_key: `XDEM_ACME_2023_SR_${report_id}`,
      company_key: 'XDEM_ACME',
      path: `${report_id}.pdf`,
      sha256: hashA,
      bytes: 10,
      downloaded_at: '2026-01-02T03:04:05.000Z',
      schema_version: 'V3',
    });
    assert.deepEqual(await rows(), [row(1), row(2)]);
  });

  it('keeps the time of bytes that are the same, and dates others anew', async () => {
    await record(stored(1), stored(2));
    clock.time += 60_000;
    await record(stored(1, {}, { report_key: 'RENAMED' }), stored(2, { sha256: hashB }));
    assert.deepEqual(
      (await rows()).map(({ report_key, sha256, downloaded_at }) => [report_key, sha256, downloaded_at.slice(11, 19)]),
      [
        ['RENAMED', hashA, '03:04:05'],
        ['XDEM_ACME_2023_SR_2', hashB, '03:05:05'],
      ],
    );
  });

  it('has the PDFs of its folder beside it, those of folders below too', async () => {
    assert.deepEqual(await pdfsIn(at()), []);
    await mkdir(join(home.path, 'reports/b'), { recursive: true });
    for (const name of ['b/2.pdf', '1.pdf', 'note.txt', 'reports.lock.json'])
      await writeFile(join(home.path, 'reports', name), '');
    assert.deepEqual(await pdfsIn(at()), ['1.pdf', 'b/2.pdf']);
  });

  it('says which bytes no published hash vouches for, until one does', async () => {
    const verified = async (result: DownloadResult) => {
      await record(result);
      return (await rows())[0]?.verified;
    };
    const notCompared = { verified: false, report: { ...stored(1).report, content_sha256: undefined } };
    assert.equal(await verified(stored(1, notCompared)), undefined, 'not compared, and never was');
    assert.equal(await verified(stored(1, { verified: false }, { content_sha256: null })), false);
    assert.equal(await verified(stored(1, notCompared)), false, 'what is not compared now stays what it was');
    assert.equal(await verified(stored(1)), undefined);
  });

  it('keeps what another tool wrote into a row', async () => {
    await record(stored(1));
    const lines = (await onDisk()).replace('"report_id":1,', '"note":"mine","report_id":1,');
    await writeFile(join(home.path, 'reports/reports.lock.json'), lines);
    await record(stored(1, { sha256: hashB }));
    assert.match(await onDisk(), /"note":"mine"/);
    assert.equal((await rows())[0]?.sha256, hashB);
  });

  it('has one row for a merged report, under the id that survived', async () => {
    await record(stored(1), stored(2), stored(3));
    await record(stored(9, { report_id: 2, path: 'reports/2.pdf' }));
    await record(stored(8, { path: 'reports/3.pdf' }, { requested_legacy_report_id: 3 }));
    assert.deepEqual(
      (await rows()).map(({ report_id, path }) => [report_id, path]),
      [
        [1, '1.pdf'],
        [8, '3.pdf'],
        [9, '2.pdf'],
      ],
    );
  });

  it('is written once a second while a batch runs, and at its end', async () => {
    const recorder = lockRecorder(at(), clock);
    recorder.add(stored(1));
    clock.time += 999;
    recorder.add(stored(2));
    assert.deepEqual(await filesBelow(home.path), []);
    clock.time += 1;
    recorder.add(stored(3));
    const ids = async () => (await rows()).map(({ report_id }) => report_id);
    while ((await ids()).length === 0) await setImmediate();
    assert.deepEqual(await ids(), [1, 2, 3]);
    recorder.add(stored(4));
    await recorder.end();
    assert.deepEqual(await ids(), [1, 2, 3, 4]);
  });

  describe('on a disk that fails once', () => {
    const { open } = fs;
    const { now } = Date;
    afterEach(() => {
      Object.assign(fs, { open });
      syncBuiltinESMExports();
      Date.now = now;
    });

    it('is asked for again, and not while the file itself is what is wrong', async () => {
      await record(stored(1));
      // Old enough for what was read of it to be kept.
      Date.now = () => now() + 1000;
      let opened = 0;
      const failing = async (...args: Parameters<typeof open>) => {
        if (++opened === 1) throw Object.assign(new Error(), { code: 'EIO', syscall: 'open' });
        return open(...args);
      };
      Object.assign(fs, { open: failing });
      syncBuiltinESMExports();
      await assert.rejects(rows(), { name: 'DiskProblem' });
      assert.deepEqual([(await rows()).length, (await rows()).length, opened], [1, 1, 2]);
      await writeFile(join(home.path, 'reports/reports.lock.json'), 'nonsense');
      Date.now = () => now() + 2000;
      for (const _ of [1, 2]) await assert.rejects(rows(), { name: 'LockProblem' });
      assert.equal(opened, 3);
    });
  });

  it('that could not be written while a batch ran is told at its end', async () => {
    await mkdir(join(home.path, 'reports/reports.lock.json'), { recursive: true });
    const recorder = lockRecorder(at(), clock);
    clock.time += 1000;
    recorder.add(stored(1));
    await assert.rejects(recorder.end(), {
      ...{ name: 'DiskProblem', code: 'in-the-way' },
      message: /Downloaded but missing from the lock file \(1\): XDEM_ACME_2023_SR_1\.$/,
    });
  });

  it('has the rows of a write that failed once the disk works again', async () => {
    const inTheWay = join(home.path, 'reports/reports.lock.json');
    await mkdir(inTheWay, { recursive: true });
    const recorder = lockRecorder(at(), clock);
    clock.time += 1000;
    recorder.add(stored(1));
    await changeFile({ root: home.path, path: 'reports/other.txt' }, () => 'x');
    await rm(inTheWay, { recursive: true });
    recorder.add(stored(2));
    await recorder.end();
    assert.deepEqual(
      (await rows()).map(({ report_id }) => report_id),
      [1, 2],
    );
  });
});

describe('a large lock file', function () {
  this.timeout(60_000);
  const home = temporaryFolder();
  const at = () => ({ root: home.path, folder: 'reports' });
  const note = ['mine'];
  const lockWith = (length: number) => {
    const reports = Array.from({ length }, (_, index): LockRow => {
      const id = index + 1;
      const keys = { report_key: `XDEM_ACME_2023_SR_${id}`, company_key: 'XDEM_ACME', path: `XDEM_ACME/${id}.pdf` };
      return { ...keys, report_id: id, sha256: hashA, bytes: id, downloaded_at: '2026-01-01', schema_version: 'V3' };
    });
    return { reports, other: { note } };
  };
  const foreignOf = ({ reports }: ReturnType<typeof lockWith>) =>
    JSON.stringify({ reports: reports.toReversed(), note, version: 1 }, null, 2).replaceAll('\n', '\r\n');
  const lock = lockWith(400);
  const foreign = foreignOf(lock);

  it('is read in any layout, while the window goes on', async () => {
    const large = lockWith(13_000);
    assert.ok(foreignOf(large).length > 4_000_000);
    for (const text of [foreignOf(large), await formatLock(large)]) {
      let beats = 0;
      const heart = setInterval(() => beats++, 1);
      const read = await parseLock(text).finally(() => clearInterval(heart));
      assert.deepEqual(read, large);
      assert.ok(beats >= 5, `${beats} turns for others`);
    }
  });

  it('may be waited for no longer, while others still get it', async () => {
    await mkdir(join(home.path, 'reports'));
    await writeFile(join(home.path, 'reports/reports.lock.json'), foreign);
    const { now } = Date;
    // Old enough for what is read of it to be kept.
    Date.now = () => now() + 1000;
    try {
      const abort = new AbortController();
      const [mine, others] = [readLock(at(), abort.signal), readLock(at())];
      abort.abort(new Error('left'));
      await assert.rejects(mine, { message: 'left' });
      assert.deepEqual((await others).reports, lock.reports);
      await assert.rejects(readLock(at(), abort.signal), { message: 'left' });
      assert.deepEqual((await readLock(at(), new AbortController().signal)).reports, lock.reports);
    } finally {
      Date.now = now;
    }
  });
});
