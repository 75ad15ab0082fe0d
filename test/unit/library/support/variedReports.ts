import fc from 'fast-check';
import { fiscalYearOf } from '../../../../src/api/schemas/fields.ts';
import type { Report } from '../../../../src/api/schemas/report.ts';
import { type ReportQuery, triStateFields } from '../../../../src/library/reportQuery.ts';
import type { LibraryStore } from '../../../../src/library/sqlite/sqliteStore.ts';
import { changed } from './fakeService.ts';
import { type Candidate, matches, wordsOf } from './matches.ts';
import { bring, feed, openInMemory, withdrawalOf } from './stores.ts';
import { read, wireReport } from './wireReports.ts';

/** Reports with everything a filter can meet: undated ones, two-year strings, unknown values, odd titles. */
export const reports: readonly Report[] = Array.from({ length: 300 }, (_, index) => {
  const n = index + 1;
  const odd: Record<string, unknown> = {};
  if (n % 17 === 0) Object.assign(odd, { report_year: 0, report_fcyear: null });
  if (n % 19 === 0) Object.assign(odd, { report_fcyear: '2018/2019', period_end_date: '2019-03-31' });
  if (n % 57 === 0) Object.assign(odd, { period_end_date: n % 2 === 0 ? null : '2018-12-31' });
  if (n % 23 === 0) Object.assign(odd, { report_type: null, report_class: null, report_lang: null });
  if (n % 13 === 0) odd.report_pubdate_iso = [null, '2020', '2020-07'][n % 3];
  if (n % 31 === 0) Object.assign(odd, { report_pages: null, report_filesize: null, report_title: null });
  if (n % 29 === 0) Object.assign(odd, { report_title: 'Überblick — Ångström’s Ökobilanz', report_lang: 'de / sv' });
  return read(changed(wireReport(n, 12), odd));
});

const some = <T>(values: readonly T[]) =>
  fc.option(fc.uniqueArray(fc.constantFrom(...values), { maxLength: 3 }), { nil: undefined });
const distinct = <T>(values: readonly (T | null)[]) => [...new Set(values)].filter((value) => value !== null);

/** Any query. */
export const queries: fc.Arbitrary<ReportQuery> = fc.record({
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
  published: some(['2020', '2020-07', '2024-05', '1999', null]),
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

export const gone = new Set(reports.filter((_, index) => index % 11 === 0).map((given) => given.report_id));

/** A library of these reports, of which some are gone. */
export function storeOfReports(): LibraryStore {
  const store = openInMemory(() => 0);
  bring(store, reports);
  const left = reports.filter(({ report_id }) => gone.has(report_id));
  feed(
    store,
    store.beginRun(),
    left.map((given) => withdrawalOf(given, '2026-01-01T00:00:00Z')),
  );
  return store;
}

/** What a query finds, in no particular order. */
export function found(query: ReportQuery): Candidate[] {
  const typed = query.text === undefined ? null : wordsOf(query.text);
  return reports
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
    .filter((candidate) => typed?.length !== 0 && matches(query, candidate, typed));
}
