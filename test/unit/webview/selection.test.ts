import assert from 'node:assert/strict';
import { chosenCells, isSelected, movedSelection, type Selection } from '../../../src/webview/common/cellKeys.ts';

const size = { rows: 5, columns: 13 };
const start: Selection = { active: { row: 1, column: 2 }, anchor: null };
const press = (selection: Selection, key: string, held: { shiftKey?: boolean; ctrlKey?: boolean } = {}) =>
  movedSelection(selection, { key, shiftKey: false, ctrlKey: false, metaKey: false, ...held }, size) ?? selection;

describe('a range of the company matrix', () => {
  it('grows with Shift from where it began, and ends with a plain key', () => {
    const shiftKey = true;
    const range = press(press(start, 'ArrowRight', { shiftKey }), 'ArrowDown', { shiftKey });
    assert.deepEqual(range, { active: { row: 2, column: 3 }, anchor: { row: 1, column: 2 } });
    const places = [];
    for (let row = 0; row < 5; row++)
      for (let column = 0; column < 13; column++) if (isSelected(range, row, column)) places.push(`${row}.${column}`);
    assert.deepEqual(places, ['1.2', '1.3', '2.2', '2.3']);
    assert.equal(press(range, 'ArrowUp').anchor, null);
    assert.deepEqual(press(range, 'Escape'), { active: range.active, anchor: null });
  });

  it('stays inside, and reaches the ends and all', () => {
    const ctrlKey = true;
    assert.deepEqual(press(start, 'ArrowUp', { ctrlKey }).active, { row: 0, column: 2 });
    assert.deepEqual(press({ active: { row: 0, column: 0 }, anchor: null }, 'ArrowLeft').active, { row: 0, column: 0 });
    assert.deepEqual(press(start, 'End').active, { row: 1, column: 12 });
    assert.deepEqual(press(start, 'a', { ctrlKey }), { active: { row: 4, column: 12 }, anchor: { row: 0, column: 0 } });
    assert.equal(movedSelection(start, { key: 'x', shiftKey: false, ctrlKey: false, metaKey: false }, size), undefined);
    assert.equal(
      movedSelection(start, { key: 'constructor', shiftKey: false, ctrlKey: false, metaKey: false }, size),
      undefined,
    );
  });

  it('names its cells; without one, all of them', () => {
    const rows = ['a', 'b', 'c'].map((row) => ({ cells: [1, 2, 3].map((column) => ({ id: `${row}${column}` })) }));
    const range = { active: { row: 0, column: 0 }, anchor: { row: 1, column: 1 } };
    assert.deepEqual(chosenCells(rows, range), ['a1', 'a2', 'b1', 'b2']);
    assert.equal(chosenCells(rows, { ...range, anchor: null }).length, 9);
  });
});
