import assert from 'node:assert/strict';
import { format, inspect } from 'node:util';
import { keyPrefix, Secret } from '../../../src/base/secret.ts';

const text = 'rlk_prod_live_canary0123456789';

describe('Secret', () => {
  const secret = new Secret(text);

  for (const [sink, print] of [
    ['a template string', () => `${secret}`],
    ['concatenation', () => `key: ${String(secret)}`],
    ['JSON', () => JSON.stringify({ secret })],
    ['util.inspect', () => inspect({ secret }, { depth: 9, showHidden: true })],
    ['console formatting', () => format('%s %o %O %j', secret, secret, secret, secret)],
    ['a spread copy', () => JSON.stringify({ ...secret })],
  ] as const) {
    it(`does not print in ${sink}`, () => assert.doesNotMatch(print(), /canary/));
  }

  it('gives its text only when asked', () => assert.equal(secret.reveal(), text));

  it('shows at most the first 15 characters of a key', () => {
    assert.equal(keyPrefix(secret), 'rlk_prod_live_c');
    assert.doesNotMatch(keyPrefix(new Secret('short_live_key')), /live/);
  });
});
