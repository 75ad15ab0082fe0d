import assert from 'node:assert/strict';
import fc from 'fast-check';
import { duration, plainText } from '../../../src/base/words.ts';

describe('plainText', () => {
  it('leaves out controls, line breaks and characters that change the direction of text', () => {
    assert.equal(plainText('one\r\ntwo\u0000\u001b[31m \u202egnp.exe\u2066\u200b!'), 'one two [31m gnp.exe !');
  });

  it('never gives more than it is asked for, nor half a character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), fc.integer({ min: 1, max: 300 }), (text, longest) => {
        const plain = plainText(text, longest);
        assert.ok(plain.length <= longest);
        assert.ok(plain.isWellFormed());
        assert.doesNotMatch(plain, /[\p{Cc}\p{Cf}]/u);
      }),
    );
  });
});

describe('duration', () => {
  it('says a wait as a person would', () => {
    assert.deepEqual([0, 1, 12_000, 60_000, 125_000, 3_600_000, 3_840_000].map(duration), [
      '0 s',
      '1 s',
      '12 s',
      '1 min',
      '2 min 5 s',
      '1 h',
      '1 h 4 min',
    ]);
  });
});
