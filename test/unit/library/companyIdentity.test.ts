import assert from 'node:assert/strict';
import { isSameCompany } from '../../../src/library/companyIdentity.ts';

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
