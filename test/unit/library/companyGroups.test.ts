import assert from 'node:assert/strict';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import type { Company } from '../../../src/api/schemas/company.ts';
import { companyOf } from '../../../src/library/companyIdentity.ts';
import type { CompanyGroupBy } from '../../../src/library/companyQuery.ts';
import { anyChange, type LibraryChange, noChange } from '../../../src/library/libraryChange.ts';
import { CompanyTallies } from '../../../src/library/sqlite/companyTallies.ts';
import { Connection, type Row } from '../../../src/library/sqlite/connection.ts';
import type { LibraryStore } from '../../../src/library/store.ts';
import { bring, following, kindsOfStore, openFile, temporaryDirectory } from './support/stores.ts';
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

for (const { kind, open } of kindsOfStore) {
  describe(`groups of companies in ${kind}`, () => {
    let store: LibraryStore;
    let end: () => void;

    beforeEach(() => {
      ({ store, end } = open(() => base));
    });
    afterEach(() => end());

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
        const [all, none] = [['A', '#', '日'], ['Q']].map((letter) =>
          store.companies({ letter, sort }, { limit: 100 }),
        );
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
}

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

/** A connection that counts the rows it gives. */
class CountingConnection extends Connection {
  rows = 0;

  override all(...given: Parameters<Connection['all']>): Row[] {
    const rows = super.all(...given);
    this.rows += rows.length;
    return rows;
  }
}

describe('counts of companies', () => {
  const count = 50;
  let connection: CountingConnection;
  let tallies: CompanyTallies;
  const changed = (...companies: string[]): LibraryChange => ({ ...noChange, companies });
  const rowsFor = (work: () => void): number => {
    const before = connection.rows;
    work();
    return connection.rows - before;
  };

  beforeEach(() => {
    connection = new CountingConnection(new DatabaseSync(':memory:'));
    connection.exec(`CREATE TABLE companies(
      id INTEGER PRIMARY KEY, company_key TEXT, sort_name TEXT, country TEXT, sector TEXT, industry TEXT,
      watched INTEGER, listed INTEGER, gone INTEGER)`);
    for (let n = 1; n <= count; n++) {
      connection.run(
        'INSERT INTO companies VALUES (?, ?, ?, ?, NULL, NULL, 1, 2, 1)',
        ...[n, `K${n}`, `${'abc'[n % 3]}${n}`, `country ${n % 5}`],
      );
    }
    const find = (key: string) => connection.number('SELECT id FROM companies WHERE company_key = ?', key) || null;
    tallies = new CompanyTallies({ connection, companies: { find } });
  });
  afterEach(() => connection.close());

  it('are read once, and then only of those that changed', () => {
    assert.equal(
      rowsFor(() => tallies.totals()),
      0,
      'nothing is counted one by one for totals alone',
    );
    assert.equal(
      rowsFor(() => tallies.groups('letter')),
      count,
    );
    assert.equal(
      rowsFor(() => {
        for (const by of kinds) tallies.groups(by);
        tallies.totals();
      }),
      0,
    );
    connection.run("UPDATE companies SET listed = 7, country = 'elsewhere' WHERE id = 3");
    tallies.note(changed('K3', 'K4'));
    assert.equal(
      rowsFor(() => tallies.groups('country')),
      2,
    );
    assert.deepEqual(tallies.groups('country').at(-1), { value: 'elsewhere', companies: 1, reports: 7 });
    assert.deepEqual(tallies.totals(), { listed: 2 * count + 5, gone: count, companies: count });
  });

  it('are read anew after a change that names no companies, or one that is gone', () => {
    for (const change of [anyChange, changed('K that is gone'), { ...noChange, renamed: [{ from: 'a', to: 'b' }] }]) {
      tallies.groups('letter');
      tallies.note(change);
      assert.equal(
        rowsFor(() => tallies.groups('letter')),
        count,
      );
    }
  });

  it('forget texts that no company states any more', () => {
    tallies.groups('industry');
    for (let turn = 0; turn < 60; turn++) {
      connection.run("UPDATE companies SET industry = 'industry ' || id || ' of turn ' || ?", turn);
      tallies.note(changed(...Array.from({ length: count }, (_, index) => `K${index + 1}`)));
      assert.equal(tallies.groups('industry').length, count);
      assert.ok(tallies.texts <= 1000 + 3 * count, `${tallies.texts} texts are kept`);
    }
  });
});
