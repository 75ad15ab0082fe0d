import assert from 'node:assert/strict';
import fc from 'fast-check';
import { countText } from '../../../src/base/countText.ts';
import { l10n } from '../../../src/base/l10n.ts';

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
