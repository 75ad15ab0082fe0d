import assert from 'node:assert/strict';
import { getOrInsert, getOrInsertComputed, sumPrecise } from '../../../../src/webview/pdfPreview/newer.ts';

describe('what pdf.js takes for granted', () => {
  it('gives what a map has, and keeps what was made for a key it lacks', () => {
    const map = new Map<string, number | undefined>([
      ['known', 1],
      ['empty', undefined],
    ]);
    const made: string[] = [];
    const make = (key: unknown) => made.push(String(key)) + 10;
    assert.equal(getOrInsertComputed.call(map, 'known', make), 1);
    assert.equal(getOrInsertComputed.call(map, 'empty', make), undefined);
    assert.equal(getOrInsertComputed.call(map, 'new', make), 11);
    assert.equal(getOrInsertComputed.call(map, 'new', make), 11);
    assert.deepEqual(made, ['new']);
    assert.equal(getOrInsert.call(map, 'other', 5), 5);
    assert.equal(getOrInsert.call(map, 'other', 6), 5);
    assert.equal(map.get('other'), 5);
  });

  it('adds without losing what is small beside what is large', () => {
    assert.equal(sumPrecise([1e16, 1, 1, -1e16]), 2);
    assert.equal(sumPrecise([1, 1e100, 1, -1e100]), 2);
    assert.equal(sumPrecise([]), -0);
    assert.equal(sumPrecise([Number.POSITIVE_INFINITY, 1]), Number.POSITIVE_INFINITY);
    assert.ok(Number.isNaN(sumPrecise([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY])));
    assert.equal(sumPrecise(new Set([1, 2, 3])), 6);
  });

  it('is there for everybody', () => {
    for (const target of [Map.prototype, WeakMap.prototype]) assert.ok('getOrInsert' in target);
    for (const target of [Map.prototype, WeakMap.prototype]) assert.ok('getOrInsertComputed' in target);
    assert.ok('sumPrecise' in Math);
  });
});
