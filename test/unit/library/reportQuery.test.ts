import assert from 'node:assert/strict';
import { coversFiscalYear } from '../../../src/library/reportQuery.ts';

describe('the fiscal year a report covers', () => {
  it('is the year in which its period ends, however it is filed', () => {
    assert.equal(coversFiscalYear({ fiscal_year: 2018, period_end: '2019-03-31' }, 2019), true);
    assert.equal(coversFiscalYear({ fiscal_year: 2018, period_end: '2019-03-31' }, 2018), false);
  });

  it('is the year it is filed under when its period is not known', () => {
    for (const period_end of [null, '', 'spring']) {
      assert.equal(coversFiscalYear({ fiscal_year: 2018, period_end }, 2018), true);
      assert.equal(coversFiscalYear({ fiscal_year: 2018, period_end }, 2019), false);
    }
    assert.equal(coversFiscalYear({ fiscal_year: null, period_end: null }, 2019), false);
  });
});
