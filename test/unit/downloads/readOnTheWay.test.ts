import assert from 'node:assert/strict';
import { mkdir, readFile, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Report } from '../../../src/api/schemas/report.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { DownloadFolder } from '../../../src/downloads/folder.ts';
import { parseLock } from '../../../src/downloads/manifest.ts';
import { DownloadQueue } from '../../../src/downloads/queue.ts';
import {
  apiError,
  FakeClock,
  FakeSource,
  filesBelow,
  pdf,
  portsOf,
  report,
  reportOf,
  temporaryFolder,
} from './fixtures.ts';

describe('reports that are read on the way', function () {
  this.timeout(30_000);
  const home = temporaryFolder();
  let source: FakeSource;
  beforeEach(() => {
    source = new FakeSource();
  });

  async function open() {
    const clock = new FakeClock();
    const root = join(home.path, 'work');
    await mkdir(root, { recursive: true });
    const queue = new DownloadQueue(portsOf(source, { clock }));
    return new DownloadFolder({ root, folder: 'reports', queue, clock, logger: silentLogger });
  }
  function served(report_id: number, fields: Partial<Report> = {}, bytes = pdf(report_id)): Report {
    const made = reportOf(bytes, { report_id, ...fields });
    source.serve(report_id, bytes).tell(report_id, made);
    return made;
  }
  const lock = async () =>
    (await parseLock(await readFile(join(home.path, 'work/reports/reports.lock.json'), 'utf8'))).reports;
  const fileOf = ({ report_key }: Report) => join(home.path, 'work/reports/XDEM_ACME/2022', `${report_key}.pdf`);

  for (const fields of [{ requested_legacy_report_id: 2 }, {}] as const) {
    const told = 'requested_legacy_report_id' in fields ? 'that says so' : 'that nothing but the other id tells of';
    it(`after a merge ${told} has one file and one row`, async () => {
      const folder = await open();
      const ids = async () => (await lock()).map(({ report_id, path }) => [report_id, path]);
      const file = 'XDEM_ACME/2022/XDEM_ACME_2023_SR_2.pdf';
      await folder.download([served(2)]);
      const survivor = served(5, fields, pdf(5));
      source.tell(2, survivor);
      // Restored by its old id: the same bytes are not served any more.
      await unlink(fileOf(report({ report_id: 2 })));
      source.tell(2, reportOf(pdf(2), { report_id: 5, ...fields })).serve(5, pdf(2));
      assert.deepEqual(
        (await folder.restore()).map(({ report_id, status }) => [report_id, status]),
        [[2, 'downloaded']],
      );
      assert.deepEqual(await ids(), [[5, file]]);
      // Updated, then asked for by either id.
      source.tell(5, survivor).tell(2, survivor).serve(5, pdf(5));
      const { changed } = await folder.lookForUpdates();
      const updated = await folder.download(changed.map((one) => ({ id: one.row.report_id, report: one.report })));
      assert.deepEqual(
        updated.map(({ status }) => status),
        ['downloaded'],
      );
      assert.deepEqual((await folder.lookForUpdates()).changed, []);
      const again = await folder.download([{ id: 2 }, { id: 5 }, { id: 2 }]);
      assert.deepEqual(
        again.map(({ report_id, status }) => [report_id, status]),
        [
          [2, 'unchanged'],
          [5, 'unchanged'],
          [2, 'unchanged'],
        ],
      );
      assert.deepEqual(await ids(), [[5, file]]);
      const pdfs = (await filesBelow(join(home.path, 'work'))).filter((name) => name.endsWith('.pdf'));
      assert.deepEqual(pdfs, [`reports/${file}`]);
    });

    it(`after a merge of two that were both downloaded, ${told}, is not called changed, and loses the row of the retired id`, async () => {
      const folder = await open();
      await folder.download([served(2), served(5)]);
      source.tell(2, reportOf(pdf(5), { report_id: 5, ...fields }));
      const { changed, merged } = await folder.lookForUpdates();
      assert.deepEqual([changed.length, merged.length], [0, 1]);
      await folder.download(merged.map((one) => ({ id: one.row.report_id, report: one.report })));
      assert.deepEqual(
        (await lock()).map(({ report_id }) => report_id),
        [5],
      );
      assert.deepEqual((await folder.lookForUpdates()).changed, []);
    });
  }

  it('gives each of many its own result, in order, whatever becomes of the others', async () => {
    const folder = await open();
    for (const id of [1, 4]) served(id);
    source.tell(2, apiError('forbidden', 403)).tell(3, apiError('temporary', 503));
    const told: number[] = [];
    const wanted = [4, 2, 9, 3, 1].map((id) => ({ id }));
    const results = await folder.download(wanted, { onResult: ({ report_id }) => void told.push(report_id) });
    assert.deepEqual(
      results.map(({ report_id, status, cause }) => [report_id, status, cause]),
      [
        [4, 'downloaded', undefined],
        [2, 'not-entitled', 'forbidden'],
        [9, 'failed', 'withdrawn'],
        [3, 'failed', 'service'],
        [1, 'downloaded', undefined],
      ],
    );
    assert.ok(results.every(({ path, reason }) => (path === undefined) === (reason !== undefined)));
    assert.deepEqual(told.toSorted(), [1, 2, 3, 4, 9]);
    assert.deepEqual(
      (await lock()).map(({ report_id }) => report_id),
      [1, 4],
    );
  });

  it('downloads the first report while the others are still to be read', async () => {
    const folder = await open();
    const ids = Array.from({ length: 150 }, (_, index) => index + 1);
    for (const id of ids) served(id);
    // All but the first are told only once that one is here.
    const { promise: isHere, resolve } = Promise.withResolvers<void>();
    const read = source.report.bind(source);
    source.report = async (id) => {
      if (id !== 1) await isHere;
      return read(id);
    };
    const wanted = ids.map((id) => ({ id }));
    const results = await folder.download(wanted, { onResult: ({ report_id }) => report_id === 1 && resolve() });
    assert.ok(results.every(({ status }) => status === 'downloaded'));
  });

  it('reads no further once the key is refused or the service is away', async () => {
    for (const kind of ['unauthorized', 'network'] as const) {
      const folder = await open();
      const ids = Array.from({ length: 150 }, (_, index) => index + 1);
      for (const id of ids) source.tell(id, apiError(kind));
      source.reads.length = 0;
      const results = await folder.download(ids.map((id) => ({ id })));
      assert.ok(results.every(({ status, reason }) => status === 'failed' && reason?.includes(`Cause: ${kind}.`)));
      assert.ok(source.reads.length <= 8, `${source.reads.length} readings`);
    }
  });

  it('goes on when the answers about single reports arrive damaged', async () => {
    const folder = await open();
    const ids = Array.from({ length: 64 }, (_, index) => index + 1);
    for (const id of ids) served(id);
    const damaged = [5, 20, 21, 40, 60];
    for (const id of damaged) source.tell(id, apiError('network'));
    const results = await folder.download(ids.map((id) => ({ id })));
    const failed = results.filter(({ status }) => status !== 'downloaded');
    assert.deepEqual(
      failed.map(({ report_id }) => report_id),
      damaged,
    );
    const { current, notServed } = await folder.lookForUpdates();
    assert.equal(current.length, ids.length - damaged.length);
    assert.deepEqual(notServed, []);
    source.tell(1, apiError('network'));
    const again = await folder.lookForUpdates();
    assert.deepEqual(
      [again.notServed.map(({ row }) => row.report_id), again.current.length],
      [[1], current.length - 1],
    );
  });
});
