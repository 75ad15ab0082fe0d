import assert from 'node:assert/strict';
import { linesOf, type PlacedText, unitNear, wordEdge } from '../../../src/base/placedText.ts';

/** Words in lines, each character 5 points wide and 10 high, and lines 12 points apart; turned by a quarter if asked. */
function placed(lines: readonly string[], isTurned = false): PlacedText {
  const boxes = lines.flatMap((line, row) =>
    `${line} `.split('').flatMap((character, at) => {
      if (character === ' ') return [0, 0, 0, 0];
      const [left, bottom] = [50 + 5 * at, 700 - 12 * row];
      return isTurned ? [800 - bottom - 10, left, 800 - bottom, left + 5] : [left, bottom, left + 5, bottom + 10];
    }),
  );
  return { text: lines.join(' '), boxes };
}

describe('a text with the places of its characters', () => {
  const lines = ['Our own emissions fell,', 'as planned, by a tenth.'];

  it('has a box for each line, on a page that lies on its side, too', () => {
    const found = linesOf(placed(lines), 4, 34).map(({ box, start, end }) => [box, start, end]);
    assert.deepEqual(found, [
      [[70, 700, 165, 710], 4, 23],
      [[50, 688, 100, 698], 24, 34],
    ]);
    assert.deepEqual(
      linesOf(placed(lines, true)).map(({ box, isUpright }) => [box, isUpright]),
      [
        [[90, 50, 100, 165], false],
        [[102, 50, 112, 165], false],
      ],
    );
  });

  it('has its places to a hundredth of a point, however they came', () => {
    const text = { text: 'a', boxes: Float32Array.of(10.1, 700.13, 15.55, 710.07) };
    assert.deepEqual(linesOf(text)[0]?.box, [10.1, 700.13, 15.55, 710.07]);
  });

  it('gives the character that is nearest to a point, the first or last of those that are printed as one', () => {
    const text = placed(lines);
    assert.equal(unitNear(text, [72, 705], 'start'), 4);
    // Beside the line, above and below it, and between two lines.
    assert.equal(unitNear(text, [10, 705], 'start'), 0);
    assert.equal(unitNear(text, [300, 690], 'end'), text.text.length - 1);
    assert.equal(unitNear(text, [52, 698.5], 'start'), 24);
    const ligature = { text: 'fine', boxes: [0, 0, 8, 9, 0, 0, 8, 9, 8, 0, 12, 9, 12, 0, 16, 9] };
    assert.deepEqual([unitNear(ligature, [4, 4], 'start'), unitNear(ligature, [4, 4], 'end')], [0, 1]);
    assert.equal(unitNear({ text: '', boxes: [] }, [1, 1], 'start'), undefined);
  });

  it('has the edges of words near a character', () => {
    const text = 'Our own emissions';
    for (const [at, side, wanted] of [
      [8, 'start', 8],
      [9, 'start', 8],
      [6, 'end', 6],
      [5, 'end', 6],
      // None is near.
      [12, 'start', 12],
      [0, 'start', 0],
    ] as const)
      assert.equal(wordEdge(text, at, side), wanted, `${at} ${side}`);
  });
});
