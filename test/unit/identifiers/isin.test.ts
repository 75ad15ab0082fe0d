import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkIsin, completeIsin } from '../../../src/identifiers/isin.ts';
import { isinBody, mistyped } from './arbitraries.ts';

describe('ISIN', () => {
  it('accepts a published example, whatever its case, blanks and hyphens', () => {
    for (const text of ['AU0000XVGZA3', 'au0000xvgza3', ' AU 0000 XVGZ A3 ', 'AU-0000XVGZA-3', '"AU0000XVGZA3"']) {
      assert.deepEqual(checkIsin(text), { valid: true, value: 'AU0000XVGZA3' });
    }
  });

  it('says what is wrong', () => {
    const reasonOf = (text: string) => {
      const check = checkIsin(text);
      return check.valid ? '' : check.reason;
    };
    assert.match(reasonOf('AU0000XVGZA'), /12 characters, this has 11/);
    assert.match(reasonOf('1U0000XVGZA3'), /two letters/);
    assert.match(reasonOf('AU0000XVGZAX'), /ends with a digit/);
    assert.match(reasonOf('AU0000XVGZA4'), /check digit/);
    assert.match(reasonOf('АU0000XVGZA3'), /two letters/, 'a Cyrillic letter is no Latin one');
  });

  it('accepts what it completes, and nothing with one digit changed', () => {
    fc.assert(
      fc.property(isinBody, fc.nat(), fc.integer({ min: 1, max: 9 }), (body, place, by) => {
        const isin = completeIsin(body);
        assert.deepEqual(checkIsin(isin), { valid: true, value: isin });
        const wrong = mistyped(isin, place, by);
        if (wrong !== isin) assert.equal(checkIsin(wrong).valid, false);
      }),
    );
  });

  it('refuses to complete what is no body', () => {
    assert.throws(() => completeIsin('AU0000XVGZ'), RangeError);
    assert.throws(() => completeIsin('au0000xvgza'), RangeError);
  });
});
