import assert from 'node:assert/strict';
import { barsOf } from '../../../src/webview/reportTable/yearBars.ts';

const counts = (...years: readonly (number | null)[]) => years.map((year) => ({ year, count: 1, isOn: false }));
const shown = (...years: readonly (number | null)[]) =>
  barsOf(counts(...years)).map(({ year, count }) => [year, count]);

describe('the bars of years', () => {
  it('stand for every year from the first to the last, and for undated reports behind them', () => {
    assert.deepEqual(shown(null, 2021, 2018), [
      [2018, 1],
      [2019, 0],
      [2020, 0],
      [2021, 1],
      [null, 1],
    ]);
    assert.deepEqual(shown(), []);
    assert.deepEqual(shown(null), [[null, 1]]);
  });

  it('leave out what lies between, where an odd year is far from the others', () => {
    assert.deepEqual(shown(2024, 20240, 2019), [
      [2019, 1],
      [2024, 1],
      [20240, 1],
    ]);
    const many = Array.from({ length: 90 }, (_, at) => 1935 + at);
    assert.deepEqual([shown(...many).length, shown(...many).at(-1)], [60, [2024, 1]]);
  });
});
