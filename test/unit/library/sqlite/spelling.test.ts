import assert from 'node:assert/strict';
import { nearWords } from '../../../../src/library/sqlite/searchText.ts';
import { bring, openInMemory } from '../support/stores.ts';
import { report } from '../support/wireReports.ts';

describe('words that are spelled nearly as typed', () => {
  const words = ['altenbruch', 'aarhorn', 'orsted', 'ørsted', 'maschinenbau', 'haus'];
  const near = (typed: string) => nearWords(typed, words);

  it('have a letter more, less or another, or two that changed places', () => {
    for (const typed of ['altenbuch', 'altenbrruch', 'altenbroch', 'altenbrcuh', 'latenbruch']) {
      assert.deepEqual(near(typed), ['altenbruch'], typed);
    }
    assert.deepEqual(near('maschienbau'), ['maschinenbau'], 'two letters in a long word');
    assert.deepEqual(near('orsted'), ['orsted', 'ørsted']);
  });

  it('may go on after what is typed', () => {
    assert.deepEqual(near('altne'), ['altenbruch']);
    assert.deepEqual(near('aahror'), ['aarhorn']);
    assert.deepEqual(near('arahro'), [], 'two letters in a short word');
    assert.deepEqual(near('ahus'), ['haus']);
  });

  it('are none for what is too short or far off', () => {
    for (const typed of ['hua', 'mistral', 'bruchalten']) assert.deepEqual(near(typed), [], typed);
  });
});

describe('a search with a typo', () => {
  it('finds the company and its reports as the right spelling does; what is spelled right finds nothing else', () => {
    const store = openInMemory();
    const named = (n: number, name: string) => {
      const given = report(n, {}, 1);
      return { ...given, company_name: name, company_key: `XTST_${n}`, metadata: { ...given.metadata, company: name } };
    };
    bring(store, [named(1, 'Altenbruch AG'), named(2, 'Altenbuchen SE'), named(3, 'Ørsted A/S')]);
    const found = (text: string) => [
      store.findCompanies(text, 9).map(({ company_name }) => company_name),
      store.countReports({ text }),
      store.reports({ text }, { limit: 9 }).items.map(({ company_name }) => company_name),
    ];
    const only = (name: string) => [[name], 1, [name]];
    assert.deepEqual(found('altenbuch'), only('Altenbuchen SE'), 'spelled right so far');
    assert.deepEqual(found('altenbrcuh'), only('Altenbruch AG'));
    assert.deepEqual(found('altenbrüch ag'), only('Altenbruch AG'));
    assert.deepEqual(found('orsted'), only('Ørsted A/S'));
    assert.deepEqual(found('altenbrcuh zzzz'), [[], 0, []]);
    // A company that comes later is found by a typo as well.
    bring(store, [named(4, 'Mistral Group')]);
    assert.deepEqual(found('mistarl'), only('Mistral Group'));
    store.close();
  });
});
