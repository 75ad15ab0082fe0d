import assert from 'node:assert/strict';
import type { LockRow } from '../../../src/downloads/manifest.ts';
import { DownloadQueue } from '../../../src/downloads/queue.ts';
import { lookForUpdates } from '../../../src/downloads/restore.ts';
import { apiError, FakeSource, pdf, portsOf, report, reportOf, sha256 } from './fixtures.ts';

function row(report_id: number, more: Partial<LockRow> = {}): LockRow {
  return {
    report_id,
    report_key: `XDEM_ACME_2023_SR_${report_id}`,
    company_key: 'XDEM_ACME',
    path: `${report_id}.pdf`,
    sha256: sha256(pdf(report_id)),
    bytes: 100_000,
    downloaded_at: '2026-01-02T03:04:05.000Z',
    schema_version: 'V3',
    ...more,
  };
}

type LookOptions = NonNullable<Parameters<typeof lookForUpdates>[2]>;

function look(rows: readonly LockRow[], source: FakeSource, options: LookOptions = {}) {
  const batch = new DownloadQueue(portsOf(source)).begin(options.signal && { signal: options.signal });
  return lookForUpdates(rows, batch, options);
}

const same = (report_id: number) => reportOf(pdf(report_id), { report_id });

describe('a look for updates', () => {
  it('tells changed, current and no longer served reports apart, and asks for no link', async () => {
    const source = new FakeSource()
      .tell(1, same(1))
      .tell(2, reportOf(pdf(22), { report_id: 2 }))
      .tell(3, apiError('forbidden', 403))
      .tell(5, report({ report_id: 5, has_file: false }))
      .tell(6, report({ report_id: 6, content_sha256: null }));
    const found = await look(
      [1, 2, 3, 4, 5, 6].map((id) => row(id)),
      source,
    );
    assert.deepEqual(
      found.current.map(({ report_id }) => report_id),
      [1, 6],
    );
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

  it('tells a merge without news apart, whatever its announcement says', async () => {
    for (const requested_legacy_report_id of [1, null]) {
      const survivor = (bytes: Buffer) => reportOf(bytes, { report_id: 9, requested_legacy_report_id });
      const source = new FakeSource().tell(1, survivor(pdf(1))).tell(2, survivor(pdf(1)));
      const found = await look([row(1), row(2)], source);
      assert.deepEqual(found.current, []);
      assert.deepEqual(
        [found.merged, found.changed].map((rows) => rows.map((one) => [one.row.report_id, one.report.report_id])),
        [[[1, 9]], [[2, 9]]],
      );
    }
  });

  it('takes a hash published for a file that could not be verified as news', async () => {
    const source = new FakeSource().tell(1, same(1));
    const found = await look([row(1, { verified: false })], source);
    assert.equal(found.changed.length, 1);
  });

  it('gives up at once when every further reading would fail alike', async () => {
    const source = new FakeSource();
    const rows = Array.from({ length: 50 }, (_, index) => row(index + 1));
    for (const { report_id } of rows) source.tell(report_id, apiError('unauthorized', 401));
    await assert.rejects(look(rows, source), /Cause: unauthorized/);
    assert.ok(source.reads.length <= 8, `${source.reads.length} readings`);
  });

  it('goes on when one reading fails', async () => {
    const source = new FakeSource().tell(1, apiError('temporary', 503)).tell(2, same(2));
    const found = await look([row(1), row(2)], source);
    assert.deepEqual([found.notServed[0]?.status, found.current.length], ['failed', 1]);
  });

  it('stops when it is cancelled', async () => {
    const abort = new AbortController();
    const source = new FakeSource();
    const rows = Array.from({ length: 50 }, (_, index) => row(index + 1));
    for (const { report_id } of rows) source.tell(report_id, same(report_id));
    const looking = look(rows, source, { signal: abort.signal, onProgress: () => abort.abort() });
    await assert.rejects(looking, { name: 'AbortError' });
    assert.ok(source.reads.length < 20, `${source.reads.length} readings`);
  });
});
