import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkLei, completeLei } from '../../../src/identifiers/lei.ts';
import { leiBody, mistyped } from './arbitraries.ts';

describe('LEI', () => {
  it('accepts what it completes; the remainder by 97 is 1, as ISO 7064 asks', () => {
    fc.assert(
      fc.property(leiBody, (body) => {
        const lei = completeLei(body);
        const digits = [...lei].map((character) => Number.parseInt(character, 36)).join('');
        assert.equal(BigInt(digits) % 97n, 1n);
        assert.deepEqual(checkLei(lei.toLowerCase()), { valid: true, value: lei });
      }),
    );
  });

  it('finds a changed digit', () => {
    fc.assert(
      fc.property(leiBody, fc.nat(), fc.integer({ min: 1, max: 9 }), (body, place, by) => {
        assert.equal(checkLei(mistyped(completeLei(body), place, by)).valid, false);
      }),
    );
  });

  it('says what is wrong', () => {
    for (const [text, reason] of [
      ['DEMO00ABC', /20 characters, this has 9/],
      ['DEMO00ABCDEFGHIJKLXY', /ends with two digits/],
      ['DEMO00ABCDEFGHIJKL00', /check digits/],
    ] as const) {
      const check = checkLei(text);
      assert.ok(!check.valid && reason.test(check.reason), text);
    }
  });
});
