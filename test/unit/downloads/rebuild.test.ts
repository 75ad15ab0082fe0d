import assert from 'node:assert/strict';
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { silentLogger } from '../../../src/base/logger.ts';
import { DownloadFolder } from '../../../src/downloads/folder.ts';
import type { ReportOfHash } from '../../../src/downloads/lockFile.ts';
import { DownloadQueue } from '../../../src/downloads/queue.ts';
import { FakeClock, FakeSource, pdf, portsOf, sha256, temporaryFolder } from './fixtures.ts';

describe('a lock that cannot be read', () => {
  const home = temporaryFolder();
  const file = (name: string) => join(home.path, 'reports', name);
  const open = () => {
    const clock = new FakeClock();
    const queue = new DownloadQueue(portsOf(new FakeSource(), { clock }));
    return new DownloadFolder({ root: home.path, folder: 'reports', queue, clock, logger: silentLogger });
  };
  const put = async (name: string, bytes: Uint8Array | string) => {
    await mkdir(dirname(file(name)), { recursive: true });
    await writeFile(file(name), bytes);
  };
  const published = (report_id: number, bytes: Buffer): ReportOfHash => {
    return { report_id, report_key: `KEY_${report_id}`, company_key: 'XDEM', sha256: sha256(bytes) };
  };

  it('is written anew from the PDFs that the service published, and kept beside it', async () => {
    await put('reports.lock.json', '<<<<<<< HEAD\n{}');
    await put('a/KEY_1.pdf', pdf(1));
    await put('a/KEY_3.pdf', pdf(2));
    await put('b/copy of KEY_3.pdf', pdf(2));
    await put('own.pdf', pdf(9));
    await symlink(file('own.pdf'), file('link.pdf'));
    const library = [published(1, pdf(1)), published(2, pdf(2)), published(3, pdf(2)), published(4, pdf(4))];
    const counts: (readonly number[])[] = [];
    const { rows, unknown } = await open().rebuild(async (hashes) => library.filter((one) => hashes.has(one.sha256)), {
      onProgress: (...count) => void counts.push(count),
    });
    const held = rows.map(({ report_id, path }) => [report_id, path]);
    assert.deepEqual(held, [
      [1, 'a/KEY_1.pdf'],
      [3, 'a/KEY_3.pdf'],
      [2, 'b/copy of KEY_3.pdf'],
    ]);
    assert.deepEqual(unknown, ['own.pdf']);
    assert.deepEqual(counts.at(-1), [4, 4]);
    assert.equal(await readFile(file('reports.lock.broken.json'), 'utf8'), '<<<<<<< HEAD\n{}');
    assert.deepEqual(
      (await open().rows()).map(({ report_id }) => report_id),
      [1, 2, 3],
    );
    assert.deepEqual(await open().unlisted(), ['own.pdf']);
  });

  it('stays as it is when the rebuilding is cancelled', async () => {
    await put('reports.lock.json', 'nonsense');
    await put('a.pdf', pdf(1));
    const abort = new AbortController();
    const find = async () => {
      abort.abort();
      return [published(1, pdf(1))];
    };
    await assert.rejects(open().rebuild(find, { signal: abort.signal }), { name: 'AbortError' });
    assert.equal(await readFile(file('reports.lock.json'), 'utf8'), 'nonsense');
  });
});
