import assert from 'node:assert/strict';
import type { ReportQuery } from '../../../src/library/reportQuery.ts';
import { bring, openInMemory } from './support/stores.ts';
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

  /** All ids, in pages of so many. */
  function pagesOf(query: ReportQuery, limit: number): number[] {
    const ids: number[] = [];
    for (let after: string | undefined; ; ) {
      const { items, next } = store.reports(query, { after, limit });
      ids.push(...items.map(({ report_id }) => report_id));
      if (next === null) return ids;
      after = next;
    }
  }

  it('come latest first, a month or a year alone behind the days in it, unknown dates last', () => {
    const { company_key } = report(1, {}, 100);
    for (const query of [{}, { text: company_key }, { company_key: [company_key] }, { state: 'all' }] as const) {
      const asked = { ...query, sort: 'published' } as const;
      assert.deepEqual(store.reportIds(asked), newestFirst, JSON.stringify(query));
      for (const limit of [1, 2, 4]) assert.deepEqual(pagesOf(asked, limit), newestFirst, JSON.stringify(query));
    }
  });

  it('are the same reports as in the usual order', () => {
    assert.deepEqual(new Set(pagesOf({}, 2)), new Set(newestFirst));
    assert.notDeepEqual(pagesOf({}, 2), newestFirst);
  });
});
