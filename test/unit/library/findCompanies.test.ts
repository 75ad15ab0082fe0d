import assert from 'node:assert/strict';
import { companyOf } from '../../../src/library/sqlite/companyTable.ts';
import { openInMemory } from './support/stores.ts';
import { report } from './support/wireReports.ts';

describe('companies of the library', () => {
  it('are found by each of their identifiers', () => {
    const store = openInMemory();
    const none = { isin: null, lei: null, figi: null, cik: null, ticker: null, mic: null, company_name: 'Any plc' };
    const identifiers = { isin: 'FR0000000001', lei: 'LEI0001', figi: 'BBG000000001', cik: '0000777', ticker: 'TCKR' };
    const other = { ...companyOf(report(1)), ...none, company_key: 'XLON_OTH' };
    const company = { ...other, ...identifiers, company_key: 'XPAR_BRV' };
    store.applyWatchlist({ reading: store.beginWatchlist(), companies: [company, other], last: true });
    for (const text of Object.values(identifiers)) {
      const found = store.findCompanies(text.toLowerCase(), 10).map(({ company_key }) => company_key);
      assert.deepEqual(found, ['XPAR_BRV'], text);
    }
    store.close();
  });
});
