import assert from 'node:assert/strict';
import { compareLetters, sortName } from '../../../src/library/companyQuery.ts';
import { allOf, bring, openInMemory } from './support/stores.ts';
import { report } from './support/wireReports.ts';

describe('letters of a list of companies', () => {
  it('come in reading order, # after the letters', () => {
    const ordered = ['A', 'B', 'Z', 'Ж', '#'];
    assert.deepEqual(ordered.toReversed().sort(compareLetters), ordered);
    for (const [index, one] of ordered.entries()) {
      for (const [at, other] of ordered.entries())
        assert.equal(compareLetters(one, other), Math.sign(index - at), `${one} and ${other}`);
    }
  });
});

describe('a list of companies', () => {
  const store = openInMemory();
  before(() => {
    // Ten companies, the newest reports of which are of three years; one has undated reports alone.
    for (let n = 0; n < 10; n++) {
      const report_fcyear = n === 4 ? null : [2022, 2024, 2023][n % 3];
      bring(store, [report(1 + n * 40, { report_fcyear, report_year: 0 })]);
    }
  });
  after(() => store.close());

  it('comes by name, each once, over pages of any size', () => {
    const whole = store.companies({}, { limit: 100 }).items;
    assert.equal(whole.length, 10);
    const name = (company: { readonly company_name: string | null }) => sortName(company.company_name ?? '');
    assert.deepEqual(
      whole,
      whole.toSorted((a, b) => (name(a) < name(b) ? -1 : 1)),
    );
    for (const limit of [1, 2, 3, 9])
      assert.deepEqual(
        allOf((after) => store.companies({}, { limit, after })),
        whole,
        `pages of ${limit}`,
      );
  });
});
