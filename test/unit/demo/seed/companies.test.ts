import assert from 'node:assert/strict';
import type { DemoCompany } from '../../../../src/demo/catalog.ts';
import { demoCompanies } from '../../../../src/demo/seed/companies.ts';
import { checkCik, checkFigi, checkIsin, checkLei } from '../../../../src/identifiers/codes.ts';
import { parseCompanyKey } from '../../../../src/identifiers/reportKey.ts';
import { catalogOf } from '../../../support/demo/generated.ts';

const written = demoCompanies.map(({ company }) => company);
const many = catalogOf(3000).companies;

function identifiersAreValid(company: DemoCompany): void {
  const about = company.company_key;
  if (company.isin !== null) assert.deepEqual(checkIsin(company.isin), { valid: true, value: company.isin }, about);
  if (company.lei !== null) assert.deepEqual(checkLei(company.lei), { valid: true, value: company.lei }, about);
  if (company.figi !== null) assert.deepEqual(checkFigi(company.figi), { valid: true, value: company.figi }, about);
  if (company.cik !== null) assert.equal(checkCik(company.cik).valid, true, about);
}

describe('Demo companies', () => {
  it('has 24 that are licensed, and as many more as wanted', () => {
    assert.equal(written.length, 26);
    assert.equal(many.length, 3000);
    assert.deepEqual(many.slice(0, 26), written);
  });

  it('has right check digits everywhere (COM-2)', () => many.forEach(identifiersAreValid));

  it('has identifiers that can be nobody’s: an invented registrar and unused ranges', () => {
    for (const { lei, figi, cik } of many) {
      if (lei !== null) assert.match(lei, /^DEMO00/);
      if (figi !== null) assert.match(figi, /^BBG9Z/);
      if (cik !== null) assert.ok(Number(cik) >= 9_900_000);
    }
  });

  it('gives every company its own key, name and identifiers', () => {
    for (const field of ['company_key', 'company_name', 'isin', 'lei', 'figi', 'cik'] as const) {
      const values = many.map((company) => company[field]).filter((value) => value !== null);
      assert.equal(new Set(values).size, values.length, field);
    }
  });

  it('keeps key, market and ticker in agreement, and gives unlisted ones none (COM-1)', () => {
    for (const company of many) {
      const parts = parseCompanyKey(company.company_key);
      assert.ok(parts);
      if (parts.listed) assert.deepEqual([parts.mic, parts.ticker], [company.mic, company.ticker]);
      else assert.deepEqual([company.mic, company.ticker, company.exchange, company.isin], [null, null, null, null]);
    }
    assert.ok(written.filter((company) => company.mic === null).length >= 2);
  });

  it('withholds the ISINs of US, Canadian and British issuers (COM-2)', () => {
    for (const company of many) {
      const embeds = ['United States', 'Canada', 'United Kingdom'].includes(company.country);
      assert.equal(company.isinWithheld, embeds && company.isin !== null, company.company_key);
    }
  });
});
