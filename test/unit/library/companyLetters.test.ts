import assert from 'node:assert/strict';
import type { Company } from '../../../src/api/schemas/company.ts';
import { companyOf } from '../../../src/library/sqlite/companyTable.ts';
import type { LibraryStore } from '../../../src/library/sqlite/sqliteStore.ts';
import { allOf, bring, following, openInMemory, watch } from './support/stores.ts';
import { report } from './support/wireReports.ts';

const base = Date.parse('2026-02-01T00:00:00Z');

function watched(key: string, changes: Partial<Company>): Company {
  return { ...companyOf(report(1)), isin: null, lei: null, figi: null, company_key: key, ...changes };
}

/** Names that begin with anything the service may send, and the group each belongs to. */
const begun: readonly (readonly [string, string])[] = [
  ['Alder', 'A'],
  ['älvsborg', 'A'],
  ['  Aspen', 'A'],
  ['3i', '#'],
  ['“Quoted”', '#'],
  ['ßtrass', 'SS'],
  ['ж', 'Ж'],
  ['日本', '日'],
  ['𐐀 astral', '#'],
  ['\u{10FFFF}\u{10FFFF} last', '#'],
  ['\0 nothing', '#'],
  ['\u{D7FF} before the surrogates', '#'],
  ['m\u{10FFFF}z', 'M'],
  ['Nordic', 'N'],
  ['Zeta', 'Z'],
];

describe('first letters of companies', () => {
  let store: LibraryStore;

  beforeEach(() => {
    store = openInMemory(() => base);
  });
  afterEach(() => store.close());

  it('name each first letter, and lists of a letter hold its companies', () => {
    watch(
      store,
      begun.map(([name], index) => watched(`X_${index}`, { company_name: name })),
    );
    const letters = store.companyLetters();
    const expected = Map.groupBy(begun, ([, letter]) => letter);
    assert.deepEqual(
      new Map(letters.map(({ letter, companies }) => [letter, companies])),
      new Map([...expected].map(([letter, names]) => [letter, names.length])),
    );
    for (const [letter, names] of expected) {
      const found = allOf((after) => store.companies({ letter }, { limit: 2, after }));
      assert.deepEqual(
        found.map(({ company_name }) => company_name).sort(),
        names.map(([name]) => name).sort(),
        letter,
      );
    }
    assert.deepEqual(store.companies({ letter: 'Q' }, { limit: 100 }), { items: [], next: null });
  });

  it('stay true as companies come, change and go', () => {
    following(store);
    assert.deepEqual(store.companyLetters(), []);
    bring(store, [report(1), report(41), report(81)]);
    const three = store.companyLetters();
    assert.equal(store.totals().companies, 3);
    const count = (wanted: string) => store.companyLetters().find(({ letter }) => letter === wanted)?.companies ?? 0;
    const before = { O: count('O'), N: count('N') };
    watch(store, [watched('XNEW_1', { company_name: 'Ödland' })]);
    assert.equal(count('O'), before.O + 1);
    watch(store, [watched('XNEW_1', { company_name: 'Nordland' })]);
    assert.deepEqual([count('O'), count('N')], [before.O, before.N + 1]);
    watch(store, []);
    assert.deepEqual(store.companyLetters(), three);
  });
});
