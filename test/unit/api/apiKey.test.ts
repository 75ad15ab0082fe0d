import assert from 'node:assert/strict';
import { checkApiKey } from '../../../src/api/apiKey.ts';

const key = 'abc_live_0123456789abcdefghij';

describe('checkApiKey', () => {
  it('drops blanks around the key', () => {
    const check = checkApiKey(`  ${key}\n`);
    assert.ok(check.ok);
    assert.equal(check.key.reveal(), key);
  });

  it('refuses line breaks, blanks, other alphabets, nothing and too much, each in a sentence without the key', () => {
    const cases: [typed: string, reason: RegExp][] = [
      ['', /Enter/],
      [' \n ', /Enter/],
      [`${key}\r\nX-Evil: 1`, /line break/],
      [`abc live ${key}`, /blank/],
      [`${key}é`, /characters/],
      [`${key}🌱`, /characters/],
      [`${key}\u0000`, /characters/],
      [`abc\u00a0${key}`, /blank/],
      [key.repeat(40), /longer/],
    ];
    for (const [typed, reason] of cases) {
      const check = checkApiKey(typed);
      assert.ok(!check.ok);
      assert.match(check.reason, reason);
      assert.ok(!check.reason.includes('0123456789'));
    }
  });
});
