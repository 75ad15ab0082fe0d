import assert from 'node:assert/strict';
import fc from 'fast-check';
import { termsOf } from '../../../../src/library/sqlite/searchText.ts';
import { bring, openInMemory } from '../support/stores.ts';
import { report } from '../support/wireReports.ts';

describe('the words of a text', () => {
  it('are folded, in their order', () => {
    assert.deepEqual(termsOf('Überblick — Ångström’s XPAR_BRV_2023'), [
      ...['uberblick', 'angstrom', 's'],
      ...['xpar', 'brv', '2023'],
    ]);
    assert.deepEqual(termsOf(' —*" \0'), []);
  });

  it('are the same whether or not something outside ASCII stands beside them', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme-ascii', maxLength: 60 }), (text) => {
        assert.deepEqual(
          termsOf(`${text} ø`).filter((word) => word !== 'ø'),
          termsOf(text),
        );
      }),
    );
  });

  it('are what the index makes of them, so that a report is found by their beginnings, whatever they are', () => {
    const store = openInMemory();
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 40 }), fc.integer({ min: 1, max: 30 }), (title, length) => {
        const given = report(1);
        bring(store, [{ ...given, metadata: { ...given.metadata, title } }]);
        for (const word of termsOf(title)) {
          const text = [...word].slice(0, length).join('');
          assert.equal(store.countReports({ text }), 1, text);
        }
      }),
      { numRuns: 200 },
    );
    store.close();
  });

  it('find reports by a beginning that many words share, and by one that few do', () => {
    const store = openInMemory();
    const title = (n: number) => `Commonstart${n} rare${n < 3 ? 'ly' : 'r'}`;
    const all = Array.from({ length: 100 }, (_, index) => report(index + 1));
    bring(
      store,
      all.map((given, n) => ({ ...given, metadata: { ...given.metadata, title: title(n) } })),
    );
    assert.equal(store.countReports({ text: 'commonstart' }), 100);
    assert.equal(store.countReports({ text: 'commonstart rarel' }), 3);
    assert.equal(store.countReports({ text: 'rare' }), 100);
    assert.equal(store.countReports({ text: 'rarely commonstart99' }), 0);
    store.close();
  });
});
