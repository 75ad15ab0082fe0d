import assert from 'node:assert/strict';
import { coverageMarks, statesTwoYears, typeFamilies } from '../../../src/api/schemas/reportTypes.ts';
import type { LibraryStore } from '../../../src/library/sqlite/sqliteStore.ts';
import { type CoverageMatrix, yearColumns } from '../../../src/library/store.ts';
import { bring, feed, following, openInMemory, withdrawalOf } from './support/stores.ts';
import { report } from './support/wireReports.ts';

const base = Date.parse('2026-02-01T00:00:00Z');
const { file, metadataOnly, gone, split } = coverageMarks;
const plain = { report_fcyear: 2024, report_type: 'SR', has_file: true };

/** Report n of company 0 or 1, without anything left to chance. */
function given(n: number, changes: Record<string, unknown>, company = 0) {
  return report(n + company * 40, { ...plain, ...changes });
}

function cell(matrix: CoverageMatrix, key: string, year: number, family: (typeof typeFamilies)[number]) {
  const column = matrix.years.indexOf(year);
  assert.ok(column >= 0, `no column for ${year}`);
  const at =
    (matrix.keys.indexOf(key) * matrix.years.length + column) * typeFamilies.length + typeFamilies.indexOf(family);
  return [matrix.counts[at], matrix.marks[at]];
}

const sum = ({ counts }: CoverageMatrix) => counts.reduce((total, count) => total + count, 0);

describe(`coverage`, () => {
  let store: LibraryStore;
  let generation: number;
  const one = given(1, {}).company_key;
  const other = given(1, {}, 1).company_key;

  beforeEach(() => {
    store = openInMemory(() => base);
    generation = following(store);
    bring(store, [
      given(1, {}),
      given(2, { has_file: false }),
      given(3, { report_type: 'IR', has_file: false }),
      given(4, { report_type: 'AR2', has_file: null, report_fcyear: 2021 }),
      given(5, { report_type: 'XNEW', report_fcyear: 2021 }),
      given(6, { report_type: 'CLIM', report_fcyear: 2021 }),
      given(7, { report_fcyear: '2018/2019' }),
      given(8, { report_fcyear: null, report_year: 0 }),
      given(1, { report_fcyear: 2024 }, 1),
    ]);
  });
  afterEach(() => store.close());

  it('tells families apart, and available, metadata only, two-year and undated reports', () => {
    const matrix = store.coverage();
    assert.deepEqual(matrix.years, [0, 2018, 2019, 2020, 2021, 2022, 2023, 2024]);
    assert.deepEqual(cell(matrix, one, 2024, 'SR'), [2, file | metadataOnly]);
    assert.deepEqual(cell(matrix, one, 2024, 'IR'), [1, metadataOnly]);
    assert.deepEqual(cell(matrix, one, 2021, 'AR2'), [1, file]);
    assert.deepEqual(cell(matrix, one, 2021, 'specialty'), [2, file]);
    assert.deepEqual(cell(matrix, one, 2018, 'SR'), [1, file | split]);
    assert.deepEqual(cell(matrix, one, 2019, 'SR'), [0, 0]);
    assert.deepEqual(cell(matrix, one, 0, 'SR'), [1, file]);
    const pdfs = { ...matrix, counts: matrix.pdfs };
    assert.deepEqual(cell(pdfs, one, 2024, 'SR'), [1, file | metadataOnly]);
    assert.deepEqual(cell(pdfs, one, 2024, 'IR'), [0, metadataOnly]);
    assert.deepEqual(cell(pdfs, one, 2021, 'AR2'), [1, file]);
    assert.equal(matrix.countries[matrix.keys.indexOf(one)], given(1, {}).company_country);
  });

  it('stays true after reports come, change and go', () => {
    const before = sum(store.coverage());
    feed(store, generation, [withdrawalOf(given(5, {}), new Date(base + 1000).toISOString())]);
    bring(store, [given(7, { report_fcyear: 2018 }), given(2, { has_file: true })]);
    const matrix = store.coverage();
    assert.equal(sum(matrix), before - 1);
    assert.deepEqual(cell(matrix, one, 2021, 'specialty'), [1, file | gone]);
    assert.deepEqual(cell(matrix, one, 2018, 'SR'), [1, file]);
    assert.deepEqual(cell(matrix, one, 2024, 'SR'), [2, file]);
    bring(store, [given(9, { report_fcyear: 2030 })]);
    assert.deepEqual(cell(store.coverage(), one, 2030, 'SR'), [1, file]);
  });

  it('answers for some companies by name, with the years that they have reports in', () => {
    const matrix = store.coverage({ company_key: [other, 'XNONE_1', one] });
    assert.deepEqual(matrix, store.coverage());
    assert.deepEqual(cell(matrix, one, 2018, 'SR'), [1, file | split]);
    assert.deepEqual(store.coverage({ company_key: [other] }).years, [2024]);
    assert.deepEqual(store.coverage({ company_key: ['XNONE_1'] }).keys, []);
  });

  it('answers for a filter with the companies that it finds', () => {
    const matrix = store.coverage({ type: ['IR', 'AR2'] });
    assert.deepEqual(matrix.keys, [one]);
    assert.equal(sum(matrix), 2);
    assert.deepEqual(cell(matrix, one, 2024, 'SR'), [0, 0]);
    assert.equal(store.coverage({ text: 'nosuchword' }).keys.length, 0);
    assert.deepEqual(store.coverage({ fcyear: [2024] }).keys.length, 2);
  });
});

describe('years of a matrix', () => {
  it('have no holes, and undated first', () => {
    assert.deepEqual(yearColumns([2021, 0, 2018, 2018]), [0, 2018, 2019, 2020, 2021]);
    assert.deepEqual(yearColumns([]), []);
    assert.deepEqual(yearColumns([0]), [0]);
  });

  it('are left as they are when a stray one lies far off', () => {
    assert.deepEqual(yearColumns([1066, 2020, 2022]), [1066, 2020, 2022]);
  });

  it('two in one are read from old records only', () => {
    for (const two of ['2018/2019', '2018-19', '2018 – 2019']) assert.equal(statesTwoYears(two), true, two);
    for (const single of [2018, '2018', null, '', 'FY18']) assert.equal(statesTwoYears(single), false, String(single));
  });
});
