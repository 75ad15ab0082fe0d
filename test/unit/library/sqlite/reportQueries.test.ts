import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fiscalYearOf } from '../../../../src/api/schemas/fields.ts';
import type { ReportQuery } from '../../../../src/library/reportQuery.ts';
import type { LibraryStore } from '../../../../src/library/sqlite/sqliteStore.ts';
import { bring, openInMemory } from '../support/stores.ts';
import { found, gone, queries, reports, storeOfReports } from '../support/variedReports.ts';
import { report } from '../support/wireReports.ts';

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

  it('counts words alone, and their years, as if it had looked at each report', () => {
    const years = (of: LibraryStore, text: string) =>
      new Map(of.groupReports({ text }, 'fcyear').map(({ value, count }) => [value, count]));
    const looked = (text: string) => {
      const counts = new Map<number | null, number>();
      for (const { fy } of found({ text })) counts.set(fy || null, (counts.get(fy || null) ?? 0) + 1);
      return counts;
    };
    for (const text of ['s', 'sust', 'rep 2023', 'angstrom', 'xfra', 'alder en', 'sustainabilty', '!']) {
      if (text !== 'sustainabilty') assert.deepEqual(years(store, text), looked(text), text);
      const ids = store.reportIds({ text });
      assert.equal(store.countReports({ text }), ids.length, text);
      const sum = [...years(store, text).values()].reduce((all, count) => all + count, 0);
      assert.equal(sum, ids.length, text);
    }
    const odd = openInMemory();
    const ages = [0, 1850, 1899, 1900, 1901, 2922, 2923, 3500];
    bring(
      odd,
      ages.map((year, n) => report(n + 1, { report_title: 'Common', report_fcyear: year || null, report_year: year })),
    );
    const own = odd.reports({}, { limit: 20 }).items.map(({ fiscal_year }) => fiscal_year);
    assert.deepEqual([...years(odd, 'common').keys()].sort(), [...new Set(own)].sort());
    assert.equal(odd.countReports({ text: 'common' }), ages.length);
    odd.close();
  });

  it('pages through any answer without a gap or a repetition', () => {
    fc.assert(
      fc.property(queries, fc.integer({ min: 1, max: 40 }), (query, limit) => {
        const ids: number[] = [];
        for (let after: string | undefined; ; ) {
          const page = store.reports(query, { limit, after });
          ids.push(...page.items.map((item) => item.report_id));
          if (page.next === null) break;
          after = page.next;
        }
        assert.deepEqual(ids, expected(query));
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

  it('asks for true, false and undetermined each by itself', () => {
    const counts = ([true, false, null] as const).map((value) =>
      store.countReports({ facts: { standards_gri: value } }),
    );
    assert.ok(counts.every((count) => count > 0));
    assert.equal(
      counts.reduce((sum, count) => sum + count, 0),
      store.countReports({}),
    );
  });

  it('counts groups that add up, a bilingual report under both languages', () => {
    const total = store.countReports({});
    for (const by of ['type', 'class', 'fcyear', 'country', 'sector', 'industry', 'company'] as const) {
      const groups = store.groupReports({}, by);
      assert.equal(
        groups.reduce((sum, group) => sum + group.count, 0),
        total,
        by,
      );
    }
    const years = store
      .groupReports({}, 'published')
      .filter(({ value }) => value === null || String(value).length === 4);
    assert.equal(
      years.reduce((sum, { count }) => sum + count, 0),
      total,
    );
    const languages = store.groupReports({}, 'language');
    for (const { value, count } of languages) {
      if (typeof value === 'string') assert.equal(store.countReports({ language: [value] }), count, value);
    }
    assert.ok(store.groupReports({}, 'fcyear').some((group) => group.value === null));
  });

  it('counts in each group what a filter for its value finds, whatever else is asked', () => {
    const asked: readonly ReportQuery[] = [
      {},
      { state: 'all' },
      { state: 'gone' },
      { type: ['SR', null] },
      { fcyear: [2020, 2023, null] },
      { text: 's', country: [reports[0]?.company_country ?? null] },
      { company_key: [reports[0]?.company_key ?? '', reports[200]?.company_key ?? ''] },
    ];
    const filters = {
      type: 'type',
      class: 'class',
      fcyear: 'fcyear',
      language: 'language',
      published: 'published',
    } as const;
    const companies = { country: 'country', sector: 'sector', industry: 'industry', company: 'company_key' } as const;
    for (const query of asked) {
      for (const [by, filter] of Object.entries({ ...filters, ...companies })) {
        if (filter in query) continue;
        const groups = store.groupReports(query, by as keyof typeof filters);
        assert.equal(new Set(groups.map(({ value }) => value)).size, groups.length);
        for (const { value, count } of groups) {
          assert.equal(store.countReports({ ...query, [filter]: [value] }), count, `${JSON.stringify(query)} ${by}`);
        }
      }
    }
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
