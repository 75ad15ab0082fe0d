import assert from 'node:assert/strict';
import { findReports, reportIdOf } from '../../../src/library/findReports.ts';
import type { Library } from '../../../src/library/library.ts';
import type { LibraryStore } from '../../../src/library/sqlite/sqliteStore.ts';
import { localLibrary } from './support/localLibrary.ts';
import { bring, changeOf, feed, following, openInMemory } from './support/stores.ts';
import { report } from './support/wireReports.ts';

const key = (company: string, year: number, type: string) => ({
  company_key: company,
  report_key: `${company}_${year}_${type}`,
});

const ids = [1, 2, 3].map((n) => report(n).report_id);

describe(`finding reports by what is typed`, () => {
  let library: Library;
  let store: LibraryStore;

  beforeEach(() => {
    store = openInMemory(() => Date.parse('2026-02-01T00:00:00Z'));
    library = localLibrary(store);
    const generation = following(store);
    bring(store, [
      report(1, { ...key('XTST_ABC', 2023, 'SR'), report_fcyear: 2023, fiscal_year_label: '2023/2024' }),
      report(2, { ...key('XTST_ABC', 2024, 'SR'), report_fcyear: 2024, fiscal_year_label: '2024/2025' }),
      report(3, { ...key('XTST_ABC', 2024, 'SR_2'), report_fcyear: 2025 }),
    ]);
    const renamed = report(1, { ...key('XTST_ABC', 2022, 'SR'), report_fcyear: 2023 });
    feed(store, generation, [changeOf(renamed, { changed_at: '2026-02-01T00:00:01Z' })]);
  });
  afterEach(() => store.close());

  const find = async (words: string, max = 50) => {
    const { named, reports } = await findReports(library, words, max);
    return [named?.report_id, ...reports.map(({ report_id }) => report_id)];
  };

  it('puts the report of a whole key first, in small letters too', async () => {
    assert.deepEqual((await find('XTST_ABC_2024_SR')).slice(0, 2), [ids[1], ids[1]]);
    assert.deepEqual((await find(' xtst_abc_2024_sr ')).slice(0, 2), [ids[1], ids[1]]);
    assert.deepEqual(await find('XTST_ABC_2024_SR', 1), [ids[1], ids[1]]);
  });

  it('finds a report by a key that it once had', async () => {
    assert.deepEqual((await find('XTST_ABC_2023_SR')).slice(0, 2), [ids[0], ids[0]]);
  });

  it('puts the reports of a fiscal year that is typed first, and those whose key has that year after them', async () => {
    assert.deepEqual((await find('XTST_ABC 2024')).slice(1), [ids[1], ids[2]]);
    assert.deepEqual((await find('2023')).slice(1, 2), [ids[0]]);
    assert.deepEqual((await find('XTST_ABC 2024/2025')).slice(1, 2), [ids[2]], 'a span ends in its last year');
    assert.deepEqual((await find('2025 XTST_ABC', 1)).slice(1), [ids[2]]);
  });

  it('forgives a typo in the type of a report, beside other words', async () => {
    const named = report(4, { ...key('XTST_DEF', 2024, 'SR'), report_fcyear: 2024, company_name: 'Altenbruch' });
    bring(store, [{ ...named, metadata: { ...named.metadata, title: 'Sustainability Report' } }]);
    for (const words of ['altenbuch sustainabilty', 'altenbruch sustainibility 2024', 'altenbuch 2024']) {
      assert.deepEqual((await find(words)).slice(1), [named.report_id], words);
    }
  });

  it('finds a report by its id, and names none where the words are only words', async () => {
    assert.deepEqual((await find(String(ids[2]))).slice(0, 2), [ids[2], ids[2]]);
    assert.equal((await find('XTST_ABC'))[0], undefined);
    assert.equal((await find('XTST_ABC_2024_AR'))[0], undefined);
    assert.deepEqual((await find('XTST_ABC')).slice(1).sort(), [...ids].sort());
  });
});

describe('the report id that a text is', () => {
  it('is a whole number that a number can hold', () => {
    assert.equal(reportIdOf('1042'), 1042);
    for (const text of ['', '0', '-1', '1.5', '1e3', '01', '9999999999999999', 'XTST']) {
      assert.equal(reportIdOf(text), undefined, text);
    }
  });
});
