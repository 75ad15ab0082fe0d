import assert from 'node:assert/strict';
import { redact } from '../../../src/base/redact.ts';
import { Secret } from '../../../src/base/secret.ts';

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

  it('leaves ordinary words alone', () => {
    const message = 'GET /reports/{report_id} answered 404 in 12 ms';
    assert.equal(redact(message, []), message);
  });
});
