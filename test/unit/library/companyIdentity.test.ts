import assert from 'node:assert/strict';
import type { Company } from '../../../src/api/schemas/company.ts';
import { companyOf, isSameCompany, mergeCompany } from '../../../src/library/sqlite/companyTable.ts';
import { report } from './support/wireReports.ts';

const named = (given: Partial<Parameters<typeof isSameCompany>[0]>) => ({
  ...{ lei: null, figi: null, isin: null, company_name: null },
  ...given,
});

describe('two descriptions are of one company (COM-1)', () => {
  it('by the first identifier that both carry, and by the name only when they share none', () => {
    const order = ['lei', 'figi', 'isin', 'company_name'] as const;
    for (const [index, name] of order.entries()) {
      const less = Object.fromEntries(order.slice(index + 1).map((other) => [other, 'same']));
      const differing = Object.fromEntries(order.slice(index + 1).map((other) => [other, 'other']));
      assert.equal(isSameCompany(named({ ...less, [name]: 'a' }), named({ ...less, [name]: 'b' })), false, name);
      assert.equal(isSameCompany(named({ ...less, [name]: 'a' }), named({ ...differing, [name]: 'a' })), true, name);
      const one = named({ ...less, [name]: 'a' });
      assert.equal(isSameCompany(one, named(less)), index < order.length - 1, `${name} of one alone`);
    }
    assert.equal(isSameCompany(named({}), named({})), false);
  });
});

describe('two descriptions of one company', () => {
  const described = (given: Partial<Company>): Company => ({ ...companyOf(report(1)), ...given });
  const held = described({ company_name: 'Held', sector: null, ticker: 'HLD', cik: '1', fiscal_year_end_month: 12 });
  const incoming = { company_name: 'New', sector: 'Energy', ticker: null, cik: null, fiscal_year_end_month: null };
  const merged = (rule: Parameters<typeof mergeCompany>[2]) => {
    const { company_name, sector, ticker, cik, fiscal_year_end_month } = mergeCompany(held, described(incoming), rule);
    return [company_name, sector, ticker, cik, fiscal_year_end_month];
  };

  it('become one: the new one wins, fills gaps alone, or counts as it is but for what reports never state', () => {
    assert.deepEqual(merged('newer-wins'), ['New', 'Energy', 'HLD', '1', 12]);
    assert.deepEqual(merged('fill-gaps'), ['Held', 'Energy', 'HLD', '1', 12]);
    assert.deepEqual(merged('replace'), ['New', 'Energy', null, '1', 12]);
  });

  it('that say the same stay the held one itself', () => {
    for (const rule of ['newer-wins', 'fill-gaps', 'replace'] as const)
      assert.equal(mergeCompany(held, { ...held }, rule), held, rule);
  });
});
