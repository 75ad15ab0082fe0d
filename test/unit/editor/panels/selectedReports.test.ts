import assert from 'node:assert/strict';
import { SelectedReports } from '../../../../src/editor/panels/selectedReports.ts';

describe('a selection of reports', () => {
  it('knows all but some, and turns over what is toggled', async () => {
    const selected = new SelectedReports();
    const none = async () => [];
    await selected.select('all', false, none);
    await selected.select('toggle', false, async () => [3, 4]);
    await selected.select('toggle', false, async () => [4]);
    assert.deepEqual([selected.has(3), selected.has(4), selected.isAll, selected.count(10)], [false, true, false, 9]);
    assert.deepEqual(await selected.ids(async () => [1, 2, 3, 4]), [1, 2, 4]);
    assert.equal(
      selected.every(() => true),
      false,
    );
    await selected.select('none', false, none);
    assert.deepEqual([selected.has(1), selected.count(10)], [false, 0]);
  });

  it('takes what was selected last, however late a long range comes, and adds to it in turn', async () => {
    const selected = new SelectedReports();
    const long = Promise.withResolvers<number[]>();
    const range = selected.select('only', false, () => long.promise);
    await selected.select('only', false, async () => [3]);
    long.resolve([1, 2, 3, 4]);
    await range;
    assert.deepEqual(await selected.ids(async () => []), [3]);
    const slow = Promise.withResolvers<number[]>();
    const more = selected.select('only', false, () => slow.promise);
    const less = selected.select('toggle', false, async () => [6]);
    slow.resolve([5, 6, 7]);
    await Promise.all([more, less]);
    assert.deepEqual(await selected.ids(async () => []), [5, 7]);
  });
});
