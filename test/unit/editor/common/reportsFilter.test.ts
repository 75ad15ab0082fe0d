import assert from 'node:assert/strict';
import {
  describeFilter,
  type FilterSets,
  filterFromArgument,
  queryOf,
  queryOfYear,
  type ReportsFilter,
  readFilter,
} from '../../../../src/editor/common/reportsFilter.ts';
import {
  deleteFilter,
  type FilterMemory,
  rememberedFilter,
  rememberFilter,
  savedFilters,
  saveFilter,
} from '../../../../src/editor/common/savedFilters.ts';
import { type Favorite, Favorites } from '../../../../src/favorites/favorites.ts';

const star = (company_key: string, report_id: number | null): Favorite => ({
  company_key,
  report_id,
  report_key: null,
});
const setsOf = (local: readonly number[], ...items: Favorite[]): FilterSets => ({
  marks: { here: async () => local },
  favorites: { read: async () => new Favorites(items) },
});
const none = setsOf([]);

describe('a filter of reports', () => {
  it('takes in those that a split year files under the year before, when their period says so (FY-3)', async () => {
    const found = await queryOf({ fcyear: [2020, null], splitYears: true, type: ['SR'] }, none);
    assert.deepEqual(found, { fcyear: [2020, null], type: ['SR'], fcyear_split: [2020] });
    assert.deepEqual(queryOfYear(found, 2019), { type: ['SR'], fcyear: [], fcyear_split: [2020] });
    assert.deepEqual(queryOfYear(found, 2020), { type: ['SR'], fcyear: [2020], fcyear_split: [] });
    assert.deepEqual(await queryOf({ fcyear: [2020] }, none), { fcyear: [2020] });
  });

  it('knows the PDFs of this workspace', async () => {
    assert.deepEqual(await queryOf({ downloaded: false }, setsOf([7])), { among: [{ ids: [7], is: false }] });
  });

  it('knows the favorites, and whole companies among them, beside the PDFs that are here', async () => {
    const found = await queryOf({ downloaded: true, favorite: true }, setsOf([7], star('A', null), star('B', 5)));
    assert.deepEqual(found, {
      among: [
        { ids: [7], is: true },
        { ids: [5], company_key: ['A'], is: true },
      ],
    });
    assert.equal(describeFilter({ favorite: true, downloaded: true }), 'Downloaded: Yes · Favorite: Yes');
  });

  it('asks for a group of its answer, what is not stated among them', () => {
    assert.deepEqual(queryOfYear({ text: 'x' }, null), { text: 'x', fcyear: [null] });
  });

  it('is described in words, not in codes', () => {
    const filter = { type: ['CLIM', 'SR'], language: ['de', null], fcyear: [2020, null], assurance_level: ['limited'] };
    assert.equal(
      describeFilter(filter),
      '2020, Undated · Climate Report, Sustainability Report · German, Language: Not stated · Assurance level: Limited',
    );
  });

  it('is taken from a program in the names of the interface, and refused by the name of what is wrong', () => {
    assert.deepEqual(
      filterFromArgument({ type: 'SR', fcyear: 2020, company_key: ['A', 'B'], framework: ['std_gri'], text: 'water' }),
      { type: ['SR'], fcyear: [2020], company_key: ['A', 'B'], facts: { standards_gri: true }, text: 'water' },
    );
    assert.throws(() => filterFromArgument({ isin: [7] }), /isin must be text/);
    assert.throws(() => filterFromArgument({ text: ['a'] }), /text must be text/);
    assert.throws(() => filterFromArgument({ fcyear: ['2020'] }), /fcyear must be whole years/);
    assert.throws(() => filterFromArgument({ framework: 'nonsense' }), /no framework named nonsense/);
    assert.throws(() => filterFromArgument({ downloaded: 'yes' }), /downloaded must be true or false/);
    assert.throws(() => filterFromArgument({ facts: { standards_gri: 'yes' } }), /facts must be known fields/);
  });

  it('takes from a program whatever a filter can hold, as it would be stored', () => {
    const filter: ReportsFilter = {
      ...{ text: 'wind', country: ['Germany', null], sector: ['Utilities'], industry: [null], published: ['2024-05'] },
      ...{ class: ['CORE'], assurance_level: ['limited', null], fcyear: [2024, null], splitYears: true },
      ...{ facts: { standards_gri: null, has_file: true }, downloaded: false, favorite: true },
    };
    assert.deepEqual(filterFromArgument(filter), readFilter(filter));
    assert.deepEqual(filterFromArgument(filter), filter);
    assert.deepEqual(filterFromArgument({ type: [], text: '', unknown: 1 }), {});
    assert.deepEqual(filterFromArgument({ framework: 'gri', facts: { standards_esrs: false } }), {
      facts: { standards_gri: true, standards_esrs: false },
    });
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
    ...{
      facts: { standards_gri: null, has_file: true },
      assurance_level: ['limited', null],
      downloaded: false,
      favorite: true,
    },
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
