import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fiscalYearOf } from '../../../../src/api/schemas/fields.ts';
import type { ReportQuery } from '../../../../src/library/reportQuery.ts';
import type { LibraryStore } from '../../../../src/library/sqlite/sqliteStore.ts';
import { allOf } from '../support/stores.ts';
import { found, gone, queries, reports, storeOfReports } from '../support/variedReports.ts';

describe(`questions about reports`, function () {
  this.timeout(20_000);
  let store: LibraryStore;
  before(() => {
    store = storeOfReports();
  });
  after(() => store.close());

  const expected = (query: ReportQuery) =>
    found(query)
      .sort((a, b) => b.fy - a.fy || b.report.report_id - a.report.report_id)
      .map(({ report }) => report.report_id);

  it('answers every filter as its meaning says, newest first', () => {
    fc.assert(
      fc.property(queries, (query) => {
        const ids = expected(query);
        assert.deepEqual(store.reportIds(query), ids);
        assert.equal(store.countReports(query), ids.length);
      }),
      { numRuns: 300 },
    );
  });

  it('pages through any answer without a gap or a repetition', () => {
    fc.assert(
      fc.property(queries, fc.integer({ min: 1, max: 40 }), (query, limit) => {
        const paged = allOf((after) => store.reports(query, { limit, after }));
        assert.deepEqual(
          paged.map(({ report_id }) => report_id),
          expected(query),
        );
      }),
      { numRuns: 60 },
    );
  });

  it('takes in what an old two-year string files under the year before, when its period ends in the year (FY-3)', () => {
    const ends = (period_end_date: string | null) =>
      reports.filter(
        (given) =>
          given.report_fcyear === '2018/2019' &&
          given.period_end_date === period_end_date &&
          !gone.has(given.report_id),
      ).length;
    assert.ok(ends('2019-03-31') > 0 && ends('2018-12-31') > 0);
    const count = (query: ReportQuery) => store.countReports(query);
    const without = count({ fcyear: [2019] });
    assert.equal(count({ fcyear: [2019], fcyear_split: [2019] }), without + ends('2019-03-31'));
    assert.equal(count({ fcyear: [2019, 2018], fcyear_split: [2019] }), count({ fcyear: [2019, 2018] }));
    assert.equal(count({ fcyear: [], fcyear_split: [2019], text: 'sust' }) > 0, true);
  });

  it('shows in a list what the report says', () => {
    const [item] = store.reports({ text: 'angstrom' }, { limit: 1 }).items;
    const given = reports.find((report) => report.report_id === item?.report_id);
    assert.equal(item?.title, 'Überblick — Ångström’s Ökobilanz');
    assert.equal(item?.fiscal_year, given ? fiscalYearOf(given) : undefined);
    assert.equal(item?.has_file, given?.has_file);
  });

  it('takes any text for a query without failing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        store.reports({ text }, { limit: 5 });
        store.findCompanies(text, 5);
        store.report(text);
      }),
      { numRuns: 200 },
    );
  });
});
