import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { ApiError } from '../../../../src/api/transport/errors.ts';
import type { Library } from '../../../../src/library/library.ts';
import { SyncEngine } from '../../../../src/library/sync/syncEngine.ts';
import { apiError, type FakeService } from '../support/fakeService.ts';
import { localLibrary } from '../support/localLibrary.ts';
import type { ManualClock } from '../support/manualClock.ts';
import { openFile, temporaryDirectory } from '../support/stores.ts';
import { type Bench, syncBench } from '../support/syncBench.ts';
import { wireReport } from '../support/wireReports.ts';

describe('the sync', function () {
  this.timeout(30_000);
  let clock: ManualClock;
  let service: FakeService;
  let library: Library;
  let engine: SyncEngine;

  let routes: Bench['routes'];
  let isMirror: Bench['isMirror'];
  let leases: Bench['leases'];
  let takeOver: Bench['takeOver'];

  const start = (reports: number, days = 0) => {
    ({ clock, service, library, engine, routes, isMirror, leases, takeOver } = syncBench(reports, days));
  };

  /** Starts, and syncs once. */
  const load = async (reports: number, days = 0) => {
    start(reports, days);
    await engine.sync();
  };

  it('loads all there is near the service with one chain, then reads the feed', async () => {
    start(23);
    const outcome = await engine.sync();
    assert.equal(outcome.added, 23);
    assert.equal(outcome.ran, true);
    await isMirror();
    assert.deepEqual(
      routes().filter((route) => route !== 'watchlist'),
      ['entitlements', ...Array(5).fill('reports'), 'changes'],
    );
    assert.ok(service.asked.every((asked) => asked.priority === 'background'));
    assert.equal((await library.syncRecord()).phase, 'following');
  });

  it('starts the feed at the server’s clock before the first list was asked for', async () => {
    start(10);
    let firstList = 0;
    service.before = ({ route }) => {
      if (route === 'reports' && firstList === 0) {
        firstList = clock.now();
        service.change(3, { report_pages: 1 });
      }
    };
    await engine.sync();
    const feed = service.asked.find((asked) => asked.route === 'changes');
    assert.ok(feed?.from && 'since' in feed.from && Date.parse(feed.from.since) <= firstList);
    await isMirror();
  });

  it('asks exactly once when nothing is new, with the cursor alone', async () => {
    await load(10);
    service.asked.length = 0;
    const outcome = await engine.sync();
    assert.deepEqual(routes(), ['changes']);
    assert.ok(service.asked[0]?.from && 'cursor' in service.asked[0].from);
    assert.deepEqual([outcome.added, outcome.changed, outcome.withdrawn], [0, 0, 0]);
  });

  for (const [license, entitled, far] of [
    ['a closed window', {}, true],
    ['an open-ended window', { fcyear_end: null }, true],
    ['a full-access key', { full_access: true }, true],
    ['a window that is near', { fcyear_end: null }, false],
  ] as const) {
    it(`asks for no page twice and misses nothing: ${license}`, async () => {
      start(40);
      service.latency = far ? 400 : 2;
      service.entitled = entitled;
      if ('full_access' in entitled) service.upsert(wireReport(41, 4, { report_year: 0, report_fcyear: null }));
      if (!('fcyear_end' in entitled)) service.entitled = { ...entitled, fcyear_end: 2040 };
      else service.upsert(wireReport(42, 4, { report_fcyear: 2099 }));
      await engine.sync();
      await isMirror();
      const pages = service.asked.filter(({ route }) => route === 'reports');
      const asked = pages.map(({ filter, cursor }) => JSON.stringify([filter, cursor]));
      assert.equal(new Set(asked).size, asked.length);
      const parts = new Set(pages.map(({ filter }) => JSON.stringify(filter)));
      assert.equal(parts.size > 1, far && !('full_access' in entitled));
      // Each part ends with a page that is not full; one part is as many pages as the list has.
      const { size } = service.truth;
      const fewest = Math.ceil(size / service.pageSize);
      assert.ok(pages.length <= fewest + parts.size - (parts.size === 1 ? 1 : 0), `${pages.length} pages`);
      const companies = new Set([...service.truth.values()].map((wire) => wire.company_key)).size;
      const others = service.asked.length - pages.length - Math.ceil(companies / service.pageSize);
      assert.ok(others <= 6, `${others} other requests`);
      assert.equal(routes().filter((route) => route === 'entitlements').length, 1);
      assert.equal((await library.syncRecord()).walkOwed, false);
      assert.deepEqual(await library.changes({ limit: 10 }), [], 'what belongs to the first load is no news');
    });
  }

  it('reads the watchlist once where it was read before the load began', async () => {
    start(40);
    await engine.loadWatchlist();
    service.change(3, { report_pages: 7 });
    await engine.sync();
    await isMirror();
    const companies = new Set([...service.truth.values()].map((wire) => wire.company_key)).size;
    assert.equal(routes().filter((route) => route === 'watchlist').length, Math.ceil(companies / service.pageSize));
  });

  it('goes on with an interrupted load where it stopped', async () => {
    start(30);
    let left = 3;
    service.before = ({ route }) => {
      if (route === 'reports' && left-- === 0) throw apiError('network');
    };
    await assert.rejects(engine.sync(), ApiError);
    assert.equal((await library.totals()).listed, 15);
    service.asked.length = 0;
    const outcome = await engine.sync();
    assert.equal(outcome.added, 15);
    assert.deepEqual(routes(), ['reports', 'reports', 'reports', 'changes']);
    await isMirror();
  });

  it('counts a company that was fetched early toward the load', async () => {
    start(20);
    const key = wireReport(1, 4).company_key;
    const early = await engine.loadCompany(key);
    assert.equal(early.added, 3);
    assert.equal(service.asked[0]?.priority, 'interactive');
    assert.equal((await engine.sync()).added, 17);
    await isMirror();
  });

  it('goes back an hour, then walks, when its cursor is refused', async () => {
    await load(12);
    service.change(3, { report_pages: 1 });
    await engine.sync();
    service.removeSilently(6);
    service.change(9, { report_pages: 2 });
    service.epoch++;
    service.asked.length = 0;
    const outcome = await engine.sync();
    const starts = service.asked.filter((asked) => asked.route === 'changes').map((asked) => asked.from);
    assert.ok(starts[0] && 'cursor' in starts[0]);
    assert.ok(starts[1] && 'since' in starts[1]);
    assert.equal(outcome.removed, 1);
    await isMirror();
  });

  it('removes what a full walk no longer finds, and nothing that it finds changed', async () => {
    await load(30);
    service.removeSilently(3);
    const outcome = await engine.fullWalk();
    assert.equal(outcome.removed, 1);
    assert.equal(outcome.question, null);
    assert.equal((await library.report(3))?.state, 'removed');
    await isMirror();
  });

  it('asks before it removes more than a tenth, and does as it is told', async () => {
    await load(30);
    for (const id of [3, 6, 9, 12]) service.removeSilently(id);
    const outcome = await engine.fullWalk();
    assert.equal(outcome.removed, 0);
    assert.deepEqual(
      [outcome.question?.kind, outcome.question?.missing, outcome.question?.held],
      ['many-missing', 4, 30],
    );
    assert.equal((await library.totals()).listed, 30);
    // A report that comes while the question waits is not among the missing.
    service.upsert(wireReport(31, 4));
    await engine.sync();
    assert.equal((await engine.answer('remove')).removed, 4);
    assert.equal((await library.syncRecord()).question, null);
    await isMirror();
  });

  it('keeps all when told to', async () => {
    await load(30);
    for (const id of [3, 6, 9, 12]) service.removeSilently(id);
    await engine.fullWalk();
    assert.equal((await engine.answer('keep')).removed, 0);
    assert.equal((await library.totals()).listed, 30);
    assert.equal((await library.syncRecord()).question, null);
  });

  it('removes nothing after a walk that was cut', async () => {
    await load(30);
    service.removeSilently(3);
    let pages = 0;
    service.spoil = (text, { route }) => (route === 'reports' && ++pages === 3 ? text.slice(0, 100) : text);
    const outcome = await engine.fullWalk();
    assert.equal(outcome.question?.kind, 'walk-cut');
    assert.equal((await engine.answer('remove')).removed, 0);
    assert.equal((await library.report(3))?.state, 'listed');
    service.spoil = (text) => text;
    assert.equal((await engine.fullWalk()).removed, 1);
  });

  it('ends a walk that leads in circles', async () => {
    await load(30);
    let first = '';
    service.spoil = (text, { route, cursor }) => {
      if (route !== 'reports') return text;
      const page = JSON.parse(text);
      if (cursor === undefined) first = page.page_info.next_cursor;
      else page.page_info.next_cursor = first;
      return JSON.stringify(page);
    };
    assert.equal((await engine.fullWalk()).question?.kind, 'walk-cut');
    assert.equal((await library.totals()).listed, 30);
  });

  it('goes on with an interrupted walk', async () => {
    await load(30);
    service.removeSilently(3);
    let left = 4;
    service.before = ({ route }) => {
      if (route === 'reports' && left-- === 0) throw apiError('temporary');
    };
    await assert.rejects(engine.fullWalk());
    service.asked.length = 0;
    const outcome = await engine.sync();
    assert.equal(outcome.removed, 1);
    assert.deepEqual(routes(), ['changes', 'reports', 'reports']);
  });

  it('sets unreadable records aside and does not sweep what they may be', async () => {
    await load(30);
    service.spoil = (text, { route }) =>
      route === 'reports' ? text.replace('"report_key":"', '"report_key_":"') : text;
    const outcome = await engine.fullWalk();
    assert.equal(outcome.removed, 0);
    assert.equal(outcome.question, null);
    assert.ok((await library.totals()).quarantined > 0);
    service.spoil = (text) => text;
    await engine.fullWalk();
    assert.equal((await library.totals()).quarantined, 0);
  });

  it('walks by itself once the days are over', async () => {
    await load(20, 7);
    service.asked.length = 0;
    clock.advance(7 * 86_400_000);
    await engine.sync();
    assert.ok(routes().includes('reports'));
    service.asked.length = 0;
    await engine.sync();
    assert.deepEqual(routes(), ['changes']);
  });

  it('stops at once when cancelled, keeps what it has, and frees the lease', async () => {
    start(30);
    const cancel = new AbortController();
    service.before = ({ route, cursor }) => {
      if (route === 'reports' && cursor !== undefined) cancel.abort(new Error('cancelled'));
    };
    await assert.rejects(engine.sync({ signal: cancel.signal }), /cancelled/);
    assert.equal((await library.totals()).listed, 5);
    assert.equal(await leases.isLeased('sync here'), false);
  });

  it('leaves the work to the window that syncs', async () => {
    start(10);
    const outcome = await leases.lease('sync here', () => engine.sync());
    assert.equal(outcome.ran, false);
    assert.deepEqual(service.asked, []);
  });

  it('stops without a problem when another window has taken over: that one goes on', async () => {
    start(30);
    let asked = 0;
    service.before = ({ route }) => {
      if (route === 'reports' && ++asked === 2) void takeOver();
    };
    const { ran, added } = await engine.sync();
    assert.deepEqual([ran, added, (await library.totals()).listed], [false, 5, 5]);
    assert.equal(await leases.isLeased('sync here'), true, 'that window has its lease still');
  });

  it('goes on when the library is busy while its lease is renewed', async () => {
    start(30);
    const directory = temporaryDirectory();
    const path = join(directory.path, 'library.db');
    const own = localLibrary(openFile(path, () => clock.now()));
    const another = new DatabaseSync(path);
    const changesPage = service.changesPage.bind(service);
    service.changesPage = async (...asked) => {
      another.exec('BEGIN IMMEDIATE');
      clock.advance(25_000);
      await new Promise((resolve) => setImmediate(resolve));
      another.exec('ROLLBACK');
      return changesPage(...asked);
    };
    const options = { requestsPerSecond: () => 8, fullWalkDays: () => 0 };
    const syncing = new SyncEngine({ ...{ library: own, path, leases, source: service, clock }, ...options });
    assert.equal((await syncing.sync()).added, 30);
    another.close();
    await own.dispose();
    directory.remove();
  });

  it('runs one at a time, each call with a run of its own', async () => {
    start(10);
    const [first, second] = await Promise.all([engine.sync(), engine.sync()]);
    assert.equal(first.added, 10);
    assert.equal(second.added, 0);
    assert.equal(routes().filter((route) => route === 'changes').length, 2);
  });
});
