import assert from 'node:assert/strict';
import { companyOf } from '../../../../src/library/sqlite/companyTable.ts';
import type { LibraryStore } from '../../../../src/library/sqlite/sqliteStore.ts';
import { openInMemory } from '../support/stores.ts';
import { loadedBench, syncBench } from '../support/syncBench.ts';
import { report, wireReport } from '../support/wireReports.ts';

describe('the watchlist', () => {
  it('refreshes the watchlist when the feed brings a company that was not known', async () => {
    const { service, engine, library, routes } = await loadedBench(8);
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

  it('drops companies that have left the license from the watchlist, and no others', async () => {
    const { service, engine, library } = await loadedBench(60);
    const gone = wireReport(1, 4).company_key;
    for (const wire of [...service.truth.values()])
      if (wire.company_key === gone) service.removeSilently(wire.report_id);
    await engine.fullWalk();
    assert.notEqual((await library.company(gone))?.watched, true);
    const left = new Set([...service.truth.values()].map((wire) => wire.company_key));
    for (const key of left) assert.equal((await library.company(key))?.watched, true, key);
  });

  it('leaves the watchlist alone while the feed brings no new company', async () => {
    const { service, engine, library, routes } = await loadedBench(8);
    service.upsert(wireReport(9, 4));
    service.change(3, { report_pages: 3 });
    assert.ok((await library.company(wireReport(9, 4).company_key)) !== null, 'a company that is known');
    service.asked.length = 0;
    assert.equal((await engine.sync()).added, 1);
    assert.ok(!routes().includes('watchlist'));
  });

  describe('that is read twice at once', () => {
    const pageOf = (reading: number, keys: readonly string[], last: boolean) => ({
      ...{ reading, last },
      companies: keys.map((company_key) => ({ ...companyOf(report(1)), company_key, company_name: company_key })),
    });
    const watched = (store: LibraryStore) =>
      ['A', 'B', 'C'].filter((company_key) => store.company(company_key)?.watched).join('');

    it('keeps every company that either reading names, whichever ends first or not at all', () => {
      const store = openInMemory();
      const [one, two] = [store.beginWatchlist(), store.beginWatchlist()];
      store.applyWatchlist(pageOf(one, ['A', 'B'], false));
      store.applyWatchlist(pageOf(two, ['A'], false));
      store.applyWatchlist(pageOf(one, ['C'], true));
      assert.equal(watched(store), 'ABC', 'the second reading is not at its end');
      store.applyWatchlist(pageOf(two, ['B'], false));
      store.applyWatchlist(pageOf(two, ['C'], true));
      assert.equal(watched(store), 'ABC');
      store.applyWatchlist(pageOf(store.beginWatchlist(), ['A'], false));
      assert.equal(watched(store), 'ABC', 'a reading that ends early drops nothing');
      store.close();
    });

    it('believes the later reading, also when the earlier one ends last', () => {
      const store = openInMemory();
      store.applyWatchlist(pageOf(store.beginWatchlist(), ['A', 'B'], true));
      const [one, two] = [store.beginWatchlist(), store.beginWatchlist()];
      store.applyWatchlist(pageOf(one, ['A'], false));
      store.applyWatchlist(pageOf(two, ['A', 'C'], true));
      assert.equal(watched(store), 'AC');
      store.applyWatchlist(pageOf(one, ['B'], true));
      assert.equal(watched(store), 'AC');
      store.close();
    });
  });
});
