import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  columnNumbers,
  inferNumberStyle,
  type NumberStyle,
  numberStyles,
  printedNumber,
} from '../../../src/base/cells.ts';

describe('a printed number', () => {
  it('is read in the style that a person told, and in no other', () => {
    for (const [text, style, wanted] of [
      ['1,234.5', '1,234.5', 1234.5],
      ['1.234,5', '1.234,5', 1234.5],
      ['1 234,5', '1 234,5', 1234.5],
      ['1\u202f234,5', '1 234,5', 1234.5],
      ['1’234’567', '1 234,5', 1_234_567],
      ['1,234', '1.234,5', 1.234],
      ['1.234', '1,234.5', 1.234],
      ['1,234.5', '1.234,5', null],
      ['1,23,456', '1,234.5', 123_456],
      ['1,23,45,678.90', '1,234.5', 12_345_678.9],
      ['1,23,45', '1,234.5', null],
      ['123,45,678', '1,234.5', null],
      ["1'234.50", '1,234.5', 1234.5],
      ['1’234’567.5', '1,234.5', 1_234_567.5],
      ["1'234,567.5", '1,234.5', null],
      ['1.234,56-', '1.234,5', -1234.56],
      ['1,234−', '1,234.5', -1234],
      ['-1,234-', '1,234.5', null],
      ['12 % -', '1,234.5', -12],
      ['US$1,234', '1,234.5', 1234],
      ['-US$ 1,234', '1,234.5', -1234],
      ['(R$ 1.234,5)', '1.234,5', -1234.5],
      ['HK$5', '1,234.5', 5],
      ['USD 5', '1,234.5', null],
      ['△1,234', '1,234.5', -1234],
      ['△ 5.2 %', '1,234.5', -5.2],
      ['▲1,234', '1,234.5', null],
      ['▼ 5', '1,234.5', null],
      ['12,34', '1,234.5', null],
      ['(1,234)', '1,234.5', -1234],
      ['−12', '1,234.5', -12],
      ['- 12', '1,234.5', -12],
      ['12 %', '1,234.5', 12],
      ['€ 5', '1,234.5', 5],
      ['1,234²', '1,234.5', 1234],
      ['–', '1,234.5', null],
      ['', '1,234.5', null],
      ['n/a', '1,234.5', null],
      ['(12', '1,234.5', null],
      ['1 2', '1,234.5', null],
      ['1e5', '1,234.5', null],
      ['0x10', '1,234.5', null],
      ['-€ 5', '1,234.5', -5],
      ['(5 %)²', '1,234.5', -5],
      ['(-5)', '1,234.5', null],
      ['5% 100%', '1 234,5', null],
      ['4²5', '1,234.5', null],
      ['12%34', '1,234.5', null],
      ['10*3', '1,234.5', null],
      ['9,007,199,254,740,993', '1,234.5', null],
      ['999,999,999,999,999', '1,234.5', 999_999_999_999_999],
      ['0.000000000000001', '1,234.5', 1e-15],
    ] as const)
      assert.equal(printedNumber(text, style), wanted, `${text} as ${style}`);
  });

  it('is the number that a locale printed so', () => {
    const locales: Readonly<Record<NumberStyle, string>> = { '1,234.5': 'en', '1.234,5': 'de', '1 234,5': 'fr' };
    fc.assert(
      fc.property(fc.constantFrom(...numberStyles), fc.integer({ min: -(10 ** 9), max: 10 ** 9 }), (style, value) => {
        const text = (value / 100).toLocaleString(locales[style], { minimumFractionDigits: 2 });
        assert.equal(printedNumber(text, style), value / 100);
      }),
    );
  });
});

describe('the numbers of a table', () => {
  it('are read in the style that reads most of them, and rather as thousands than as three decimals', () => {
    for (const [cells, style] of [
      [['1,234', '56'], '1,234.5'],
      [['1.234', '56'], '1.234,5'],
      [['1 234', '5,5'], '1 234,5'],
      [['12.5', '1.234', '3.1'], '1,234.5'],
      [['12,5 %', '1.234'], '1.234,5'],
      [['Scope 1', 'n/a'], '1,234.5'],
      [[], '1,234.5'],
    ] as const)
      assert.equal(inferNumberStyle(cells), style, cells.join(' | '));
  });

  it('are those of columns in which at least half of the cells with words or figures are numbers', () => {
    assert.deepEqual(columnNumbers(['1,200', '–', 'n/a', ''], '1,234.5'), [1200, null, null, null]);
    assert.equal(columnNumbers(['Scope', '1', 'Scope 2'], '1,234.5'), null);
    assert.equal(columnNumbers(['–', ''], '1,234.5'), null);
    assert.equal(columnNumbers(['1,200'], null), null);
  });
});
