import assert from 'node:assert/strict';
import { allOf, bring, openInMemory } from './support/stores.ts';
import { report } from './support/wireReports.ts';

describe('reports by publication date (CNV-5)', () => {
  const dates = ['2024', null, '2024-05-31', '2023-12-31', '2024-05', '2025', '2024-11', null, '2024-05-31'];
  const newestFirst = [6, 7, 9, 3, 5, 1, 4, 8, 2].map((n) => 3 * n);
  const store = openInMemory();

  before(() => {
    bring(
      store,
      dates.map((report_pubdate_iso, index) => ({ ...report(index + 1, {}, 100), report_pubdate_iso })),
    );
  });
  after(() => store.close());

  it('come latest first, a month or a year alone behind the days in it, unknown dates last', () => {
    const { company_key } = report(1, {}, 100);
    for (const query of [{}, { text: company_key }, { company_key: [company_key] }, { state: 'all' }] as const) {
      const asked = { ...query, sort: 'published' } as const;
      assert.deepEqual(store.reportIds(asked), newestFirst, JSON.stringify(query));
      for (const limit of [1, 2, 4]) {
        const paged = allOf((after) => store.reports(asked, { after, limit })).map(({ report_id }) => report_id);
        assert.deepEqual(paged, newestFirst, JSON.stringify(query));
      }
    }
  });

  it('come so too when a word finds so many that sorting them would take long', function () {
    this.timeout(60_000);
    const many = openInMemory();
    const day = (n: number) =>
      `20${10 + (n % 15)}-${String(1 + (n % 12)).padStart(2, '0')}-${String(1 + (n % 28)).padStart(2, '0')}`;
    const all = Array.from({ length: 5_100 }, (_, n) => {
      const made = report(n + 1, {}, 100);
      return { ...made, report_pubdate_iso: day(n), metadata: { ...made.metadata, title: 'Common' } };
    });
    for (let at = 0; at < all.length; at += 500) bring(many, all.slice(at, at + 500));
    const fcyear = [all[0]?.report_fcyear as number];
    for (const query of [{}, { fcyear }, { state: 'all' }] as const) {
      const inOrder = many.reportIds({ ...query, sort: 'published' });
      assert.ok(inOrder.length > 100);
      assert.deepEqual(many.reportIds({ ...query, text: 'common', sort: 'published' }), inOrder, JSON.stringify(query));
    }
    many.close();
  });

  it('of a year are all found where a month of it, or another year, is asked for, too', () => {
    const ofYear = store.reportIds({ published: ['2024'] });
    assert.equal(ofYear.length, 5);
    for (const published of [
      ['2024', '2024-05'],
      ['2024-05', '2024'],
      ['2024-05', '2024', '2024'],
    ]) {
      assert.deepEqual(store.reportIds({ published }), ofYear);
      assert.equal(store.countReports({ published }), 5);
    }
    assert.equal(store.countReports({ published: ['2023', '2025', '2024-11'] }), 3);
    assert.equal(store.countReports({ published: ['2025', null] }), 3);
    assert.equal(store.countReports({ published: [] }), 0);
  });
});
