import assert from 'node:assert/strict';
import fs, { mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import {
  lockRecorder,
  pdfsIn,
  type ReportOfHash,
  readLock,
  rebuildLock,
  recordResults,
  updateCsv,
} from '../../../src/downloads/lockFile.ts';
import { formatLock, type LockRow, lockOrigin, parseLock } from '../../../src/downloads/manifest.ts';
import { type DownloadResult, demoOrigin, lastingOrigin } from '../../../src/downloads/ports.ts';
import { parseCsv } from '../../../src/downloads/reportsCsv.ts';
import { changeFile } from '../../../src/files/changeFile.ts';
import {
  FakeClock,
  FakeSource,
  filesBelow,
  laterClock,
  pdf,
  pick,
  put,
  replacements,
  report,
  sha256,
  systemError,
  temporaryFolder,
} from './fixtures.ts';
import { lockRow, openFolder } from './folders.ts';

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
  const replace = replacements();
  const letPass = laterClock();
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
    assert.deepEqual(
      await rows(),
      [1, 2].map((id) => lockRow(id, { sha256: hashA, bytes: 10 })),
    );
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
    for (const name of ['b/2.pdf', '1.pdf', 'note.txt', 'reports.lock.json'])
      await put(join(home.path, 'reports', name), '');
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
    assert.deepEqual(pick(await rows(), 'report_id', 'path'), [
      [1, '1.pdf'],
      [8, '3.pdf'],
      [9, '2.pdf'],
    ]);
  });

  it('has a table beside it, with metadata of the very report and bytes of a row, and leaves one that is not ours', async () => {
    const table = join(home.path, 'reports/reports.csv');
    const titles = async () => (parseCsv(await readFile(table, 'utf8')) ?? []).map(({ metadata }) => metadata.title);
    const { report: known } = stored(1);
    const metadata = { ...report().metadata, report_key: known.report_key, sha256: hashA, title: 'First, of all' };
    await record(stored(1));
    await updateCsv(at(), [{ ...known, metadata }]);
    await record(stored(2));
    await updateCsv(at(), []);
    assert.deepEqual(await titles(), ['First, of all', '']);
    for (const [before, after] of [
      [`"${known.report_key}"`, '"OTHER"'],
      [hashA, hashB],
    ] as const) {
      const lines = await onDisk();
      await writeFile(join(home.path, 'reports/reports.lock.json'), lines.replace(before, after));
      await updateCsv(at(), [{ ...known, metadata }]);
      assert.deepEqual(await titles(), ['', '']);
      await writeFile(join(home.path, 'reports/reports.lock.json'), lines);
    }
    await writeFile(table, 'my,own\n');
    await updateCsv(at(), []);
    assert.equal(await readFile(table, 'utf8'), 'my,own\n');
  });

  it('is written once a second while a batch runs, and at its end', async () => {
    const recorder = lockRecorder(at(), clock);
    recorder.add(stored(1));
    clock.time += 999;
    recorder.add(stored(2));
    assert.deepEqual(await filesBelow(home.path), []);
    clock.time += 1;
    recorder.add(stored(3));
    const ids = async () => pick(await rows(), 'report_id');
    while ((await ids()).length === 0) await setImmediate();
    assert.deepEqual(await ids(), [1, 2, 3]);
    recorder.add(stored(4));
    await recorder.end();
    assert.deepEqual(await ids(), [1, 2, 3, 4]);
  });

  it('is read again after a disk failed once, and not while the file itself is what is wrong', async () => {
    await record(stored(1));
    // Old enough for what was read of it to be kept.
    letPass(1000);
    let opened = 0;
    const { open } = fs;
    const failing = async (...args: Parameters<typeof open>) => {
      if (++opened === 1) throw systemError('EIO');
      return open(...args);
    };
    replace(fs, { open: failing });
    await assert.rejects(rows(), { name: 'DiskProblem' });
    assert.deepEqual([(await rows()).length, (await rows()).length, opened], [1, 1, 2]);
    await writeFile(join(home.path, 'reports/reports.lock.json'), 'nonsense');
    letPass(2000);
    for (const _ of [1, 2]) await assert.rejects(rows(), { name: 'LockProblem' });
    assert.equal(opened, 3);
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
    assert.deepEqual(pick(await rows(), 'report_id'), [1, 2]);
  });
});

