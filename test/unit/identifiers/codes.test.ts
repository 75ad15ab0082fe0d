import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  checkCik,
  checkFigi,
  checkIsin,
  checkLei,
  checkMicTicker,
  cikKey,
  completeFigi,
  completeIsin,
  completeLei,
} from '../../../src/identifiers/codes.ts';
import { figiBody, isinBody, leiBody, mistyped } from './arbitraries.ts';

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
    assert.match(reasonOf('AU0000XVGZA'), /12 characters; this one has 11/);
    assert.match(reasonOf('1U0000XVGZA3'), /two-letter country/);
    assert.match(reasonOf('AU0000XVGZAX'), /ends with a digit/);
    assert.match(reasonOf('AU0000XVGZA4'), /check digit/);
    assert.match(reasonOf('АU0000XVGZA3'), /two-letter country/, 'a Cyrillic letter is no Latin one');
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
});

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
      ['DEMO00ABC', /20 characters; this one has 9/],
      ['DEMO00ABCDEFGHIJKLXY', /ends with two digits/],
      ['DEMO00ABCDEFGHIJKL00', /check digits/],
    ] as const) {
      const check = checkLei(text);
      assert.ok(!check.valid && reason.test(check.reason), text);
    }
  });
});

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
      ['BBG000BLNQ1', /12 characters; this one has 11/],
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

describe('CIK', () => {
  it('has ten digits, however it is written', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999_999_999 }), fc.nat(9), (number, zeros) => {
        const written = String(number).padStart(zeros, '0');
        const value = String(number).padStart(10, '0');
        assert.deepEqual(checkCik(written), { valid: true, value });
        assert.equal(cikKey(written), value);
      }),
    );
    assert.deepEqual(checkCik('CIK: 0009900131'), { valid: true, value: '0009900131' });
  });

  it('refuses zero, letters and eleven digits', () => {
    for (const text of ['', '0', '0000000000', '12a', '12345678901', '-5', '1.5', '1,23']) {
      assert.equal(checkCik(text).valid, false, text);
    }
  });
});

describe('MIC:TICKER', () => {
  it('tolerates case and blanks around the colon', () => {
    assert.deepEqual(checkMicTicker(' xpar : vmis '), { valid: true, value: 'XPAR:VMIS' });
    assert.deepEqual(checkMicTicker('XSTO:ABC B'), { valid: true, value: 'XSTO:ABC B' });
  });

  it('says what is wrong', () => {
    for (const [text, reason] of [
      ['VMIS', /market before the ticker/],
      ['ABC:VMIS', /four letters/],
      ['XPAR:', /ticker has/],
      ['XPAR:A:B', /no second colon/],
    ] as const) {
      const check = checkMicTicker(text);
      assert.ok(!check.valid && reason.test(check.reason), text);
    }
  });
});
