import assert from 'node:assert/strict';
import fc from 'fast-check';
import { l10n } from '../../../src/base/l10n.ts';
import { byteSize, countText, duration, plainText } from '../../../src/base/words.ts';

describe('plainText', () => {
  it('keeps the joiners, without which words and emoji fall apart', () => {
    for (const text of ['می‌خواهم', '👩‍👧', 'क्‍ष']) assert.equal(plainText(text), text);
  });

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

describe('a count as text', () => {
  afterEach(() => l10n.speak('en'));

  for (const language of ['en', 'en-GB', 'de', 'fr', 'ar-EG', 'de-CH', 'hi']) {
    it(`reads in ${language} as the platform would write it`, () => {
      l10n.speak(language);
      fc.assert(
        fc.property(fc.oneof(fc.maxSafeInteger(), fc.integer({ min: -20_000, max: 20_000 })), (count) => {
          assert.equal(countText(count), count.toLocaleString(language));
        }),
      );
    });
  }

  it('leaves what is no whole number to the platform', () => {
    for (const odd of [1234.5, Number.NaN, Number.POSITIVE_INFINITY]) {
      assert.equal(countText(odd), odd.toLocaleString('en'));
    }
  });
});

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
