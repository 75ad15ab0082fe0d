import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkFigi, completeFigi } from '../../../src/identifiers/figi.ts';
import { figiBody, mistyped } from './arbitraries.ts';

describe('FIGI', () => {
  it("accepts the standard's own example", () => {
    assert.deepEqual(checkFigi('bbg000blnq16'), { valid: true, value: 'BBG000BLNQ16' });
  });

  it('accepts what it completes, and nothing with one digit changed', () => {
    fc.assert(
      fc.property(figiBody, fc.nat(), fc.integer({ min: 1, max: 9 }), (body, place, by) => {
        const figi = completeFigi(body);
        assert.deepEqual(checkFigi(figi), { valid: true, value: figi });
        const wrong = mistyped(figi, place, by);
        if (wrong.at(-1) !== figi.at(-1)) assert.equal(checkFigi(wrong).valid, false);
      }),
    );
  });

  it('says what is wrong', () => {
    for (const [text, reason] of [
      ['BBG000BLNQ1', /12 characters, this has 11/],
      ['GBG000BLNQ16', /never begins with GB/],
      ['BBA000BLNQ16', /two consonants and G/],
      ['BBG000BLAQ16', /no vowels/],
      ['BBG000BLNQ17', /check digit/],
    ] as const) {
      const check = checkFigi(text);
      assert.ok(!check.valid && reason.test(check.reason), text);
    }
    assert.throws(() => completeFigi('BBGAEIOU000'), RangeError);
  });
});
