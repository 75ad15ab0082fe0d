import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, stat, symlink, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Report } from '../../../src/api/schemas/report.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { ContentCache } from '../../../src/downloads/cache.ts';
import { parseLock } from '../../../src/downloads/manifest.ts';
import { planSentence } from '../../../src/downloads/plan.ts';
import { parseCsv } from '../../../src/downloads/reportsCsv.ts';
import {
  apiError,
  FakeClock,
  FakeSource,
  filesBelow,
  pdf,
  pick,
  put,
  report,
  reportOf,
  sha256,
  temporaryFolder,
} from './fixtures.ts';
import { openFolder } from './folders.ts';

describe('a downloads folder', function () {
  this.timeout(30_000);
  const home = temporaryFolder();
  let clock: FakeClock;
  let source: FakeSource;
  beforeEach(() => {
    clock = new FakeClock();
    source = new FakeSource();
  });

  async function open(name = 'work', { cached = false, isPrivate = false } = {}) {
    const root = join(home.path, name);
    await mkdir(root, { recursive: true });
    const cache = () => new ContentCache({ directory: join(home.path, 'cache'), clock, logger: silentLogger });
    return openFolder(root, source, { clock, isPrivate, stores: cached ? [cache()] : [] });
  }
  const served = (...given: Parameters<FakeSource['publish']>) => source.publish(...given);
  const text = (path: string) => readFile(join(home.path, path), 'utf8');
  const lockPath = 'work/reports/reports.lock.json';
  const lock = async () => (await parseLock(await text(lockPath))).reports;
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
    const before = await text(lockPath);
    assert.deepEqual(
      pick(await lock(), 'report_id', 'path', 'sha256', 'bytes', 'schema_version'),
      [1, 2].map((id) => [id, `XDEM_ACME/2022/XDEM_ACME_2023_SR_${id}.pdf`, sha256(pdf(id)), 100_000, 'V3']),
    );
    clock.time += 86_400_000;
    assert.equal(planSentence(await folder.plan(wanted)), '2 already downloaded; 1 without a PDF.');
    const again = await folder.download(wanted);
    assert.deepEqual(pick(again, 'status'), ['unchanged', 'unchanged', 'no-file']);
    assert.equal(source.links.length, 2);
    assert.equal(await text(lockPath), before);
    assert.deepEqual(
      (await filesBelow(join(home.path, 'work/reports'))).map((file) => file.split('/').at(-1)),
      ['XDEM_ACME_2023_SR_1.pdf', 'XDEM_ACME_2023_SR_2.pdf', 'reports.csv', 'reports.lock.json'],
    );
  });

  it('keeps everything in the extension’s own storage for this user alone', async () => {
    await (await open('storage', { isPrivate: true })).download([served(1)]);
    const found = await readdir(join(home.path, 'storage'), { recursive: true, withFileTypes: true });
    assert.deepEqual(found.filter((entry) => entry.isFile()).length, 3);
    for (const entry of found) {
      const { mode } = await stat(join(entry.parentPath, entry.name));
      assert.equal(mode & 0o777, entry.isFile() ? 0o600 : 0o700, entry.name);
    }
  });

  it('keeps the table of metadata', async () => {
    const folder = await open();
    const first = served(1);
    const { report_key, content_sha256 } = first;
    const metadata = { ...first.metadata, report_key, sha256: content_sha256 ?? '', title: 'First, of all' };
    await folder.download([{ ...first, metadata }, served(2)]);
    const rows = parseCsv(await text('work/reports/reports.csv')) ?? [];
    assert.deepEqual(
      rows.map(({ report_id, path, metadata }) => [report_id, path, metadata.title]),
      [
        [1, 'XDEM_ACME/2022/XDEM_ACME_2023_SR_1.pdf', 'First, of all'],
        [2, 'XDEM_ACME/2022/XDEM_ACME_2023_SR_2.pdf', ''],
      ],
    );
  });

  it('replaces what changed upstream and says what it replaced; leaves what a person edited', async () => {
    const folder = await open();
    await folder.download([served(1), served(2)]);
    const [newer, edited] = [served(1, {}, pdf(11)), served(2, {}, pdf(12))];
    await writeFile(fileOf(edited), 'my notes');
    const results = await folder.download([newer, edited]);
    assert.deepEqual(pick(results, 'status', 'cause', 'replaced'), [
      ['downloaded', undefined, sha256(pdf(1))],
      ['failed', 'edited', undefined],
    ]);
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
    assert.deepEqual(pick(results, 'status'), ['unchanged', 'unchanged']);
    assert.deepEqual(pick(await lock(), 'report_id', 'report_key', 'path'), [
      [1, 'XDEM_NEW_2023_SR', 'XDEM_ACME/2022/XDEM_ACME_2023_SR_1.pdf'],
      [5, 'XDEM_ACME_2023_SR_5', 'XDEM_ACME/2022/XDEM_ACME_2023_SR_2.pdf'],
    ]);
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
    const folder = openFolder(join(home.path, 'work'), source, { upstream });
    await assert.rejects(folder.verify({ signal: abort.signal }), (reason) => reason === 'stop');
  });

  it('restores the very bytes of a lock in a fresh clone, and says exactly what is not the same', async () => {
    const folder = await open();
    const all = [1, 2, 3, 4, 5, 6].map((id) => served(id, id === 6 ? { content_sha256: null } : {}));
    await folder.download(all);
    await put(join(home.path, 'clone/reports/reports.lock.json'), await text(lockPath));
    const other = new FakeSource();
    other.publish(1);
    other.tell(2, reportOf(pdf(22), { report_id: 2 })).tell(4, apiError('forbidden', 403));
    other.serve(5, pdf(55)).tell(5, reportOf(pdf(5), { report_id: 5 }));
    other.serve(6, pdf(66)).tell(6, report({ report_id: 6, content_sha256: null }));
    const clone = openFolder(join(home.path, 'clone'), other, { clock });
    const results = await clone.restore();
    assert.deepEqual(pick(results, 'report_id', 'status', 'cause'), [
      [1, 'downloaded', undefined],
      [2, 'failed', 'changed-upstream'],
      [3, 'failed', 'withdrawn'],
      [4, 'not-entitled', 'forbidden'],
      [5, 'failed', 'changed-upstream'],
      [6, 'failed', 'changed-upstream'],
    ]);
    assert.deepEqual(other.links.toSorted(), [1, 5, 6]);
    assert.equal(await text('clone/reports/reports.lock.json'), await text(lockPath));
    const again = await clone.restore();
    assert.equal(again[0]?.status, 'unchanged');
    assert.equal(other.links.filter((id) => id === 1).length, 1);
  });

  it('restores from the machine without any request, only the reports that are asked for', async () => {
    const folder = await open('work', { cached: true });
    await folder.download([served(1), served(2)]);
    for (const id of [1, 2]) await unlink(fileOf(report({ report_id: id })));
    const asked = [source.links.length, source.reads.length];
    assert.deepEqual(pick(await folder.restore({ only: [2] }), 'report_id', 'status'), [[2, 'downloaded']]);
    assert.deepEqual(pick(await folder.restore(), 'status'), ['downloaded', 'unchanged']);
    assert.deepEqual([source.links.length, source.reads.length], asked);
  });

  it('touches nothing when the lock cannot be read', async () => {
    const folder = await open();
    const wanted = served(1);
    const conflicted = '<<<<<<< ours\n{}\n=======\n{}\n>>>>>>> theirs\n';
    await put(join(home.path, lockPath), conflicted);
    const uses = [folder.download([wanted]), folder.plan([wanted]), folder.verify(), folder.restore()];
    await Promise.all(uses.map((use) => assert.rejects(use, { name: 'LockProblem' })));
    assert.deepEqual(source.links, []);
    assert.equal(await text(lockPath), conflicted);
  });

  it('joins both sides of a merge conflict in the lock when asked to, and goes on from there', async () => {
    const folder = await open();
    await folder.download([served(1)]);
    const ours = await text(lockPath);
    await folder.download([served(2)]);
    const theirs = await text(lockPath);
    const rows = (lines: string) => lines.split('\n').filter((line) => line.includes('"report_id"'));
    const sides = ['<<<<<<< HEAD', ...rows(ours), '=======', ...rows(theirs), '>>>>>>> theirs'].join('\n');
    const conflicted = `{\n  "version": 1,\n  "reports": [\n${sides}\n  ]\n}\n`;
    await writeFile(join(home.path, lockPath), conflicted);
    await assert.rejects(folder.rows(), { name: 'LockProblem', code: 'conflict' });
    await folder.mergeConflict();
    assert.equal(await text(lockPath), theirs);
    const results = await folder.download([served(1), served(2)]);
    assert.ok(results.every(({ status }) => status === 'unchanged'));
  });

  it('writes no lock through a link', async () => {
    const folder = await open();
    await mkdir(join(home.path, 'work/reports'));
    await writeFile(join(home.path, 'precious'), 'precious');
    await symlink(join(home.path, 'precious'), join(home.path, lockPath));
    await assert.rejects(folder.download([served(1)]), { name: 'DiskProblem', code: 'symlink' });
    assert.equal(await text('precious'), 'precious');
  });

  it('keeps the rows of two windows that record at the same time', async () => {
    const [one, two] = [await open(), await open()];
    const ids = Array.from({ length: 20 }, (_, index) => index + 1);
    await Promise.all(ids.map((id) => (id % 2 ? one : two).download([served(id)])));
    assert.deepEqual(pick(await lock(), 'report_id'), ids);
  });
});
