import assert from 'node:assert/strict';
import { columns } from '../../../src/api/schemas/fields.ts';
import type { LibraryStore } from '../../../src/library/sqlite/sqliteStore.ts';
import { sampleReport } from '../../support/panels/reports.ts';
import { bring, openInMemory } from './support/stores.ts';

const now = () => 1_700_000_000_000;

/** Asks until the result is there. */
function count(store: LibraryStore, max?: number) {
  for (let steps = 1; ; steps++) {
    const { fields, counted, total } = store.fieldUse(max);
    if (fields) return { fields: new Map(fields.map((field) => [field.column, field])), counted, total, steps };
  }
}

const many = (length: number) =>
  Array.from({ length }, (_, index) =>
    sampleReport({
      report_id: index + 1,
      report_key: `KEY_${index}`,
      company_country: index % 4 === 0 ? null : index % 2 === 0 ? 'Norway' : 'Japan',
      standards_gri: index % 3 === 0 ? null : index % 3 === 1,
    }),
  );

describe(`how columns are filled`, () => {
  let store: LibraryStore;

  beforeEach(() => {
    store = openInMemory(now);
  });
  afterEach(() => store.close());

  it('is counted over all listed reports, each of the 50 columns', () => {
    bring(store, many(600));
    const { fields, counted } = count(store);
    assert.equal(counted, 600);
    assert.deepEqual(
      [...fields.keys()],
      columns.map(({ name }) => name),
    );
    assert.deepEqual(fields.get('country'), {
      column: 'country',
      filled: 450,
      distinct: 2,
      values: [
        { value: 'Japan', count: 300 },
        { value: 'Norway', count: 150 },
      ],
    });
    assert.deepEqual(fields.get('std_gri')?.values, [
      { value: 'FALSE', count: 200 },
      { value: 'TRUE', count: 200 },
    ]);
    assert.equal(fields.get('report_key')?.distinct, 600);
  });

  it('ends after as many reports as are asked for, and says of how many', () => {
    bring(store, many(600));
    for (const [max, counted] of [
      [300, 300],
      [600, 600],
      [900, 600],
    ] as const) {
      const some = count(store, max);
      assert.deepEqual([some.counted, some.total, some.fields.get('report_key')?.filled], [counted, 600, counted]);
    }
    assert.equal(count(store).counted, 600);
  });

  it('leaves withdrawn reports out, and counts again after a change', () => {
    bring(store, many(8));
    assert.equal(count(store).counted, 8);
    bring(store, [sampleReport({ report_id: 900, company_country: 'Brazil' })]);
    const again = count(store);
    assert.equal(again.counted, 9);
    assert.ok(again.fields.get('country')?.values.some(({ value }) => value === 'Brazil'));
  });

  it('tells long values apart by their beginnings', () => {
    const long = (end: string) => `${'x'.repeat(120)}${end}`;
    bring(store, [
      sampleReport({ report_id: 1, report_title: long('a') }),
      sampleReport({ report_id: 2, report_title: long('b') }),
      sampleReport({ report_id: 3, report_title: 'short' }),
    ]);
    const { filled, values } = count(store).fields.get('title') ?? {};
    assert.equal(filled, 3);
    assert.deepEqual(values, [
      { value: long('…').slice(0, 121), count: 2 },
      { value: 'short', count: 1 },
    ]);
  });

  it('gives up values that are too many to list', () => {
    const title = (index: number) => sampleReport({ report_id: index + 1, report_title: `Title ${index}` });
    bring(
      store,
      Array.from({ length: 5001 }, (_, index) => title(index)),
    );
    const expected = { column: 'title', filled: 5001, distinct: null, values: [] };
    assert.deepEqual(count(store).fields.get('title'), expected);
  });
});

describe('how columns are filled, in slices', () => {
  it('keeps the library free in between, and tells how far it is', () => {
    const store = openInMemory(now);
    bring(store, many(600));
    const first = store.fieldUse();
    assert.ok(first.fields === null && first.counted > 0 && first.counted < 600);
    assert.equal(first.total, 600);
    // What comes in the middle does not start it over, or a library that is being loaded would never be counted.
    bring(store, [sampleReport({ report_id: 5000 })]);
    assert.ok(store.fieldUse().counted > first.counted);
    count(store);
    assert.equal(count(store).counted, 601);
    store.close();
  });
});
