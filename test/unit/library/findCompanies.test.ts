import assert from 'node:assert/strict';
import { companyOf } from '../../../src/library/sqlite/companyTable.ts';
import { setSynonyms } from '../../../src/library/sqlite/searchText.ts';
import { bring, openInMemory } from './support/stores.ts';
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

  it('and their reports are found by country, sector and type, in English and in the reader’s language', () => {
    const store = openInMemory();
    const german = {
      ...{ ...report(1), report_id: 1 },
      company_name: 'Alder AG',
      report_title: 'One',
      company_country: 'Germany',
      company_sector: 'Utilities',
      report_type: 'CGOV',
    };
    const other = {
      ...{ ...report(2), report_id: 2 },
      company_key: 'XNYS_BELL',
      ...{ company_isin: null, company_lei: 'LEI0002', company_figi: null },
      company_name: 'Bell Inc.',
      company_country: 'United States',
      company_sector: 'Energy',
      report_type: 'SR',
    };
    bring(store, [german, other]);
    const reports = (text: string) => store.reports({ text }, { limit: 9 }).items.map(({ report_id }) => report_id);
    const companies = (text: string) => store.findCompanies(text, 9).map(({ company_key }) => company_key);
    setSynonyms([
      ['Deutschland', 'Germany'],
      ['Vereinigte Staaten', 'United States'],
      ['Bericht zur Unternehmensführung', 'Corporate Governance Report'],
    ]);
    for (const text of ['germany', 'Deutschl', 'utilities germany', 'governance', 'unternehmensführung'])
      assert.deepEqual(reports(text), [1], text);
    assert.deepEqual(reports('vereinigte staaten'), [2]);
    for (const text of ['germany', 'deutschland', 'utilities'])
      assert.deepEqual(companies(text), [german.company_key], text);
    setSynonyms([]);
    assert.deepEqual(reports('deutschland'), []);
    store.close();
  });
});
