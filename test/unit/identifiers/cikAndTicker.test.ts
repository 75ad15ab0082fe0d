import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkCik, cikKey } from '../../../src/identifiers/cik.ts';
import { checkMicTicker, splitMicTicker } from '../../../src/identifiers/micTicker.ts';

describe('CIK', () => {
  it('keeps the digits as written and compares them at ten digits', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9_999_999_999 }), fc.nat(9), (number, zeros) => {
        const written = String(number).padStart(zeros, '0');
        assert.deepEqual(checkCik(written), { valid: true, value: written });
        assert.equal(cikKey(written), String(number).padStart(10, '0'));
      }),
    );
    assert.deepEqual(checkCik('CIK: 0009900131'), { valid: true, value: '0009900131' });
  });

  it('refuses zero, letters and eleven digits', () => {
    for (const text of ['', '0', '0000000000', '12a', '12345678901', '-5', '1.5', '１２']) {
      assert.equal(checkCik(text).valid, false, text);
    }
  });
});

describe('MIC:TICKER', () => {
  it('tolerates case and blanks around the colon', () => {
    assert.deepEqual(checkMicTicker(' xpar : vmis '), { valid: true, value: 'XPAR:VMIS' });
    assert.deepEqual(splitMicTicker('XTKS:6Q41'), { mic: 'XTKS', ticker: '6Q41' });
    assert.deepEqual(checkMicTicker('XSTO:ABC B'), { valid: true, value: 'XSTO:ABC B' });
  });

  it('says what is wrong', () => {
    for (const [text, reason] of [
      ['VMIS', /market before the ticker/],
      ['PAR:VMIS', /four letters/],
      ['XPAR:', /ticker has/],
      ['XPAR:A:B', /no further colon/],
    ] as const) {
      const check = checkMicTicker(text);
      assert.ok(!check.valid && reason.test(check.reason), text);
    }
  });
});
