import assert from 'node:assert/strict';
import fc from 'fast-check';
import { fiscalYearOf } from '../../../../src/api/schemas/report.ts';
import type { ReportQuery } from '../../../../src/library/reportQuery.ts';
import { triStateFields } from '../../../../src/library/sqlite/reportRow.ts';
import type { LibraryStore } from '../../../../src/library/sqlite/sqliteStore.ts';
import { changed } from '../support/fakeService.ts';
import { matches, wordsOf } from '../support/matches.ts';
import { bring, openInMemory } from '../support/stores.ts';
import { read, wireReport } from '../support/wireReports.ts';

/** Reports with everything a filter can meet: undated ones, two-year strings, unknown values, odd titles. */
const reports = Array.from({ length: 300 }, (_, index) => {
  const n = index + 1;
  const odd: Record<string, unknown> = {};
  if (n % 17 === 0) Object.assign(odd, { report_year: 0, report_fcyear: null });
  if (n % 19 === 0) Object.assign(odd, { report_fcyear: '2018/2019', period_end_date: '2019-03-31' });
  if (n % 57 === 0) Object.assign(odd, { period_end_date: n % 2 === 0 ? null : '2018-12-31' });
  if (n % 23 === 0) Object.assign(odd, { report_type: null, report_class: null, report_lang: null });
  if (n % 29 === 0) Object.assign(odd, { report_title: 'Überblick — Ångström’s Ökobilanz', report_lang: 'de / sv' });
  return read(changed(wireReport(n, 12), odd));
});

const some = <T>(values: readonly T[]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...values), { maxLength: 3 }), { nil: undefined });
const distinct = <T>(values: readonly (T | null)[]) => [...new Set(values)].filter((value) => value !== null);

const queries: fc.Arbitrary<ReportQuery> = fc.record({
  text: fc.option(
    fc.constantFrom('s', 'sust', 'rep 2023', 'angstrom', 'okobilanz uber', 'XFRA', 'alder en', 'de0', 'limited', '!'),
    { nil: undefined, freq: 3 },
  ),
  type: some(['SR', 'AR1', 'CODE', 'NONE', null]),
  class: some(['D', 'S', 'F', null]),
  fcyear: some([2018, 2020, 2023, 2024, null]),
  language: some(['de', 'en', 'EN', 'sv', 'xx', null]),
  fcyear_split: some([2018, 2019, 2023]),
  country: some([...distinct(reports.map((given) => given.company_country)), null]),
  sector: some(distinct(reports.map((given) => given.company_sector))),
  company_key: some(distinct(reports.map((given) => given.company_key))),
  isin: some(distinct(reports.map((given) => given.company_isin))),
  assurance_level: some(['limited', 'reasonable', null]),
  facts: fc.option(
    fc.dictionary(fc.constantFrom(...triStateFields), fc.constantFrom(true, false, null), { maxKeys: 2 }),
    { nil: undefined },
  ),
  among: fc.option(
    fc.array(
      fc.record({
        ids: fc.subarray(reports.map((given) => given.report_id)),
        company_key: fc.option(fc.subarray([...distinct(reports.map((given) => given.company_key)), 'XTST_NONE']), {
          nil: undefined,
        }),
        is: fc.boolean(),
      }),
      { maxLength: 2 },
    ),
    { nil: undefined, freq: 4 },
  ),
  state: fc.constantFrom(undefined, 'listed', 'gone', 'all'),
});

describe(`questions about reports`, function () {
  this.timeout(20_000);
  let store: LibraryStore;
  const gone = new Set(reports.filter((_, index) => index % 11 === 0).map((given) => given.report_id));

  before(() => {
    store = openInMemory(() => 0);
    bring(store, reports);
    const lease = store.acquireLease('test', 60_000);
    store.applyFeedPage({
      changes: [...gone].map((report_id) => ({
        change: 'withdrawn',
        report_id,
        report_key: null,
        company_key: null,
        changed_at: '2026-01-01T00:00:00Z',
        content_sha256: null,
        report: null,
        other: {},
      })),
      quarantined: [],
      cursor: null,
      atEnd: true,
      generation: lease?.generation ?? 0,
    });
  });
  after(() => store.close());

  const expected = (query: ReportQuery) =>
    reports
      .map((report) => ({
        report,
        fy: fiscalYearOf(report) ?? 0,
        state: gone.has(report.report_id) ? ('withdrawn' as const) : ('listed' as const),
        country: report.company_country,
        sector: report.company_sector,
        industry: report.company_industry,
        isin: report.company_isin,
        companyKey: report.company_key,
      }))
      .filter((candidate) => {
        const typed = query.text === undefined ? null : wordsOf(query.text);
        return typed?.length !== 0 && matches(query, candidate, typed);
      })
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
    const filters = { type: 'type', class: 'class', fcyear: 'fcyear', language: 'language' } as const;
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
