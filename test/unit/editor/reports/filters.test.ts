import assert from 'node:assert/strict';
import { queryOf, queryOfGroup, type ReportsFilter } from '../../../../src/editor/reports/filter.ts';
import {
  deleteFilter,
  type FilterMemory,
  readFilter,
  rememberedFilter,
  rememberFilter,
  savedFilters,
  saveFilter,
} from '../../../../src/editor/reports/savedFilters.ts';
import type { Listing, ReportQuery, ReportSummary } from '../../../../src/library/reportQuery.ts';

const filed = [
  { report_id: 1, fiscal_year: 2019, period_end: '2020-03-31' },
  { report_id: 2, fiscal_year: 2019, period_end: '2019-12-31' },
  { report_id: 3, fiscal_year: 2020, period_end: '2020-12-31' },
] as unknown as ReportSummary[];

function sources(local: readonly number[] = []) {
  const asked: ReportQuery[] = [];
  const reports = async (query: ReportQuery): Promise<Listing<ReportSummary>> => {
    asked.push(query);
    return { items: filed.filter(({ fiscal_year }) => query.fcyear?.includes(fiscal_year)), next: null };
  };
  return { asked, library: { reports }, localReports: async () => local };
}

describe('a filter of reports', () => {
  it('takes in those that a split year files under the year before, when their period says so (FY-3)', async () => {
    const from = sources();
    const found = await queryOf({ fcyear: [2020], splitYears: true, type: ['SR'] }, from);
    assert.deepEqual(from.asked, [{ fcyear: [2019], type: ['SR'] }]);
    assert.deepEqual(found.query, { fcyear: [2020], type: ['SR'], fcyear_also: [1] });
    assert.deepEqual(queryOfGroup(found, 'fcyear', 2019), { type: ['SR'], fcyear: [], fcyear_also: [1] });
    assert.deepEqual(queryOfGroup(found, 'fcyear', 2020), { type: ['SR'], fcyear: [2020], fcyear_also: undefined });
  });

  it('asks nothing of the year before when that is asked for already, or not wanted', async () => {
    const from = sources();
    assert.deepEqual((await queryOf({ fcyear: [2019, 2020], splitYears: true }, from)).query.fcyear_also, undefined);
    assert.equal(from.asked.filter(({ fcyear }) => fcyear?.includes(2019)).length, 0);
    from.asked.length = 0;
    await queryOf({ fcyear: [2020] }, from);
    assert.deepEqual(from.asked, []);
  });

  it('knows the PDFs of this workspace', async () => {
    const { query } = await queryOf({ downloaded: false }, sources([7]));
    assert.deepEqual(query, { downloaded: { ids: [7], is: false } });
  });

  it('asks for a group of its answer, what is not stated among them', async () => {
    const found = await queryOf({ text: 'x' }, sources());
    assert.deepEqual(queryOfGroup(found, 'country', null), { text: 'x', country: [null] });
    assert.deepEqual(queryOfGroup(found, 'company', 'XTST_A'), { text: 'x', company_key: ['XTST_A'] });
    assert.deepEqual(queryOfGroup(found, 'fcyear', null), { text: 'x', fcyear: [null], fcyear_also: undefined });
  });
});

describe('saved filters', () => {
  const memory = (): FilterMemory => {
    const held = new Map<string, unknown>();
    return {
      get: (key) => held.get(key),
      // The editor keeps them as JSON.
      update: async (key, value) => void held.set(key, JSON.parse(JSON.stringify(value))),
    };
  };
  const whole: ReportsFilter = {
    ...{ text: 'water', type: ['SR', null], fcyear: [2020, null], splitYears: true, company_key: ['XTST_A'] },
    ...{ facts: { standards_gri: null, has_file: true }, assurance_level: ['limited', null], downloaded: false },
  };

  it('come back as they were, by name, and go when deleted', async () => {
    const kept = memory();
    await saveFilter(kept, { name: 'b', filter: {} });
    await saveFilter(kept, { name: 'a', filter: whole });
    await saveFilter(kept, { name: 'b', filter: { text: 'again' } });
    assert.deepEqual(savedFilters(kept), [
      { name: 'a', filter: whole },
      { name: 'b', filter: { text: 'again' } },
    ]);
    await deleteFilter(kept, 'a');
    assert.deepEqual(
      savedFilters(kept).map(({ name }) => name),
      ['b'],
    );
  });

  it('leave the last one to the next window, which starts with none once it was cleared', async () => {
    const kept = memory();
    assert.deepEqual(rememberedFilter(kept), {});
    await rememberFilter(kept, whole);
    assert.deepEqual(rememberedFilter(kept), whole);
    assert.deepEqual(savedFilters(kept), []);
    await rememberFilter({ ...kept, update: async (key, value) => assert.ok(key !== '' && value === undefined) }, {});
  });

  it('are read with care: what is no filter is left out', () => {
    assert.deepEqual(
      readFilter({ text: 7, type: 'SR', fcyear: ['2020'], facts: { nonsense: true }, downloaded: 1 }),
      {},
    );
    assert.deepEqual(readFilter(null), {});
    assert.deepEqual(savedFilters({ get: () => [{ name: 1 }, 'x', { name: 'n' }], update: async () => {} }), []);
  });
});
