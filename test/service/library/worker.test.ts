import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Library } from '../../../src/library/library.ts';
import { openLibrary } from '../../../src/library/library.ts';
import type { LibraryChange } from '../../../src/library/libraryChange.ts';
import { LibraryError } from '../../../src/library/libraryError.ts';
import type { LibraryStatus } from '../../../src/library/store.ts';
import { SyncEngine } from '../../../src/library/sync/syncEngine.ts';
import { FakeService } from '../../unit/library/support/fakeService.ts';
import { ManualClock } from '../../unit/library/support/manualClock.ts';
import { temporaryDirectory } from '../../unit/library/support/stores.ts';
import { report, wireReport } from '../../unit/library/support/wireReports.ts';

const script = new URL('../../../src/library/worker.ts', import.meta.url);

function pageOf(count: number, from = 1): Uint8Array<ArrayBuffer> {
  const data = Array.from({ length: count }, (_, index) => wireReport(from + index));
  const text = JSON.stringify({ data, page_info: { count, has_more: false, next_cursor: null } });
  const bytes = new TextEncoder().encode(text);
  // A buffer of its own, as the network gives it.
  return new Uint8Array(bytes);
}

const take = (library: Pick<Library, 'takeReports'>, body: Uint8Array<ArrayBuffer>) =>
  library.takeReports({ incoming: { body, serverTime: null }, chain: null, generation: null });

/** The first value of an event that fits. */
function next<T>(
  event: (listener: (value: T) => void) => { dispose(): void },
  fits: (value: T) => boolean,
): Promise<T> {
  return new Promise((resolve) => {
    const subscription = event((value) => {
      if (!fits(value)) return;
      subscription.dispose();
      resolve(value);
    });
  });
}

describe('the library in its worker thread', function () {
  this.timeout(30_000);
  let directory: ReturnType<typeof temporaryDirectory>;
  let path: string;
  const open: Library[] = [];

  const openHere = (pollInterval = 0, worker = script): Library => {
    const library = openLibrary({ path, worker, pollInterval });
    open.push(library);
    return library;
  };

  beforeEach(() => {
    directory = temporaryDirectory();
    path = join(directory.path, 'library.db');
  });
  afterEach(async () => {
    for (const library of open.splice(0)) await library.dispose();
    directory.remove();
  });

  it('takes a page’s bytes and gives reports back', async () => {
    const library = openHere();
    const taken = await take(library, pageOf(100));
    assert.equal(taken.counts.added, 100);
    assert.deepEqual((await library.report(3))?.report, report(1));
    assert.equal((await library.reports({ text: 'report' }, { limit: 5 })).items.length, 5);
    const { counts } = await library.coverage();
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      100,
    );
  });

  it('opens nothing before it is asked, and tells how it opened', async () => {
    const library = openHere();
    const opened = next<LibraryStatus>(library.onDidOpen, () => true);
    assert.equal((await library.totals()).listed, 0);
    assert.equal((await opened).notice, null);
  });

  it('rejects with an error that a person understands', async () => {
    const library = openHere();
    const bytes = new TextEncoder().encode('<html>Blocked</html>');
    await assert.rejects(
      take(library, bytes),
      (error) =>
        error instanceof LibraryError && error.problem === 'unreadable-page' && !error.message.includes('html'),
    );
    await assert.rejects(
      library.updateSync({ cursor: 'x' }, 99),
      (error) => (error as LibraryError).problem === 'lease-lost',
    );
  });

  it('gives a call up when its signal aborts, and does not begin what waits', async () => {
    const library = openHere();
    await library.totals();
    const cancel = new AbortController();
    const calls = library.withSignal(cancel.signal);
    const bodies = Array.from({ length: 40 }, (_, part) => pageOf(200, (part + 1) * 1000));
    const waiting = bodies.map((bytes) => take(calls, bytes));
    cancel.abort(new Error('cancelled'));
    for (const call of waiting) await assert.rejects(call, /cancelled/);
    // A write that comes after those which waited. Some of them may have begun before the worker heard of it: how many
    // depends on what else the machine does.
    await library.markSeen();
    assert.ok((await library.totals()).listed < bodies.length * 200);
    await assert.rejects(calls.totals(), /cancelled/);
  });

  it('answers a reader before the pages that wait', async () => {
    const library = openHere();
    await library.totals();
    // The first page waits for this, and with it all others.
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    const order: string[] = [];
    const bodies = [1, 2, 3, 4].map((part) => pageOf(100, part * 1000));
    const pages = bodies.map((bytes) => take(library, bytes).then(() => order.push('page')));
    const read = library.totals().then(() => order.push('read'));
    other.exec('COMMIT');
    other.close();
    await Promise.all([...pages, read]);
    assert.ok(order.indexOf('read') <= 1, order.join());
  });

  it('tells its own window once what it changed', async () => {
    const library = openHere(20);
    await library.totals();
    const heard: LibraryChange[] = [];
    library.onDidChange((change) => heard.push(change));
    await take(library, pageOf(2));
    const other = openHere();
    const later = next<LibraryChange>(library.onDidChange, (change) => change.reports.includes(9 as never));
    await take(other, pageOf(1, 3));
    await later;
    assert.deepEqual(
      heard.map((change) => change.reports),
      [[3, 6], [9]],
    );
  });

  it('tells its own window that the news were seen', async () => {
    const library = openHere();
    await library.updateSync({ phase: 'following' }, await library.beginRun());
    await take(library, pageOf(2));
    const heard = next<LibraryChange>(library.onDidChange, ({ news, reports }) => news && reports.length === 0);
    await library.markSeen();
    assert.deepEqual((await heard).companies, []);
  });

  it('rejects what was under way when its thread dies, and starts another with the next call', async () => {
    const library = openHere(0, new URL('../../unit/library/support/dyingWorker.ts', import.meta.url));
    const stopped = (error: unknown) => error instanceof LibraryError && error.problem === 'worker-stopped';
    await Promise.all([assert.rejects(library.totals(), stopped), assert.rejects(library.syncRecord(), stopped)]);
    assert.equal((await library.totals()).listed, 0);
  });

  it('rejects calls after its end', async () => {
    const library = openHere();
    await library.totals();
    await library.dispose();
    await assert.rejects(library.totals(), (error) => (error as LibraryError).problem === 'worker-stopped');
  });

  it('carries a whole sync', async () => {
    const clock = new ManualClock();
    const service = new FakeService(clock, 60, 6);
    service.pageSize = 20;
    const library = openHere();
    const engine = new SyncEngine({
      ...{ library, path },
      source: service,
      requestsPerSecond: () => 8,
      fullWalkDays: () => 0,
      clock,
    });
    assert.equal((await engine.sync()).added, 60);
    service.withdraw(3);
    service.change(6, { report_pages: 1 });
    const outcome = await engine.sync();
    assert.deepEqual([outcome.changed, outcome.withdrawn], [1, 1]);
    for (const [id, given] of service.reportsNow) assert.deepEqual((await library.report(id))?.report, given);
    assert.equal((await library.totals()).listed, 59);
  });
});
