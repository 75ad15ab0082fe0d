import assert from 'node:assert/strict';
import { apiError, FakeSource, pick, temporaryFolder } from './fixtures.ts';
import { openFolder } from './folders.ts';

describe('reports that are read on the way', function () {
  this.timeout(30_000);
  const home = temporaryFolder();
  let source: FakeSource;
  beforeEach(() => {
    source = new FakeSource();
  });
  const open = () => openFolder(home.path, source);
  const idsTo = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

  it('gives each of many its own result, in order, whatever becomes of the others', async () => {
    const folder = open();
    for (const id of [1, 4]) source.publish(id);
    source.tell(2, apiError('forbidden', 403)).tell(3, apiError('temporary', 503));
    const told: number[] = [];
    const wanted = [4, 2, 9, 3, 1].map((id) => ({ id }));
    const results = await folder.download(wanted, { onResult: ({ report_id }) => void told.push(report_id) });
    assert.deepEqual(pick(results, 'report_id', 'status', 'cause'), [
      [4, 'downloaded', undefined],
      [2, 'not-entitled', 'forbidden'],
      [9, 'failed', 'withdrawn'],
      [3, 'failed', 'service'],
      [1, 'downloaded', undefined],
    ]);
    assert.ok(results.every(({ path, reason }) => (path === undefined) === (reason !== undefined)));
    assert.deepEqual(told.toSorted(), [1, 2, 3, 4, 9]);
    assert.deepEqual(pick(await folder.rows(), 'report_id'), [1, 4]);
  });

  it('downloads the first report while the others are still to be read', async () => {
    const folder = open();
    const ids = idsTo(150);
    for (const id of ids) source.publish(id);
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
      const folder = open();
      const ids = idsTo(150);
      for (const id of ids) source.tell(id, apiError(kind));
      source.reads.length = 0;
      const results = await folder.download(ids.map((id) => ({ id })));
      assert.ok(results.every(({ status, reason }) => status === 'failed' && reason?.includes(`Cause: ${kind}.`)));
      assert.ok(source.reads.length <= 8, `${source.reads.length} readings`);
    }
  });

  it('goes on when the answers about single reports arrive damaged', async () => {
    const folder = open();
    const ids = idsTo(64);
    for (const id of ids) source.publish(id);
    const damaged = [5, 20, 21, 40, 60];
    for (const id of damaged) source.tell(id, apiError('network'));
    const results = await folder.download(ids.map((id) => ({ id })));
    const failed = results.filter(({ status }) => status !== 'downloaded');
    assert.deepEqual(pick(failed, 'report_id'), damaged);
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
