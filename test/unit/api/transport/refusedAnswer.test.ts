import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Problem } from '../../../../src/api/transport/errors.ts';
import { errorOf } from '../../../../src/api/transport/refusedAnswer.ts';
import { Secret } from '../../../../src/base/secret.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const key = new Secret('abc_live_canary0123456789');
const json = { 'content-type': 'application/problem+json' };
const html = { 'content-type': 'text/html; charset=utf-8' };
const page = '<html><body><h1>Access denied</h1></body></html>';

function refuse(status: number, headers: Record<string, string>, body: unknown): Problem {
  const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
  const error = errorOf({ status, headers, body: bytes }, now, [key]);
  assert.ok(error.problem.cause.length > 10 && error.problem.nextStep.length > 10);
  assert.equal(error.message, `${error.problem.cause} ${error.problem.nextStep}`);
  return error.problem;
}

describe('errorOf', () => {
  it('tells the kinds apart by status and content type', () => {
    const problem = { title: 'Title', detail: 'Detail.' };
    const kinds: [status: number, headers: Record<string, string>, kind: Problem['kind']][] = [
      [400, json, 'invalid'],
      [422, json, 'invalid'],
      [401, json, 'unauthorized'],
      [401, html, 'unauthorized'],
      [403, json, 'forbidden'],
      [403, html, 'edge-page'],
      [403, {}, 'edge-page'],
      [404, json, 'not-found'],
      [404, { 'content-type': 'application/json; charset=utf-8' }, 'not-found'],
      [404, html, 'edge-page'],
      [429, json, 'rate-limited'],
      [429, html, 'rate-limited'],
      [500, json, 'temporary'],
      [503, html, 'temporary'],
      [302, html, 'edge-page'],
      [418, html, 'edge-page'],
      [410, json, 'invalid'],
    ];
    for (const [status, headers, kind] of kinds) {
      const body = headers === json ? problem : page;
      const found = refuse(status, headers, body);
      assert.equal(found.kind, kind, `${status} ${JSON.stringify(headers)}`);
      assert.equal(found.status, status);
      assert.doesNotMatch(JSON.stringify(found), /<|Access denied/);
    }
  });

  it('adds what the service says, the refused fields and the request id', () => {
    const found = refuse(
      422,
      { ...json, 'x-request-id': 'req-1' },
      { title: 'Unprocessable', detail: 'One parameter is invalid', errors: { limit: ['must be at most 200'] } },
    );
    assert.match(found.cause, /The service says: One parameter is invalid\./);
    assert.deepEqual(found.fields, [{ field: 'limit', message: 'must be at most 200' }]);
    assert.equal(found.requestId, 'req-1');
    assert.match(refuse(422, json, { errors: { limit: 'must be at most 200' } }).cause, /limit: must be at most 200/);
  });

  it('gives the time to come back, and says it', () => {
    const found = refuse(503, { ...json, 'retry-after': '65' }, {});
    assert.equal(found.retryAfter, 65_000);
    assert.match(found.nextStep, /1 min 5 s/);
    assert.equal(refuse(503, json, {}).retryAfter, undefined);
  });

  it('repeats no key, no link and no control characters of whatever the service says', () => {
    const canaries = [
      'abc_live_canary0123456789',
      'Bearer abc_live_canary0123456789',
      'https://files.example/1.pdf?sig=canary0123456789',
      'https://u:canary0123456789@h/',
    ];
    const text = fc
      .tuple(fc.string(), fc.constantFrom(...canaries), fc.string({ unit: 'binary' }))
      .map((parts) => parts.join(' '));
    fc.assert(
      fc.property(fc.constantFrom(400, 401, 403, 404, 422, 429, 500, 503), text, text, (status, detail, message) => {
        const body = { title: detail, detail, errors: [{ field: message, message: detail }, message] };
        const found = refuse(status, { ...json, 'x-request-id': 'abc_live_canary0123456789' }, body);
        assert.doesNotMatch(JSON.stringify(found), /canary/);
        assert.doesNotMatch(found.cause, /[\p{Cc}\p{Cf}]/u);
        assert.ok(found.cause.length <= 450);
      }),
      { numRuns: 200 },
    );
  });

  it('hides a password in an address that stands where a JSON pointer belongs', () => {
    for (const field of ['/ https://u:canary@h/', ['https:', '', 'u:canary@h'], '/https:/u:canary@h', ['u:canary@h']]) {
      const found = refuse(400, json, { errors: [{ field, message: 'is not valid' }] });
      assert.doesNotMatch(JSON.stringify(found), /canary/, JSON.stringify(field));
    }
  });

  it('does with a body that is broken, empty, huge or no problem at all', () => {
    for (const body of ['', '{', 'null', '[]', '"x"', `{"detail": "${'x'.repeat(100_000)}"}`, '{"errors": 5}']) {
      assert.equal(refuse(422, json, body).kind, 'invalid');
      assert.equal(refuse(403, json, body).kind, 'forbidden');
    }
  });
});
