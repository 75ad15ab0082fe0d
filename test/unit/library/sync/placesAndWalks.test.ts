import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/api/transport/errors.ts';
import { LibraryError } from '../../../../src/library/libraryError.ts';
import type { SyncProgress } from '../../../../src/library/sync/run.ts';
import { apiError } from '../support/fakeService.ts';
import { loadedBench, syncBench } from '../support/syncBench.ts';
import { wireReport } from '../support/wireReports.ts';

const day = 86_400_000;

describe('the place in the feed', () => {
  it('is the server’s clock before the walk, once no old place is taken; what happened meanwhile is read from there', async () => {
    const bench = await loadedBench(12);
    const { service, engine, library, clock } = bench;
    clock.advance(day);
    const walkFrom = clock.now();
    let refused = 0;
    service.before = ({ route, from, cursor }) => {
      if (route === 'changes' && from && !('since' in from && Date.parse(from.since) >= walkFrom)) {
        refused += 1;
        throw apiError('invalid');
      }
      if (route === 'reports' && cursor !== undefined && refused === 2) {
        refused += 1;
        service.change(3, { report_pages: 77 });
      }
    };
    await engine.sync();
    const { since, cursor, walkOwed } = await library.syncRecord();
    assert.equal(refused, 3);
    assert.ok(since !== null && Math.abs(Date.parse(since) - walkFrom) < 1000, `${since}`);
    assert.notEqual(cursor, null);
    assert.equal(walkOwed, false);
    await bench.isMirror();
    service.before = () => {};
    service.asked.length = 0;
    await engine.sync();
    assert.deepEqual(bench.routes(), ['changes'], 'nothing is walked again');
  });

  it('stays where it is during a walk that somebody asked for', async () => {
    const { service, engine, library } = await loadedBench(12);
    service.change(3, { report_pages: 2 });
    await engine.sync();
    const before = await library.syncRecord();
    await engine.fullWalk();
    const after = await library.syncRecord();
    assert.equal(after.since, before.since);
    assert.equal(after.cursor, before.cursor);
  });

  it('lies a day back when the service does not tell its time', async () => {
    const { service, engine, library, clock } = syncBench(12);
    service.tellsTime = false;
    const began = clock.now();
    await engine.sync();
    assert.equal((await library.syncRecord()).since, `${new Date(began - day).toISOString().slice(0, 19)}Z`);
  });

  it('is given up with an error by a feed that leads in a circle', async () => {
    const { service, engine } = await loadedBench(12);
    for (let id = 1; id <= 9; id += 1) service.change(id * 3, { report_pages: 7 });
    const cursors: string[] = [];
    service.spoil = (text, { route }) => {
      if (route !== 'changes') return text;
      const page = JSON.parse(text);
      cursors.push(page.page_info.next_cursor);
      page.page_info.has_more = true;
      if (cursors.length === 3) page.page_info.next_cursor = cursors[0];
      return JSON.stringify(page);
    };
    await assert.rejects(
      engine.sync(),
      (error) => error instanceof LibraryError && /repeated an earlier page/.test(error.message),
    );
    assert.ok(cursors.length === 3, `${cursors.length} requests`);
  });

  it('is given up with the refusal by a feed that refuses the cursors it has just given', async () => {
    const { service, engine } = await loadedBench(12);
    for (let id = 1; id <= 9; id += 1) service.change(id * 3, { report_pages: 7 });
    service.asked.length = 0;
    service.before = ({ route, from }) => {
      if (route === 'changes' && from && 'cursor' in from) throw apiError('invalid');
    };
    await assert.rejects(engine.sync(), ApiError);
    assert.equal(service.asked.filter(({ route }) => route === 'changes').length, 3);
  });
});

