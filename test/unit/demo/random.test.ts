import assert from 'node:assert/strict';
import { seededRandom } from '../../../src/demo/random.ts';

const draw = (seed: number, count: number) => {
  const random = seededRandom(seed);
  return Array.from({ length: count }, random);
};

describe('seeded random', () => {
  it('repeats for a seed and differs between seeds', () => {
    assert.deepEqual(draw(5, 20), draw(5, 20));
    assert.notDeepEqual(draw(5, 20), draw(6, 20));
  });

  it('spreads over the whole range', () => {
    const numbers = draw(1, 4_000);
    assert.ok(numbers.every((number) => number >= 0 && number < 1));
    const tenths = Map.groupBy(numbers, (number) => Math.floor(number * 10));
    assert.equal(tenths.size, 10);
    for (const [, group] of tenths) assert.ok(group.length > 320 && group.length < 480);
  });
});