describe('a large lock file', function () {
  this.timeout(60_000);
  const home = temporaryFolder();
  const letPass = laterClock();
  const at = () => ({ root: home.path, folder: 'reports' });
  const note = ['mine'];
  const lockWith = (length: number) => {
    const more = { sha256: hashA, downloaded_at: '2026-01-01' };
    const reports = Array.from({ length }, (_, index): LockRow => lockRow(index + 1, { ...more, bytes: index }));
    return { reports, other: { note } };
  };
  const foreignOf = ({ reports }: ReturnType<typeof lockWith>) =>
    JSON.stringify({ reports: reports.toReversed(), note, version: 1 }, null, 2).replaceAll('\n', '\r\n');
  const lock = lockWith(400);
  const foreign = foreignOf(lock);

  it('is written, and read in any layout, while the window goes on', async () => {
    const large = lockWith(40_000);
    let turns = 0;
    let next = globalThis.setImmediate(function turn() {
      turns += 1;
      next = globalThis.setImmediate(turn);
    });
    // The time of the processor: on a busy machine, others may have it for long.
    const used = () => process.cpuUsage().user / 1000;
    const sharing = async <T>(work: Promise<T>) => {
      const [from, before] = [used(), turns];
      const result = await work;
      const least = (used() - from) / 100;
      assert.ok(turns - before >= Math.floor(least), `${turns - before} turns for others, at least ${least}`);
      return result;
    };
    try {
      for (const text of [foreignOf(large), await sharing(formatLock(large))])
        assert.deepEqual(await sharing(parseLock(text)), large);
    } finally {
      clearImmediate(next);
    }
  });

  it('may be waited for no longer, while others still get it', async () => {
    await put(join(home.path, 'reports/reports.lock.json'), foreign);
    // Old enough for what is read of it to be kept.
    letPass(1000);
    const abort = new AbortController();
    const [mine, others] = [readLock(at(), abort.signal), readLock(at())];
    abort.abort(new Error('left'));
    await assert.rejects(mine, { message: 'left' });
    assert.deepEqual((await others).reports, lock.reports);
    await assert.rejects(readLock(at(), abort.signal), { message: 'left' });
    assert.deepEqual((await readLock(at(), new AbortController().signal)).reports, lock.reports);
  });
});

describe('the service of a lock file', () => {
  const home = temporaryFolder();

  it('is the first one that its reports came from, and none on this computer', async () => {
    const lock = join(home.path, 'reports', 'reports.lock.json');
    const download = async (id: number, baseUrl: string) => {
      const origin = baseUrl === demoOrigin ? demoOrigin : lastingOrigin(baseUrl);
      const source = Object.assign(new FakeSource(), { origin });
      await openFolder(home.path, source, { source }).download([source.publish(id, { report_key: `K${id}` })]);
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
    await writeFile(lock, before.replace('https://one.example', ''));
    assert.equal(await download(4, 'https://two.example/api/v2'), '');
    await rm(lock);
    assert.equal(await download(5, demoOrigin), demoOrigin);
    await assert.rejects(download(6, 'https://two.example/api/v2'), /of another service \(demo\)/);
    assert.equal(await download(7, demoOrigin), demoOrigin);
  });
});

describe('a lock that cannot be read', () => {
  const home = temporaryFolder();
  const file = (name: string) => join(home.path, 'reports', name);
  const open = () => openFolder(home.path, new FakeSource());
  const published = (report_id: number, bytes: Buffer): ReportOfHash => {
    return { report_id, report_key: `KEY_${report_id}`, company_key: 'XDEM', sha256: sha256(bytes) };
  };

  it('is written anew from the PDFs that the service published, and kept beside it', async () => {
    await put(file('reports.lock.json'), '<<<<<<< HEAD\n{}');
    await put(file('a/KEY_1.pdf'), pdf(1));
    await put(file('a/KEY_3.pdf'), pdf(2));
    await put(file('b/copy of KEY_3.pdf'), pdf(2));
    await put(file('own.pdf'), pdf(9));
    await symlink(file('own.pdf'), file('link.pdf'));
    const library = [published(1, pdf(1)), published(2, pdf(2)), published(3, pdf(2)), published(4, pdf(4))];
    const counts: (readonly number[])[] = [];
    const { rows, unknown } = await rebuildLock(
      { root: home.path, folder: 'reports' },
      async (hashes) => library.filter((one) => hashes.has(one.sha256)),
      new FakeClock(),
      { onProgress: (...count) => void counts.push(count) },
    );
    assert.deepEqual(pick(rows, 'report_id', 'path'), [
      [1, 'a/KEY_1.pdf'],
      [3, 'a/KEY_3.pdf'],
      [2, 'b/copy of KEY_3.pdf'],
    ]);
    assert.deepEqual(unknown, ['own.pdf']);
    assert.deepEqual(counts.at(-1), [4, 4]);
    assert.equal(await readFile(file('reports.lock.broken.json'), 'utf8'), '<<<<<<< HEAD\n{}');
    assert.deepEqual(pick(await open().rows(), 'report_id'), [1, 2, 3]);
    assert.deepEqual(await open().unlisted(), ['own.pdf']);
  });

  it('stays as it is when the rebuilding is cancelled', async () => {
    await put(file('reports.lock.json'), 'nonsense');
    await put(file('a.pdf'), pdf(1));
    const abort = new AbortController();
    const find = async () => {
      abort.abort();
      return [published(1, pdf(1))];
    };
    const rebuilding = rebuildLock({ root: home.path, folder: 'reports' }, find, new FakeClock(), abort);
    await assert.rejects(rebuilding, { name: 'AbortError' });
    assert.equal(await readFile(file('reports.lock.json'), 'utf8'), 'nonsense');
  });
});
