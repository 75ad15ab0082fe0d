import assert from 'node:assert/strict';
import fc from 'fast-check';
import { formatReportKey, parseCompanyKey, parseReportKey } from '../../../src/identifiers/reportKey.ts';

const word = (characters: string, min: number, max: number) =>
  fc.string({ unit: fc.constantFrom(...characters), minLength: min, maxLength: max });
const companyKey = fc.oneof(
  fc
    .tuple(fc.constantFrom('XPAR', 'XETR', 'BVMF'), word('ABCXYZ019.&-', 1, 8))
    .map(([mic, ticker]) => `${mic}_${ticker}`),
  word('ABCXYZ_', 1, 20).map((name) => `UNLT_${name}`),
);

describe('Company and report keys', () => {
  it('reads what it writes', () => {
    fc.assert(
      fc.property(
        companyKey,
        fc.oneof(fc.constant(0), fc.integer({ min: 1990, max: 2099 })),
        fc.constantFrom('SR', 'AR2', 'TCFD', 'NXTG'),
        fc.option(fc.constantFrom('2', 'EN', '3_B')),
        (key, year, type, suffix) => {
          const parts = { companyKey: key, year, type, suffix };
          assert.deepEqual(parseReportKey(formatReportKey(parts)), parts);
        },
      ),
    );
  });

  it('takes the last year for the cover year, since a name may hold one', () => {
    assert.deepEqual(parseReportKey('UNLT_WERK_1904_2021_SR'), {
      companyKey: 'UNLT_WERK_1904',
      year: 2021,
      type: 'SR',
      suffix: null,
    });
  });

  it('has no keys of more than 1,000 characters', () => {
    const key = (length: number) => `UNLT_${'A'.repeat(length - 13)}_2021_SR`;
    assert.equal(parseReportKey(key(1000))?.type, 'SR');
    assert.equal(parseReportKey(key(1001)), null);
  });

  it('tells listed from unlisted', () => {
    assert.deepEqual(parseCompanyKey('XPAR_VMIS'), { listed: true, mic: 'XPAR', ticker: 'VMIS' });
    const unlisted = parseCompanyKey('UNLT_GEBRUEDER_HOHENFELS');
    assert.deepEqual(unlisted, { listed: false, name: 'GEBRUEDER_HOHENFELS' });
  });

  it('takes nothing else for a key', () => {
    for (const text of [
      '',
      'XPAR',
      'XPAR_',
      'a name',
      'XPAR_VMIS_20211_SR',
      'XPAR_VMIS_2021',
      'XPAR_VMIS_2021_',
      'XPAR_VMIS_2021_S',
      'XPAR_VMIS_2021_1SR',
      'XPAR_VMIS_2021_SR_A B',
      'XPAR_VMIS_21_SR',
      'VMIS_X Y_2021_SR',
    ]) {
      assert.equal(parseReportKey(text), null, text);
    }
    for (const text of ['', 'XPAR_', 'TOOLONG_X', 'XPAR_A B']) assert.equal(parseCompanyKey(text), null, text);
  });
});
