import assert from 'node:assert/strict';
import { candidateOf, companiesLike } from '../../../../src/editor/resolve/ask.ts';
import { type LibraryCompany, sortName } from '../../../../src/library/companyQuery.ts';
import type { LibraryCalls } from '../../../../src/library/library.ts';

const company = (company_key: string, company_name: string, ticker: string | null = null): LibraryCompany => ({
  ...{ company_key, company_name, ticker, isin: null, lei: null, figi: null, cik: null, mic: null, exchange: null },
  ...{ fiscal_year_end_month: null, country: null, sector: null, industry: null, other: {} },
  ...{ watched: true, listed: 1, gone: 0, newest: 2024 },
});
const companies = [
  company('XASX_ORLM', 'Orlestone Minerals Limited', 'ORLM'),
  company('XLON_ORLS', 'Orlestone Banking Group plc', 'ORLS'),
  company('XLON_MNRL', 'Minerals Group plc', 'MNRL'),
  company('UNLT_Ålv', 'Älvgården Skog AB'),
  company('XLON_ORL', 'Orlestonework plc', 'ORL'),
];
/** As the index: words of a company that begin with what is asked. */
const library = {
  findCompanies: async (word: string) =>
    companies.filter(({ company_key, company_name }) =>
      (sortName(`${company_name} ${company_key}`).match(/[\p{L}\p{N}]+/gu) ?? []).some((each) => each.startsWith(word)),
    ),
} as unknown as LibraryCalls;
const like = async (text: string) => (await companiesLike(library, text)).map(({ company_key }) => company_key);

describe('Companies that a text may mean', () => {
  it('are all that share a significant word with it, those that share most first', async () => {
    assert.deepEqual(await like('Orlestone Group'), ['XASX_ORLM', 'XLON_ORLS']);
    assert.deepEqual(await like('The Minerals of Orlestone, plc'), ['XASX_ORLM', 'XLON_MNRL', 'XLON_ORLS']);
    assert.deepEqual(await like('alvgarden'), ['UNLT_Ålv']);
  });

  it('share the ticker, not its market', async () => {
    assert.deepEqual(await like('XLON:ORLM'), ['XASX_ORLM']);
    assert.deepEqual(await like('ORLS'), ['XLON_ORLS']);
  });

  it('share a common word only where there is no other', async () => {
    assert.deepEqual(await like('Group'), ['XLON_ORLS', 'XLON_MNRL']);
    assert.deepEqual(await like('Banking Trust'), ['XLON_ORLS']);
    assert.deepEqual(await like('…'), []);
  });

  it('are asked for by what leads to them alone', () => {
    assert.deepEqual(companies.slice(0, 1).map(candidateOf), [
      { name: 'Orlestone Minerals Limited', text: 'XASX:ORLM' },
    ]);
    const unlisted = { ...(companies[3] as LibraryCompany), lei: 'DEMO00ALVGARDENSKOG0' };
    assert.equal(candidateOf(unlisted).text, 'DEMO00ALVGARDENSKOG0');
  });
});
