import assert from 'node:assert/strict';
import { format, inspect } from 'node:util';
import { keyPrefix, redact, Secret } from '../../../src/base/secret.ts';

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

describe('redact', () => {
  it('hides the given secrets, and whatever looks like a key', () => {
    assert.equal(
      redact('the value s3cr3t, again s3cr3t', [new Secret('s3cr3t')]),
      'the value [hidden], again [hidden]',
    );
    assert.equal(redact('key "abc_live_0123456789abcdef" is revoked'), 'key "[hidden]" is revoked');
    assert.equal(redact('Authorization: Bearer abc.def-ghi'), 'Authorization: Bearer [hidden]');
  });

  it('cuts a known secret out by value, however it looks', () => {
    const secret = new Secret('odd key without a pattern');
    assert.equal(redact('sent odd key without a pattern twice', [secret]), 'sent [hidden] twice');
  });

  for (const [name, message] of [
    ['a key', 'using rlk_prod_live_S3cr3tS3cr3t now'],
    ['a bearer header', 'authorization: Bearer S3cr3tS3cr3t'],
    ['an API key header', 'x-api-key: S3cr3tS3cr3t'],
    ['a signed link', 'GET https://files.example.com/a.pdf?sig=S3cr3tS3cr3t&x=1 failed'],
    ['a link with a fragment', 'https://files.example.com/a.pdf#S3cr3tS3cr3t'],
  ] as const) {
    it(`cuts ${name} out by its looks`, () => {
      assert.doesNotMatch(redact(message, []), /S3cr3t/);
    });
  }

  it('costs no more than its length, whatever the text is made of', () => {
    const pieces = ['a', ' ', '/', '_live', '=', 'http://', 'bearer ', 'x-api-key', 'a//b@', '?', '"', 'é', '\n'];
    for (const piece of pieces) {
      const ms = (length: number) => {
        const text = piece.repeat(length / piece.length);
        const start = process.cpuUsage();
        redact(text);
        return process.cpuUsage(start).user / 1000;
      };
      // Quadratic work on this much takes seconds to minutes of the processor's time.
      ms(64_000);
      assert.ok(ms(1_024_000) < 1_500, JSON.stringify(piece));
    }
  });

  it('leaves ordinary words alone', () => {
    const message = 'GET /reports/{report_id} answered 404 in 12 ms';
    assert.equal(redact(message, []), message);
  });
});
