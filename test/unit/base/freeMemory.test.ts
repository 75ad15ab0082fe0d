import assert from 'node:assert/strict';
import { freeMemory } from '../../../src/base/freeMemory.ts';

describe('freeing memory', () => {
  it('takes the bytes away from everybody', () => {
    const bytes = new Uint8Array(100).fill(7);
    const other = new Uint8Array(bytes.buffer);
    freeMemory(bytes);
    assert.equal(bytes.byteLength, 0);
    assert.equal(other.byteLength, 0);
    freeMemory(bytes);
  });

  it('leaves what lies beside others, or is shared between threads', () => {
    const part = new Uint8Array(new ArrayBuffer(100), 0, 99);
    freeMemory(part);
    assert.equal(part.byteLength, 99);
    const shared = new Uint8Array(new SharedArrayBuffer(10));
    freeMemory(shared);
    assert.equal(shared.byteLength, 10);
  });
});
