import assert from 'node:assert/strict';
import { firstColumns, type ShownColumn } from '../../../src/protocol/reportTable.ts';
import { sized, startsOf, toggledColumns } from '../../../src/webview/reportTable/columns.ts';

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

  it('begin where those before them end', () => {
    assert.deepEqual(startsOf(columns), [0, 200, 500, 570]);
  });
});
