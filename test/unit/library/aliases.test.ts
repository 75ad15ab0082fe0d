import assert from 'node:assert/strict';
import type { Change, Report } from '../../../src/api/schemas/report.ts';
import type { LibraryStore } from '../../../src/library/sqlite/sqliteStore.ts';
import { allOf, bring, changeOf, feed, following, openInMemory, withdrawalOf } from './support/stores.ts';
import { report } from './support/wireReports.ts';

const upsert = (given: Report, report_id = given.report_id) => changeOf(given, { report_id });

describe('a report that was merged or renamed', () => {
  const [a, b, c] = [report(1), report(2), report(3)];
  let store: LibraryStore;
  let generation: number;

  const bringChanges = (...changes: Change[]) => feed(store, generation, changes);
  const leadsTo = (idOrKey: number | string) => {
    const found = store.report(idOrKey);
    return found && [found.report.report_id, found.state, found.askedFor];
  };

  beforeEach(() => {
    store = openInMemory();
    generation = following(store);
    bring(store, [a, b, c]);
  });
  afterEach(() => store.close());

  it('leads through several merges to the last', () => {
    bringChanges(upsert(b, a.report_id));
    bringChanges(upsert(c, b.report_id));
    for (const asked of [a.report_id, a.report_key, b.report_id, b.report_key]) {
      assert.deepEqual(leadsTo(asked), [c.report_id, 'listed', asked]);
    }
    const renamed = { ...a, report_id: 99, report_key: 'XTST_OTHER_2020_SR' };
    bring(store, [renamed]);
    bring(store, [{ ...renamed, report_key: 'XTST_LATER_2020_SR' }]);
    bringChanges(upsert(c, 99));
    assert.deepEqual(leadsTo('XTST_OTHER_2020_SR'), [c.report_id, 'listed', 'XTST_OTHER_2020_SR']);
  });

  it('comes to an end where merges lead in a circle', () => {
    bringChanges(upsert(b, a.report_id));
    bringChanges(upsert(a, b.report_id));
    assert.deepEqual(leadsTo(b.report_id), [a.report_id, 'listed', b.report_id]);
    assert.deepEqual(leadsTo(a.report_id), [a.report_id, 'listed', null]);
    bringChanges(withdrawalOf(a));
    assert.deepEqual(leadsTo(a.report_id)?.[1], 'withdrawn');
  });

  it('leads to the report that answers a request by the retired id, which need not say so', () => {
    store.applyReport(b, a.report_id);
    assert.deepEqual(leadsTo(a.report_id), [b.report_id, 'listed', a.report_id]);
    assert.equal(store.summaries([a.report_id])[0]?.state, 'withdrawn');
    assert.deepEqual(store.reportIds({}).sort(), [b.report_id, c.report_id].sort());
    const told = store.changes({ limit: 10 }).length;
    store.applyReport(b, a.report_id);
    assert.equal(store.changes({ limit: 10 }).length, told, 'logged once');
  });

  describe('whose PDF another report of its company publishes', () => {
    const twin = { ...b, company_key: a.company_key, content_sha256: ` ${a.content_sha256?.toUpperCase()}` };

    it('leads there from its withdrawal on, whichever the feed tells first', () => {
      for (const changes of [
        [withdrawalOf(a), upsert(twin)],
        [upsert(twin), withdrawalOf(a)],
      ]) {
        store.close();
        store = openInMemory();
        generation = following(store);
        bring(store, [a, b]);
        for (const change of changes) bringChanges(change);
        assert.deepEqual(leadsTo(a.report_id), [b.report_id, 'listed', a.report_id]);
      }
    });

    it('leads there when a full walk did not find it', () => {
      bring(store, [twin]);
      store.beginWalk({ walk: { kind: 'full', startedAt: 0, watchlist: true, unreadable: 0 } }, [{}], generation);
      bring(store, [twin, c]);
      store.sweep({ walk: null }, generation);
      assert.deepEqual(leadsTo(a.report_id), [b.report_id, 'listed', a.report_id]);
    });

    it('stays what it is while both are listed, or where the other is of another company', () => {
      bringChanges(upsert(twin));
      assert.deepEqual(leadsTo(a.report_id), [a.report_id, 'listed', null]);
      bringChanges(upsert({ ...twin, company_key: 'XOTH_OTHER' }), withdrawalOf(a));
      assert.deepEqual(leadsTo(a.report_id), [a.report_id, 'withdrawn', null]);
    });
  });
});

describe('What’s New', () => {
  it('names the key before and after a rename, whatever stands in it', () => {
    const store = openInMemory();
    following(store);
    const given = report(1);
    const odd = 'XTST_A B:C_2020_SR';
    bring(store, [given]);
    bring(store, [{ ...given, report_key: odd }]);
    bring(store, [{ ...given, report_key: odd, report_pages: 7 }]);
    const [pages, rename] = store.changes({ limit: 2 });
    assert.deepEqual([pages?.renamed, pages?.fields], [null, ['report_pages']]);
    assert.deepEqual(rename?.renamed, { from: given.report_key, to: odd });
    assert.deepEqual(rename?.fields, ['report_key']);
    assert.equal(store.report(given.report_key)?.report.report_id, given.report_id, 'the old key leads there');
    store.close();
  });

  it('is read on page by page, newest first, each once', () => {
    const store = openInMemory();
    following(store);
    for (let n = 1; n <= 20; n++) bring(store, [report(n)]);
    const pages = allOf((after) => {
      const items = store.changes({ before: after === undefined ? undefined : Number(after), limit: 7 });
      return { items: [items], next: items.length === 0 ? null : String(items.at(-1)?.seq) };
    });
    assert.deepEqual(
      pages.map(({ length }) => length),
      [7, 7, 6, 0],
    );
    const seqs = pages.flat().map(({ seq }) => seq);
    assert.deepEqual(
      seqs,
      [...new Set(seqs)].sort((a, b) => b - a),
    );
    store.close();
  });
});

describe('the words of a report', () => {
  it('are kept when a year out of all bounds is corrected to none', () => {
    const store = openInMemory();
    for (const odd of [1850, 1900, 3000]) {
      const given = { ...report(1), report_fcyear: odd, report_year: odd };
      bring(store, [given]);
      bring(store, [{ ...given, report_fcyear: null, report_year: 0 }]);
      assert.equal(store.countReports({ text: given.report_key }), 1, `${odd}`);
      bring(store, [given]);
      assert.equal(store.countReports({ text: given.report_key }), 1, `back to ${odd}`);
    }
    store.close();
  });

  it('lead to a key of any length', () => {
    const store = openInMemory();
    const long = `XTST_${'LONG'.repeat(150)}_2020_SR`;
    bring(store, [{ ...report(1), report_key: long }]);
    assert.equal(store.report(long)?.report.report_id, report(1).report_id);
    assert.equal(store.countReports({ text: long }), 1);
    store.close();
  });
});
