import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { silentLogger } from '../../../src/base/logger.ts';
import { memoryState } from '../../../src/base/sharedState.ts';
import type { DownloadFolderOptions } from '../../../src/downloads/folder.ts';
import { type PendingBatch, PendingBatches } from '../../../src/downloads/pendingBatches.ts';
import { DownloadQueue } from '../../../src/downloads/queue.ts';
import { leases } from '../../../src/machine/lease.ts';
import { FakeClock as StillClock } from '../../support/fakeClock.ts';
import { body, FakeClock, FakeSource, pdf, pick, portsOf, put, reportOf, temporaryFolder } from './fixtures.ts';
import { openFolder } from './folders.ts';

describe('batches that have not ended', function () {
  this.timeout(10_000);
  const home = temporaryFolder();
  let clock: FakeClock;
  /** Never moves on: a renewal would take back a lease that a test ends. */
  let leaseClock: StillClock;
  let held: Map<string, unknown>;
  let pending: PendingBatches;
  /** What another window has, with leases that it shares with this one. */
  const window = (logger = silentLogger) =>
    new PendingBatches(directory(), clock, logger, leases(memoryState(held), leaseClock));
  const directory = () => join(home.path, 'pending');
  beforeEach(() => {
    clock = new FakeClock();
    leaseClock = new StillClock();
    held = new Map();
    pending = window();
  });

  const batch = { connection: 'c1', root: '/work', exactly: false, resumed: 0, reportIds: [1, 2, 3] };
  const file = () => join(directory(), 'batches.json');
  const all = async (): Promise<PendingBatch[]> => JSON.parse(await readFile(file(), 'utf8'));
  const written = async () => (await all())[0] ?? assert.fail('no batch');
  /** Ends the processes of all remembered batches. */
  const orphan = () => held.clear();

  it('are remembered until they end, with what is still to come, and nothing else', async () => {
    const forget = await pending.begin(batch);
    const { id, ...rest } = await written();
    assert.deepEqual(rest, { ...batch, begunAt: clock.now() });
    assert.deepEqual([(await all()).length, (await pending.left()).length, id.length], [1, 0, 36]);
    await forget();
    assert.deepEqual(await all(), []);
  });

  it('are nobody else’s while their process runs, and left once it is gone', async () => {
    const forget = await pending.begin(batch);
    assert.deepEqual([await pending.left(), await pending.othersRun()], [[], false]);
    pending.dispose();
    await forget();
    orphan();
    const [left] = await pending.left();
    assert.deepEqual(left?.reportIds, [1, 2, 3]);
    await pending.forget(left?.id ?? '');
    assert.deepEqual(await pending.left(), []);
  });

  it('keep their file when they are taken up again', async () => {
    await pending.begin(batch);
    orphan();
    const [left] = await pending.left();
    assert.ok(left);
    const forget = await pending.begin({ ...left, resumed: 1 }, left.id);
    assert.deepEqual((await all()).length, 1);
    assert.deepEqual([(await written()).resumed, await pending.left()], [1, []]);
    await forget();
    assert.deepEqual(await all(), []);
  });

  it('are taken up the oldest first, and not while another process has them', async () => {
    const ids = ['0', '7', 'f'].map((digit) => digit.repeat(36));
    for (const id of ids) {
      clock.time -= 1000;
      await window().begin(batch, id);
    }
    orphan();
    const left = async () => pick(await pending.left(), 'id');
    assert.deepEqual(await left(), ids.toReversed());
    assert.equal(await pending.othersRun(), false);
    await window().begin(batch, ids[1]);
    assert.deepEqual(await left(), [ids[2], ids[0]]);
    assert.equal(await pending.othersRun(), true);
  });

  it('are forgotten after a month', async () => {
    await pending.begin(batch);
    orphan();
    clock.time += 30 * 24 * 3600 * 1000;
    assert.equal((await pending.left()).length, 1);
    clock.time += 1;
    assert.deepEqual(await pending.left(), []);
    assert.deepEqual(await all(), []);
  });

  it('are not read from what is no batch, and a disk that refuses costs the memory alone', async () => {
    const warnings: string[] = [];
    const logger = { ...silentLogger, warn: (words: string) => void warnings.push(words) };
    const watched = window(logger);
    assert.deepEqual([await watched.left(), warnings], [[], []]);
    await mkdir(directory());
    for (const text of ['[{"id":"x","reportIds":["a"]}]', 'not json', '{}']) {
      await writeFile(file(), text);
      assert.deepEqual(await watched.left(), []);
    }
    await (await watched.begin(batch))();
    assert.deepEqual([await all(), warnings], [[], []]);
    const nowhere = new PendingBatches(join(file(), 'z'), clock, logger);
    await (await nowhere.begin(batch))();
    assert.deepEqual(await nowhere.left(), []);
    assert.match(warnings[0] ?? '', /could not be noted: ENOTDIR|EEXIST/);
  });

  describe('of a folder', () => {
    const remembers = async (source: FakeSource, more: Partial<DownloadFolderOptions> = {}) => {
      const root = join(home.path, 'work');
      await mkdir(root, { recursive: true });
      const remember: DownloadFolderOptions['remember'] = (begun, id) =>
        pending.begin({ ...begun, connection: 'c1' }, id);
      return openFolder(root, source, { clock, remember, ...more });
    };
    const report = (report_id: number) => reportOf(pdf(report_id), { report_id });

    it('are remembered before the first link, and forgotten in the end, cancelled or not', async () => {
      const source = new FakeSource().serve(1, pdf(1)).serve(2, body(['stall']));
      const folder = await remembers(source);
      const abort = new AbortController();
      const seen: number[][] = [];
      const link = source.downloadLink.bind(source);
      source.downloadLink = async (id, options) => {
        seen.push([...(await written()).reportIds]);
        return link(id, options);
      };
      const results = await folder.download([report(1), report(2)], {
        signal: abort.signal,
        onResult: ({ report_id }) => report_id === 1 && abort.abort(),
      });
      assert.deepEqual(pick(results, 'status'), ['downloaded', 'cancelled']);
      assert.deepEqual(seen[0], [1, 2]);
      assert.deepEqual(await all(), []);
    });

    it('are cut off by the end of their window without another link, and remembered in full', async () => {
      const source = new FakeSource();
      const stalled = body(['stall']);
      for (const id of [1, 2, 3]) source.serve(id, stalled, pdf(id));
      const queue = new DownloadQueue(portsOf(source, { clock }), 1);
      const folder = await remembers(source, { queue });
      const running = folder.download([report(1), report(2), report(3)]);
      while (source.opened.length === 0) await setImmediate();
      // Long enough for each ending to be written.
      clock.time += 2000;
      pending.dispose();
      queue.dispose();
      // A closed client destroys its streams, which gives the queued jobs their turn.
      stalled.body.destroy(new DOMException('The client was closed.', 'AbortError'));
      const results = await running;
      assert.deepEqual(pick(results, 'status'), ['cancelled', 'cancelled', 'cancelled']);
      assert.equal(source.links.length, 1);
      assert.deepEqual((await written()).reportIds, [1, 2, 3]);
      assert.equal((await pending.left()).length, 1);
    });

    it('name each report to the end, since a saved PDF may lack its row when the process ends', async () => {
      const source = new FakeSource().serve(1, pdf(1)).serve(2, pdf(2));
      const folder = await remembers(source, { queue: new DownloadQueue(portsOf(source, { clock }), 1) });
      const link = source.downloadLink.bind(source);
      let seen: readonly number[] = [];
      source.downloadLink = async (id, options) => {
        if (id === 2) seen = (await written()).reportIds;
        return link(id, options);
      };
      const onResult = () => {
        clock.time += 2000;
      };
      await folder.download([report(1), report(2)], { onResult });
      assert.deepEqual(seen, [1, 2]);
      assert.equal((await folder.rows()).length, 2);
    });

    it('are remembered with how often they were taken up again, and not at all when nothing is wanted', async () => {
      const source = Object.assign(new FakeSource().serve(1, pdf(1)), { connection: 'c1' });
      const root = join(home.path, 'work');
      const told: unknown[] = [];
      const remember: DownloadFolderOptions['remember'] = async (begun, id) => {
        told.push([begun, id]);
        return pending.begin(begun, id);
      };
      const folder = await remembers(source, { source, remember });
      await folder.download([]);
      await folder.restore();
      await folder.download([report(1)]);
      await pending.begin({ ...batch, root });
      orphan();
      const [left] = await pending.left();
      assert.ok(left);
      await folder.restore({ goesOnWith: { ...left, resumed: 2 } });
      assert.deepEqual(told, [
        [{ root, exactly: false, reportIds: [1], resumed: 0, connection: 'c1' }, undefined],
        [{ root, exactly: true, reportIds: [1], resumed: 3, connection: 'c1' }, left.id],
      ]);
    });

    it('are forgotten also when the lock could not be written in the end', async () => {
      const source = new FakeSource().serve(1, pdf(1));
      const folder = await remembers(source);
      const link = source.downloadLink.bind(source);
      source.downloadLink = async (id, options) => {
        await put(join(home.path, 'work/reports/reports.lock.json'), 'nonsense');
        return link(id, options);
      };
      await assert.rejects(folder.download([report(1)]), { name: 'LockProblem' });
      assert.deepEqual(await all(), []);
    });

    it('come to their end after a crash, at the cost of the missing files alone', async () => {
      const source = new FakeSource();
      for (const id of [1, 2, 3]) source.serve(id, pdf(id));
      const folder = await remembers(source);
      await folder.download([report(1)]);
      await pending.begin({ ...batch, root: join(home.path, 'work') });
      orphan();
      const [left] = await pending.left();
      assert.ok(left);
      const results = await folder.download([1, 2, 3].map(report), { goesOnWith: left });
      assert.deepEqual(pick(results, 'status'), ['unchanged', 'downloaded', 'downloaded']);
      assert.deepEqual(source.links.toSorted(), [1, 2, 3]);
      assert.deepEqual(await all(), []);
    });
  });
});