describe('a first load', () => {
  it('owes no walk when its parts prove it, and counts as one from its beginning', async () => {
    const { engine, library, clock, service } = syncBench(40);
    service.latency = 400;
    const began = clock.now();
    await engine.sync();
    const { walkedAt, walk } = await library.syncRecord();
    assert.equal(walk, null);
    assert.ok(walkedAt !== null && walkedAt >= began && walkedAt < began + 5000 && walkedAt < clock.now() - 1000);
  });

  it('is made in one part near the service, however long its requests wait for the permitted rate', async () => {
    const { service, engine, clock } = syncBench(40);
    service.before = () => clock.advance(2000);
    await engine.sync();
    const walks = service.asked.filter((asked) => asked.route === 'reports');
    assert.ok(walks.every(({ filter }) => filter?.fcyear === undefined));
  });

  it('reads the watchlist again when it goes on after an interruption that cut it short', async () => {
    const { service, engine, library } = syncBench(60);
    service.latency = 400;
    service.before = ({ route }) => {
      if (route === 'watchlist' && service.asked.filter((asked) => asked.route === 'watchlist').length === 2)
        throw apiError('network');
    };
    await assert.rejects(engine.sync(), ApiError);
    assert.equal((await library.syncRecord()).walk?.watchlist, false);
    service.before = () => {};
    await engine.sync();
    const companies = new Set([...service.truth.values()].map((wire) => wire.company_key));
    for (const key of companies) assert.equal((await library.company(key))?.watched, true, key);
  });

  it('has at most eight requests under way, and goes on with as many after an interruption', async () => {
    const { service, engine } = syncBench(200);
    service.latency = 400;
    let left = 20;
    service.before = ({ route }) => {
      if (route === 'reports' && left-- === 0) throw apiError('network');
    };
    await assert.rejects(engine.sync(), ApiError);
    service.before = () => {};
    service.maxUnderWay = 0;
    await engine.sync();
    assert.ok(service.maxUnderWay > 1 && service.maxUnderWay <= 8, `${service.maxUnderWay}`);
  });

  it('tells how far it is, and how far that goes once every part has said its size', async () => {
    const { service, engine, library } = syncBench(30);
    service.latency = 400;
    service.entitled = { fcyear_start: 2015, fcyear_end: 2024 };
    const seen: SyncProgress[] = [];
    engine.onDidProgress((progress) => seen.push(progress));
    await engine.sync();
    const { listed } = await library.totals();
    assert.ok(listed > 10);
    const loading = seen.filter(({ activity, years }) => activity === 'loading' && years > 0);
    const last = loading.at(-1);
    assert.deepEqual([last?.reports, last?.total, last?.yearsDone, last?.years], [listed, listed, 10, 10]);
    assert.equal(loading[0]?.total, null, 'unknown before every part has answered');
    for (const [index, { reports }] of loading.entries()) {
      const before = loading[index - 1];
      assert.ok(!before || reports >= before.reports, 'progress goes forward');
    }
    assert.ok(
      loading.some(({ yearsDone }) => yearsDone > 0 && yearsDone < 10),
      'years are told one after the other',
    );
    assert.equal(last?.secondsLeft, null, 'nothing is left');
  });

  it('tells about how long it still takes: by the license before the list has said its size, in a walk by what is held', async () => {
    const { service, engine } = syncBench(200);
    service.latency = 100;
    // 170 reports by the usual measure, rounded up to a page.
    service.entitled = { fcyear_start: 2015, fcyear_end: 2024, watchlist_size: 10 };
    const seen: SyncProgress[] = [];
    engine.onDidProgress((progress) => seen.push(progress));
    await engine.sync();
    const leftAt = (reports: number, activity: string) =>
      seen.find((progress) => progress.activity === activity && progress.reports === reports)?.secondsLeft;
    // Five reports in 100 ms, and the pages of the watchlist beside them.
    assert.deepEqual([leftAt(0, 'loading'), leftAt(5, 'loading'), leftAt(100, 'loading')], [null, 8, 3]);
    seen.length = 0;
    await engine.fullWalk();
    assert.deepEqual([leftAt(100, 'walking'), leftAt(200, 'walking')], [2, null]);
  });

  it('goes by the pace of this run alone when it goes on with an interrupted one, for the time that is left', async () => {
    const { service, engine, clock } = syncBench(30);
    service.spoil = (text, { route }) => (route === 'reports' ? text.replace(/"count":\d+/, '"count":30') : text);
    let pages = 0;
    service.before = ({ route }) => {
      if (route !== 'reports') return;
      clock.advance(2000);
      if (++pages === 4) throw new Error('gone');
    };
    await assert.rejects(engine.sync(), /gone/);
    const seen: SyncProgress[] = [];
    engine.onDidProgress((progress) => seen.push(progress));
    await engine.sync();
    const first = seen.find(({ activity, reports }) => activity === 'loading' && reports === 20);
    assert.equal(first?.secondsLeft, 4);
  });
});

describe('a company that is fetched early', () => {
  it('comes whole, page by page, and ends where its list leads back to itself', async () => {
    const { service, engine } = syncBench(40);
    service.pageSize = 1;
    const key = wireReport(1, 4).company_key;
    const theirs = [...service.truth.values()].filter((wire) => wire.company_key === key);
    assert.ok(theirs.length > 1);
    assert.equal((await engine.loadCompany(key)).added, theirs.length);
    assert.equal(service.asked.length, theirs.length);
    service.asked.length = 0;
    service.spoil = (text) => {
      const page = JSON.parse(text);
      page.page_info = { ...page.page_info, next_cursor: page.page_info.next_cursor ?? 'again', has_more: true };
      if (service.asked.length > 1) page.page_info.next_cursor = service.asked.at(-1)?.cursor;
      return JSON.stringify(page);
    };
    assert.equal((await engine.loadCompany(key)).unchanged, 2);
    assert.equal(service.asked.length, 2);
  });
});

describe('a full walk', () => {
  it('asks when a record that can not be told might be one of those it misses', async () => {
    const { service, engine, library } = await loadedBench(30);
    service.removeSilently(3);
    service.spoil = (text, { route }) =>
      route === 'reports' ? text.replace('"report_id":6,', '"report_id":"none",') : text;
    const outcome = await engine.fullWalk();
    assert.equal(outcome.question?.kind, 'unreadable-records');
    assert.equal(outcome.removed, 0);
    assert.equal((await library.totals()).listed, 30);
  });

  it('begins a part anew once after a refused cursor of an earlier run, and ends with the second refusal', async () => {
    const { service, engine } = await loadedBench(30);
    let left = 3;
    service.before = ({ route }) => {
      if (route === 'reports' && left-- === 0) throw apiError('network');
    };
    await assert.rejects(engine.fullWalk(), ApiError);
    service.asked.length = 0;
    service.before = ({ route, cursor }) => {
      if (route === 'reports' && cursor !== undefined) throw apiError('invalid');
    };
    await assert.rejects(engine.sync(), ApiError);
    assert.equal(service.asked.filter(({ route }) => route === 'reports').length, 3);
  });

  it('brings in companies that only a walk shows', async () => {
    const { service, engine, library } = await loadedBench(8);
    const wire = wireReport(400, 4);
    service.truth.set(wire.report_id, wire);
    await engine.fullWalk();
    assert.equal((await library.company(wire.company_key))?.watched, true);
  });
});
