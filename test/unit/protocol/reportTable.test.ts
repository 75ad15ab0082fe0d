import assert from 'node:assert/strict';
import { barsOf, firstColumns, type ShownColumn, sized, toggledColumns } from '../../../src/protocol/reportTable.ts';

const columns: readonly ShownColumn[] = [
  { id: 'company', width: 200 },
  { id: 'title', width: 300 },
  { id: 'pages', width: 70 },
];
const ids = (given: readonly ShownColumn[]) => given.map(({ id }) => id);

describe('columns of the table of all reports', () => {
  it('keep a width that can be seen and pulled', () => {
    assert.deepEqual(
      [-500, 250.4, 99_999].map((width) => sized(columns, 1, width)[1]?.width),
      [48, 250, 1000],
    );
  });

  it('come where they stand at first, and the last one stays', () => {
    assert.deepEqual(ids(toggledColumns(columns, 'country')), ['company', 'title', 'country', 'pages']);
    assert.deepEqual(ids(toggledColumns(columns, 'title')), ['company', 'pages']);
    assert.deepEqual(ids(toggledColumns([{ id: 'title', width: 90 }], 'title')), ['title']);
    assert.deepEqual(toggledColumns(firstColumns, 'standards_cdp').at(-1)?.id, 'standards_cdp');
  });
});

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
