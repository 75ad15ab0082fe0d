import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Company } from '../../../src/api/schemas/company.ts';
import { companyOf } from '../../../src/library/companyIdentity.ts';
import type { CompanyGroupBy } from '../../../src/library/companyQuery.ts';
import { noChange } from '../../../src/library/libraryChange.ts';
import type { LibraryStore } from '../../../src/library/sqlite/sqliteStore.ts';
import { bring, following, openFile, openInMemory, temporaryDirectory } from './support/stores.ts';
import { report } from './support/wireReports.ts';

const base = Date.parse('2026-02-01T00:00:00Z');
const kinds: readonly CompanyGroupBy[] = ['letter', 'country', 'sector', 'industry'];
const groupsOf = (store: LibraryStore) => kinds.map((by) => store.companyGroups(by));

function watched(key: string, changes: Partial<Company>): Company {
  return { ...companyOf(report(1)), isin: null, lei: null, figi: null, company_key: key, ...changes };
}

function watch(store: LibraryStore, companies: readonly Company[]): void {
  store.applyWatchlist({ companies, first: true, last: true });
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

describe(`groups of companies`, () => {
  let store: LibraryStore;

  beforeEach(() => {
    store = openInMemory(() => base);
  });
  afterEach(() => store.close());

  it('narrow the list of companies, also to those that state none', () => {
    const given = { country: 'Thule', sector: 'Energy', industry: 'Coal' };
    const none = { country: null, sector: null, industry: null };
    const other = { country: 'Atlantis', sector: 'Water', industry: 'Salt' };
    watch(store, [watched('X_A', given), watched('X_B', none), watched('X_C', other)]);
    const listed = (query: Parameters<LibraryStore['companies']>[0]) =>
      store.companies(query, { limit: 10 }).items.map(({ company_key }) => company_key);
    for (const by of ['country', 'sector', 'industry'] as const) {
      assert.deepEqual(listed({ [by]: [given[by]] }), ['X_A'], by);
      assert.deepEqual(listed({ [by]: [null] }), ['X_B'], by);
      assert.deepEqual(listed({ [by]: [null, other[by]] }).sort(), ['X_B', 'X_C'], by);
    }
  });

  it('name each first letter, and lists of a letter hold its companies', () => {
    watch(
      store,
      begun.map(([name], index) => watched(`X_${index}`, { company_name: name })),
    );
    const letters = store.companyGroups('letter');
    const expected = Map.groupBy(begun, ([, letter]) => letter);
    assert.deepEqual(
      new Map(letters.map(({ value, companies }) => [value, companies])),
      new Map([...expected].map(([letter, names]) => [letter, names.length])),
    );
    for (const sort of ['name', 'newest'] as const) {
      for (const [letter, names] of expected) {
        const found: (string | null)[] = [];
        for (let after: string | undefined; ; ) {
          const page = store.companies({ letter: [letter], sort }, { limit: 2, after });
          found.push(...page.items.map(({ company_name }) => company_name));
          if (page.next === null) break;
          after = page.next;
        }
        assert.deepEqual(found.sort(), names.map(([name]) => name).sort(), letter);
      }
      const [all, none] = [['A', '#', '日'], ['Q']].map((letter) => store.companies({ letter, sort }, { limit: 100 }));
      assert.equal(all?.items.length, 3 + 6 + 1);
      assert.deepEqual(none, { items: [], next: null });
    }
  });

  it('stay true as companies come, change, lose their reports and go', () => {
    const generation = following(store);
    const before = groupsOf(store);
    assert.deepEqual(before, [[], [], [], []]);
    bring(store, [report(1), report(41), report(81)]);
    const three = groupsOf(store);
    assert.equal(store.totals().companies, 3);
    watch(store, [watched('XNEW_1', { company_name: 'Ödland', country: 'Atlantis', sector: null })]);
    const group = (by: CompanyGroupBy, value: string | null) =>
      store.companyGroups(by).find((found) => found.value === value);
    assert.deepEqual(group('country', 'Atlantis'), { value: 'Atlantis', companies: 1, reports: 0 });
    assert.deepEqual(group('sector', null), { value: null, companies: 1, reports: 0 });
    assert.equal(group('letter', 'O')?.companies, 1);
    watch(store, [watched('XNEW_1', { company_name: 'Nordland', country: 'Thule' })]);
    assert.equal(group('country', 'Atlantis'), undefined);
    assert.deepEqual(group('country', 'Thule'), { value: 'Thule', companies: 1, reports: 0 });
    watch(store, []);
    assert.deepEqual(groupsOf(store), three);

    const { report_id, report_key, company_key, company_country } = report(1);
    const listed = group('country', company_country)?.reports ?? 0;
    store.applyFeedPage({
      changes: [
        {
          ...{
            change: 'withdrawn',
            report_id,
            report_key,
            company_key,
            content_sha256: null,
            report: null,
            other: {},
          },
          changed_at: new Date(base + 1000).toISOString(),
        },
      ],
      quarantined: [],
      cursor: 'c',
      atEnd: true,
      generation,
    });
    assert.equal(group('country', company_country)?.reports, listed - 1);
    assert.deepEqual([store.totals().listed, store.totals().gone, store.totals().companies], [2, 1, 3]);
  });
});

describe('groups of companies that are kept', () => {
  it('follow what another window writes, which still hears of it', () => {
    const directory = temporaryDirectory();
    const one = openFile(join(directory.path, 'library.db'));
    const other = openFile(join(directory.path, 'library.db'));
    try {
      bring(one, [report(1), report(41)]);
      assert.deepEqual(groupsOf(other), groupsOf(one));
      assert.equal(other.coverage().keys.length, 2);
      other.poll();
      bring(one, [report(81), report(42)]);
      watch(one, [watched('XNEW_1', { company_name: '3 words' })]);
      assert.deepEqual(groupsOf(other), groupsOf(one));
      assert.equal(other.coverage().keys.length, 4);
      assert.equal(other.totals().companies, 4);
      const told = other.poll();
      assert.deepEqual(
        [...(told.companies as string[])].sort(),
        [report(81).company_key, report(42).company_key, 'XNEW_1'].sort(),
      );
      assert.deepEqual(other.poll(), noChange);
    } finally {
      one.close();
      other.close();
      directory.remove();
    }
  });

  it('are what a fresh look finds when a key comes to stand for another company', () => {
    const directory = temporaryDirectory();
    const store = openFile(join(directory.path, 'library.db'));
    try {
      following(store);
      const first = report(1, { company_key: 'XOLD_1' });
      bring(store, [first, report(2, { company_key: 'XOLD_1' })]);
      // The company takes another key; report 2 still comes under the one it left.
      bring(store, [report(1, { company_key: 'XNEW_1' })]);
      groupsOf(store);
      store.coverage();
      // Now that key is given to a company with other identifiers, which takes report 2 along.
      const taken = { company_key: 'XOLD_1', company_lei: 'L'.repeat(20), company_isin: 'I'.repeat(12) };
      bring(store, [report(2, { ...taken, company_figi: 'BBG000000000', company_name: 'Quite Another' })]);
      const fresh = openFile(join(directory.path, 'library.db'));
      assert.deepEqual(groupsOf(store), groupsOf(fresh));
      assert.deepEqual(store.totals(), fresh.totals());
      assert.deepEqual(store.coverage(), fresh.coverage());
      fresh.close();
    } finally {
      store.close();
      directory.remove();
    }
  });
});
