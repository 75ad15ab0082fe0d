import assert from 'node:assert/strict';
import { syncBench } from '../support/syncBench.ts';
import { wireReport } from '../support/wireReports.ts';

describe('the watchlist', () => {
  it('refreshes the watchlist when the feed brings a company that was not known', async () => {
    const { service, engine, library, routes } = syncBench(8);
    await engine.sync();
    service.upsert(wireReport(400, 4));
    service.asked.length = 0;
    await engine.sync();
    assert.ok(routes().includes('watchlist'));
    assert.equal((await library.company(wireReport(400, 4).company_key))?.watched, true);
  });

  it('reads the companies alone, page by page, when they are wanted before a load', async () => {
    const { service, engine, library } = syncBench(60);
    await engine.loadWatchlist();
    const companies = new Set([...service.truth.values()].map((wire) => wire.company_key));
    assert.ok(companies.size > 2 * service.pageSize);
    for (const key of companies) assert.equal((await library.company(key))?.watched, true, key);
    assert.ok(service.asked.every(({ route, priority }) => route === 'watchlist' && priority === 'interactive'));
  });

  it('drops companies that have left the licence from the watchlist, and no others', async () => {
    const { service, engine, library } = syncBench(60);
    await engine.sync();
    const gone = wireReport(1, 4).company_key;
    for (const wire of [...service.truth.values()])
      if (wire.company_key === gone) service.removeSilently(wire.report_id);
    await engine.fullWalk();
    assert.notEqual((await library.company(gone))?.watched, true);
    const left = new Set([...service.truth.values()].map((wire) => wire.company_key));
    for (const key of left) assert.equal((await library.company(key))?.watched, true, key);
  });

  it('leaves the watchlist alone while the feed brings no new company', async () => {
    const { service, engine, library, routes } = syncBench(8);
    await engine.sync();
    service.upsert(wireReport(9, 4));
    service.change(3, { report_pages: 3 });
    assert.ok((await library.company(wireReport(9, 4).company_key)) !== null, 'a company that is known');
    service.asked.length = 0;
    assert.equal((await engine.sync()).added, 1);
    assert.ok(!routes().includes('watchlist'));
  });
});
