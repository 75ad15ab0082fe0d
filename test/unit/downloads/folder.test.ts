import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Report } from '../../../src/api/schemas/report.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { ContentCache } from '../../../src/downloads/cache.ts';
import { DownloadFolder } from '../../../src/downloads/folder.ts';
import { parseLock } from '../../../src/downloads/manifest.ts';
import { planSentence } from '../../../src/downloads/plan.ts';
import { DownloadQueue } from '../../../src/downloads/queue.ts';
import { parseCsv } from '../../../src/downloads/reportsCsv.ts';
import { changeFile } from '../../../src/files/changeFile.ts';
import {
  apiError,
  FakeClock,
  FakeSource,
  filesBelow,
  pdf,
  portsOf,
  report,
  reportOf,
  sha256,
  temporaryFolder,
} from './fixtures.ts';

describe('a downloads folder', function () {
  this.timeout(30_000);
  const home = temporaryFolder();
  let clock: FakeClock;
  let source: FakeSource;
  beforeEach(() => {
    clock = new FakeClock();
    source = new FakeSource();
  });

  async function open(name = 'work', { cached = false, folder = 'reports' } = {}) {
    const root = join(home.path, name);
    await mkdir(root, { recursive: true });
    const stores = cached
      ? [new ContentCache({ directory: join(home.path, 'cache'), maxBytes: 1e9, clock, logger: silentLogger })]
      : [];
    const queue = new DownloadQueue(portsOf(source, { clock, stores }));
    return new DownloadFolder({ root, folder, queue, clock, logger: silentLogger });
  }
  function served(report_id: number, fields: Partial<Report> = {}, bytes = pdf(report_id)): Report {
    const made = reportOf(bytes, { report_id, ...fields });
    source.serve(report_id, bytes).tell(report_id, made);
    return made;
  }
  const text = (path: string) => readFile(join(home.path, path), 'utf8');
  const lock = async (name = 'work') => (await parseLock(await text(`${name}/reports/reports.lock.json`))).reports;
  const fileOf = ({ report_key }: Report) => join(home.path, 'work/reports/XDEM_ACME/2022', `${report_key}.pdf`);

  it('downloads, records, and asks for nothing the second time', async () => {
    const folder = await open();
    const wanted = [served(2), served(1), report({ report_id: 3, has_file: false })];
    const planned = await folder.plan(wanted);
    assert.equal(planSentence(planned), 'Counts as 2 downloads against your license, size unknown; 1 without a PDF.');
    assert.deepEqual(source.links, []);
    const results = await folder.download([...wanted, ...wanted]);
    assert.deepEqual(
      results.map(({ report_id, status }) => `${report_id} ${status}`),
      ['2 downloaded', '1 downloaded', '3 no-file', '2 downloaded', '1 downloaded', '3 no-file'],
    );
    assert.equal(results[1]?.path, 'reports/XDEM_ACME/2022/XDEM_ACME_2023_SR_1.pdf');
    assert.equal(source.links.length, planned.toDownload.length);
    const before = await text('work/reports/reports.lock.json');
    assert.deepEqual(
      (await lock()).map(({ report_id, path, sha256: hash, bytes, schema_version }) => [
        report_id,
        path,
        hash,
        bytes,
        schema_version,
      ]),
      [1, 2].map((id) => [id, `XDEM_ACME/2022/XDEM_ACME_2023_SR_${id}.pdf`, sha256(pdf(id)), 100_000, 'V3']),
    );
    clock.time += 86_400_000;
    assert.equal(planSentence(await folder.plan(wanted)), '2 already downloaded; 1 without a PDF.');
    const again = await folder.download(wanted);
    assert.deepEqual(
      again.map(({ status }) => status),
      ['unchanged', 'unchanged', 'no-file'],
    );
    assert.equal(source.links.length, 2);
    assert.equal(await text('work/reports/reports.lock.json'), before);
    assert.deepEqual(
      (await filesBelow(join(home.path, 'work/reports'))).map((file) => file.split('/').at(-1)),
      ['XDEM_ACME_2023_SR_1.pdf', 'XDEM_ACME_2023_SR_2.pdf', 'reports.csv', 'reports.lock.json'],
    );
  });

  it('keeps everything in the extension’s own storage for this user alone', async () => {
    const root = join(home.path, 'storage');
    await mkdir(root);
    const queue = new DownloadQueue(portsOf(source, { clock }));
    const at = { root, folder: 'reports', isPrivate: true };
    await new DownloadFolder({ ...at, queue, clock, logger: silentLogger }).download([served(1)]);
    const found = await readdir(root, { recursive: true, withFileTypes: true });
    assert.deepEqual(found.filter((entry) => entry.isFile()).length, 3);
    for (const entry of found) {
      const { mode } = await stat(join(entry.parentPath, entry.name));
      assert.equal(mode & 0o777, entry.isFile() ? 0o600 : 0o700, entry.name);
    }
  });

  it('keeps the table of metadata, also of reports that are not at hand any more', async () => {
    const folder = await open();
    const first = served(1);
    const { report_key, content_sha256 } = first;
    const metadata = { ...first.metadata, report_key, sha256: content_sha256 ?? '', title: 'First, of all' };
    await folder.download([{ ...first, metadata }]);
    await folder.download([served(2)]);
    const rows = parseCsv(await text('work/reports/reports.csv')) ?? [];
    assert.deepEqual(
      rows.map(({ report_id, path, metadata }) => [report_id, path, metadata.title]),
      [
        [1, 'XDEM_ACME/2022/XDEM_ACME_2023_SR_1.pdf', 'First, of all'],
        [2, 'XDEM_ACME/2022/XDEM_ACME_2023_SR_2.pdf', ''],
      ],
    );
    // A row that somebody gave another report's key has none of its metadata.
    const lock = join(home.path, 'work/reports/reports.lock.json');
    await writeFile(lock, (await text('work/reports/reports.lock.json')).replace(`"${report_key}"`, '"OTHER"'));
    await folder.download([served(4)]);
    const [forged] = parseCsv(await text('work/reports/reports.csv')) ?? [];
    assert.deepEqual([forged?.metadata.report_key, forged?.metadata.title], ['OTHER', '']);
    await writeFile(join(home.path, 'work/reports/reports.csv'), 'my,own\n');
    await folder.download([served(3)]);
    assert.equal(await text('work/reports/reports.csv'), 'my,own\n');
  });

  it('replaces what changed upstream and says what it replaced; leaves what a person edited', async () => {
    const folder = await open();
    await folder.download([served(1), served(2)]);
    const [newer, edited] = [served(1, {}, pdf(11)), served(2, {}, pdf(12))];
    await writeFile(fileOf(edited), 'my notes');
    const results = await folder.download([newer, edited]);
    assert.deepEqual(
      results.map(({ status, cause, replaced }) => [status, cause, replaced]),
      [
        ['downloaded', undefined, sha256(pdf(1))],
        ['failed', 'edited', undefined],
      ],
    );
    assert.equal(await readFile(fileOf(edited), 'utf8'), 'my notes');
    assert.equal((await lock())[1]?.sha256, sha256(pdf(2)));
    assert.deepEqual(source.links.toSorted(), [1, 1, 2]);
  });

  it('moves the row, not the file, when keys are renamed or records merged', async () => {
    const folder = await open();
    await folder.download([served(1), served(2)]);
    const renamed = served(1, { report_key: 'XDEM_NEW_2023_SR', company_key: 'XDEM_NEW' });
    const survivor = served(5, { requested_legacy_report_id: 2 }, pdf(2));
    const results = await folder.download([renamed, survivor]);
    assert.deepEqual(
      results.map(({ status }) => status),
      ['unchanged', 'unchanged'],
    );
    assert.deepEqual(
      (await lock()).map(({ report_id, report_key, path }) => [report_id, report_key, path]),
      [
        [1, 'XDEM_NEW_2023_SR', 'XDEM_ACME/2022/XDEM_ACME_2023_SR_1.pdf'],
        [5, 'XDEM_ACME_2023_SR_5', 'XDEM_ACME/2022/XDEM_ACME_2023_SR_2.pdf'],
      ],
    );
    assert.equal(source.links.length, 2);
  });

  it('has paths as long as Windows takes, folder included, and names of some length however deep it lies', async () => {
    const long = report({ company_key: 'C'.repeat(80), report_key: 'K'.repeat(80) });
    const lengthIn = async (rootLength: number, one: Report) => {
      const root = join(home.path, 'r'.repeat(rootLength - home.path.length - 1));
      const name = root.slice(home.path.length + 1);
      return (await (await open(name)).paths([one])).get(7)?.slice('reports/'.length).length;
    };
    // 240, less "reports" and the slashes around it, leaves 134 for names of 64, then less, for names of 48.
    assert.equal(await lengthIn(240 - 134 - 9, long), 64 + 1 + 4 + 1 + 64);
    assert.equal(await lengthIn(240 - 133 - 9, long), 48 + 1 + 4 + 1 + 48);
    assert.equal(await lengthIn(239, long), '7.pdf'.length);
    assert.equal(await lengthIn(239, report()), 'XDEM_ACME/2022/XDEM_ACME_2023_SR.pdf'.length);
  });

  it('uses bytes of the same folder or of the machine instead of a link', async () => {
    const folder = await open('work', { cached: true });
    const first = served(1);
    await folder.download([first]);
    const twin = served(2, {}, pdf(1));
    assert.deepEqual((await folder.plan([twin])).toCopy, [2]);
    assert.equal((await folder.download([twin]))[0]?.status, 'downloaded');
    const elsewhere = await open('other', { cached: true });
    assert.equal(planSentence(await elsewhere.plan([first])), '1 copied from this computer.');
    const [result] = await elsewhere.download([first]);
    assert.deepEqual([result?.status, result?.verified, result?.links], ['downloaded', true, 0]);
    assert.deepEqual(source.links, [1]);
  });

  it('verifies without a network', async () => {
    const folder = await open();
    const unverified = served(4, { content_sha256: null });
    await folder.download([served(1), served(2), served(3), unverified, served(5)]);
    await writeFile(fileOf(report({ report_id: 2 })), 'edited');
    await unlink(fileOf(report({ report_id: 3 })));
    await unlink(fileOf(report({ report_id: 5 })));
    await symlink('/dev/null', fileOf(report({ report_id: 5 })));
    const asked = source.links.length;
    const checks = await folder.verify();
    assert.deepEqual(
      checks.map(({ row, state }) => `${row.report_id} ${state}`),
      ['1 matches-lock', '2 edited', '3 missing', '4 unverified', '5 unreadable'],
    );
    assert.equal(source.links.length, asked);
    await assert.rejects(folder.verify({ signal: AbortSignal.abort('stop') }), (reason) => reason === 'stop');
  });

  it('can be cancelled while a verification asks what is known of its reports', async () => {
    const abort = new AbortController();
    const upstream = (_: readonly number[], signal?: AbortSignal) =>
      new Promise<never>((_resolve, reject) => {
        assert.ok(signal, 'no signal came');
        signal.addEventListener('abort', () => reject(signal.reason));
        abort.abort('stop');
      });
    await (await open()).download([served(1)]);
    const queue = new DownloadQueue(portsOf(source, { clock }));
    const root = join(home.path, 'work');
    const folder = new DownloadFolder({ root, folder: 'reports', queue, clock, logger: silentLogger, upstream });
    await assert.rejects(folder.verify({ signal: abort.signal }), (reason) => reason === 'stop');
  });

  it('restores the very bytes of a lock in a fresh clone, and says exactly what is not the same', async () => {
    const folder = await open();
    const all = [1, 2, 3, 4, 5, 6].map((id) => served(id, id === 6 ? { content_sha256: null } : {}));
    await folder.download(all);
    await mkdir(join(home.path, 'clone/reports'), { recursive: true });
    await writeFile(join(home.path, 'clone/reports/reports.lock.json'), await text('work/reports/reports.lock.json'));
    const other = new FakeSource().serve(1, pdf(1)).tell(1, reportOf(pdf(1), { report_id: 1 }));
    other.tell(2, reportOf(pdf(22), { report_id: 2 })).tell(4, apiError('forbidden', 403));
    other.serve(5, pdf(55)).tell(5, reportOf(pdf(5), { report_id: 5 }));
    other.serve(6, pdf(66)).tell(6, report({ report_id: 6, content_sha256: null }));
    const queue = new DownloadQueue(portsOf(other, { clock }));
    const clone = new DownloadFolder({
      root: join(home.path, 'clone'),
      folder: 'reports',
      queue,
      clock,
      logger: silentLogger,
    });
    const results = await clone.restore();
    assert.deepEqual(
      results.map(({ report_id, status, cause }) => [report_id, status, cause]),
      [
        [1, 'downloaded', undefined],
        [2, 'failed', 'changed-upstream'],
        [3, 'failed', 'withdrawn'],
        [4, 'not-entitled', 'forbidden'],
        [5, 'failed', 'changed-upstream'],
        [6, 'failed', 'changed-upstream'],
      ],
    );
    assert.deepEqual(other.links.toSorted(), [1, 5, 6]);
    assert.equal(await text('clone/reports/reports.lock.json'), await text('work/reports/reports.lock.json'));
    const again = await clone.restore();
    assert.equal(again[0]?.status, 'unchanged');
    assert.equal(other.links.filter((id) => id === 1).length, 1);
  });

  it('restores only the reports that are asked for', async () => {
    const folder = await open('work', { cached: true });
    await folder.download([served(1), served(2)]);
    for (const id of [1, 2]) await unlink(fileOf(report({ report_id: id })));
    const results = await folder.restore({ only: [2] });
    assert.deepEqual(
      results.map(({ report_id, status }) => [report_id, status]),
      [[2, 'downloaded']],
    );
  });

  it('restores from the machine without any request', async () => {
    const folder = await open('work', { cached: true });
    await folder.download([served(1), served(2)]);
    await unlink(fileOf(report({ report_id: 1 })));
    const [links, reads] = [source.links.length, source.reads.length];
    const results = await folder.restore();
    assert.deepEqual(
      results.map(({ status }) => status),
      ['downloaded', 'unchanged'],
    );
    assert.deepEqual([source.links.length, source.reads.length], [links, reads]);
  });

  it('touches nothing when the lock cannot be read', async () => {
    const folder = await open();
    const wanted = served(1);
    await mkdir(join(home.path, 'work/reports'));
    const conflicted = '<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs\n';
    await writeFile(join(home.path, 'work/reports/reports.lock.json'), conflicted);
    const uses = [folder.download([wanted]), folder.plan([wanted]), folder.verify(), folder.restore()];
    await Promise.all(uses.map((use) => assert.rejects(use, { name: 'LockProblem' })));
    assert.deepEqual(source.links, []);
    assert.equal(await text('work/reports/reports.lock.json'), conflicted);
  });

  it('joins both sides of a merge conflict in the lock when asked to, and goes on from there', async () => {
    const folder = await open();
    await folder.download([served(1)]);
    const ours = await text('work/reports/reports.lock.json');
    await folder.download([served(2)]);
    const theirs = await text('work/reports/reports.lock.json');
    const rows = (lines: string) => lines.split('\n').filter((line) => line.includes('"report_id"'));
    const sides = ['<<<<<<< HEAD', ...rows(ours), '=======', ...rows(theirs), '>>>>>>> theirs'].join('\n');
    const conflicted = `{\n  "version": 1,\n  "reports": [\n${sides}\n  ]\n}\n`;
    await writeFile(join(home.path, 'work/reports/reports.lock.json'), conflicted);
    await assert.rejects(folder.rows(), { name: 'LockProblem', code: 'conflict' });
    await folder.mergeConflict();
    assert.equal(await text('work/reports/reports.lock.json'), theirs);
    const results = await folder.download([served(1), served(2)]);
    assert.ok(results.every(({ status }) => status === 'unchanged'));
  });

  it('writes no lock through a link', async () => {
    const folder = await open();
    await mkdir(join(home.path, 'work/reports'));
    await writeFile(join(home.path, 'precious'), 'precious');
    await symlink(join(home.path, 'precious'), join(home.path, 'work/reports/reports.lock.json'));
    await assert.rejects(folder.download([served(1)]), { name: 'DiskProblem', code: 'symlink' });
    assert.equal(await text('precious'), 'precious');
  });

  it('keeps the rows of two windows that record at the same time', async () => {
    const [one, two] = [await open(), await open()];
    const ids = Array.from({ length: 20 }, (_, index) => index + 1);
    await Promise.all(ids.map((id) => (id % 2 ? one : two).download([served(id)])));
    assert.deepEqual(
      (await lock()).map(({ report_id }) => report_id),
      ids,
    );
    await rm(join(home.path, 'work'), { recursive: true });
  });

  it('makes a change again when the file was written meanwhile', async () => {
    const at = { root: home.path, path: 'note.txt' };
    const seen: (string | undefined)[] = [];
    let interfere = true;
    await writeFile(join(home.path, 'note.txt'), 'a');
    await changeFile(at, (old) => {
      seen.push(old);
      if (interfere) writeFileSync(join(home.path, 'note.txt'), 'theirs');
      interfere = false;
      return `${old}+mine`;
    });
    assert.deepEqual(seen, ['a', 'theirs']);
    assert.equal(await text('note.txt'), 'theirs+mine');
  });
});
