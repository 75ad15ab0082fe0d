import assert from 'node:assert/strict';
import { isObject, own, put } from '../../../src/base/json.ts';

describe('json', () => {
  it('sets and reads a field named __proto__ like any other', () => {
    const target: Record<string, unknown> = {};
    put(target, '__proto__', { polluted: true });
    assert.equal(Object.getPrototypeOf(target), Object.prototype);
    assert.deepEqual(own(target, '__proto__'), { polluted: true });
    assert.equal(own({}, 'constructor'), undefined);
  });

  it('tells objects from arrays and null', () => {
    assert.deepEqual([{}, [], null, 'x', 1].map(isObject), [true, false, false, false, false]);
  });
});
