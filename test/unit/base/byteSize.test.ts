import assert from 'node:assert/strict';
import { byteSize } from '../../../src/base/byteSize.ts';

describe('a size in words', () => {
  const cases: readonly (readonly [number, string])[] = [
    [0, '0 bytes'],
    [1, '1 byte'],
    [0.4, '0 bytes'],
    [999.4, '999 bytes'],
    [999.6, '1.0 kB'],
    [14_321, '14 kB'],
    [9_949, '9.9 kB'],
    [9_950, '10 kB'],
    [999_499, '999 kB'],
    [999_900, '1.0 MB'],
    [2_140_000, '2.1 MB'],
    [61_400_000, '61 MB'],
    [1_500_000_000, '1.5 GB'],
    [2 ** 53, '9,007 TB'],
  ];
  for (const [bytes, words] of cases) {
    it(`of ${bytes} bytes is ${words}`, () => assert.equal(byteSize(bytes), words));
  }

  it('follows the language', () => assert.equal(byteSize(8_420_000, 'de'), '8,4 MB'));
});
