import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { LockRow } from '../../../src/downloads/manifest.ts';
import { DownloadQueue } from '../../../src/downloads/queue.ts';
import { lookForUpdates } from '../../../src/downloads/restore.ts';
import { apiError, FakeSource, pdf, pick, portsOf, put, report, reportOf, temporaryFolder } from './fixtures.ts';
import { lockRow, openFolder, putLock } from './folders.ts';

type LookOptions = NonNullable<Parameters<typeof lookForUpdates>[2]>;

function look(rows: readonly LockRow[], source: FakeSource, options: LookOptions = {}) {
  const batch = new DownloadQueue(portsOf(source)).begin(options.signal && { signal: options.signal });
  return lookForUpdates(rows, batch, options);
}

describe('a look for updates', () => {
  it('tells changed, current and no longer served reports apart, and asks for no link', async () => {
    const source = new FakeSource()
      .tell(1, reportOf(pdf(1), { report_id: 1 }))
      .tell(2, reportOf(pdf(22), { report_id: 2 }))
      .tell(3, apiError('forbidden', 403))
      .tell(5, report({ report_id: 5, has_file: false }))
      .tell(6, report({ report_id: 6, content_sha256: null }));
    const found = await look(
      [1, 2, 3, 4, 5, 6].map((id) => lockRow(id)),
      source,
    );
    assert.deepEqual(pick(found.current, 'report_id'), [1, 6]);
    assert.deepEqual(
      found.changed.map(({ report }) => report.report_id),
      [2],
    );
    assert.deepEqual(
      found.notServed.map(({ row, cause }) => [row.report_id, cause]),
      [
        [3, 'forbidden'],
        [4, 'withdrawn'],
        [5, 'no-file'],
      ],
    );
    assert.deepEqual(source.links, []);
    assert.deepEqual(source.reads.toSorted(), [1, 2, 3, 4, 5, 6]);
  });

  it('takes a hash published for a file that could not be verified as news', async () => {
    const source = new FakeSource();
    source.publish(1);
    const found = await look([lockRow(1, { verified: false })], source);
    assert.equal(found.changed.length, 1);
  });

  it('says that the service is away when no row of a short lock gets an answer', async () => {
    const source = new FakeSource().tell(1, apiError('network')).tell(2, apiError('network'));
    await assert.rejects(look([lockRow(1), lockRow(2)], source), /Cause: network/);
  });

  it('reads no further once the key is refused or the service is away', async () => {
    for (const kind of ['unauthorized', 'network'] as const) {
      const source = new FakeSource();
      const rows = Array.from({ length: 50 }, (_, index) => lockRow(index + 1));
      for (const { report_id } of rows) source.tell(report_id, apiError(kind));
      await assert.rejects(look(rows, source), new RegExp(`Cause: ${kind}`));
      assert.ok(source.reads.length <= 8, `${source.reads.length} readings`);
    }
  });

  it('stops when it is cancelled', async () => {
    const abort = new AbortController();
    const source = new FakeSource();
    const rows = Array.from({ length: 50 }, (_, index) => lockRow(index + 1));
    for (const { report_id } of rows) source.publish(report_id);
    const looking = look(rows, source, { signal: abort.signal, onProgress: () => abort.abort() });
    await assert.rejects(looking, { name: 'AbortError' });
    assert.ok(source.reads.length < 20, `${source.reads.length} readings`);
  });
});

describe('a restore', () => {
  const home = temporaryFolder();

  it('says what is in the way of a folder, for the same cause as a download', async () => {
    const source = new FakeSource();
    await put(join(home.path, 'reports/a'), 'a file');
    await putLock(home.path, lockRow(1, { path: 'a/1.pdf' }));
    const folder = openFolder(home.path, source);
    const [restored] = await folder.restore();
    const [downloaded] = await folder.download([source.publish(1)]);
    assert.deepEqual([restored?.status, restored?.cause], ['failed', 'disk']);
    assert.match(restored?.reason ?? '', /has the name of a folder/);
    assert.equal(restored?.cause, downloaded?.cause);
  });
});
