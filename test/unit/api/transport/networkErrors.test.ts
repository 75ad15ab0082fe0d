import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/api/transport/errors.ts';
import { errorCode, networkError, ProxyFailure, UnusableProxy } from '../../../../src/api/transport/networkErrors.ts';

const secret = 'https://someone:hunter2@files.example/a?signature=x';

function failing(code: string | undefined, more: ErrorOptions = {}): Error {
  return Object.assign(new Error(`${code} at ${secret}`, more), code === undefined ? {} : { code });
}

/** What a person is told, and whether another try can't help. */
function told(error: unknown): [message: string, permanent: boolean | undefined] {
  const { message, problem } = networkError(error);
  assert.equal(problem.kind, 'network');
  assert.doesNotMatch(JSON.stringify(problem), /hunter2|signature|files\.example/);
  return [message, problem.permanent];
}

describe('an exchange that failed', () => {
  it('is told by its code, and says whether another try may help', () => {
    const cases: [code: string, message: RegExp, permanent: boolean][] = [
      ['ECONNREFUSED', /refused.*Check the base URL/, false],
      ['ENOTFOUND', /can't be found \(DNS\)/, false],
      ['EAI_AGAIN', /couldn't be looked up/, false],
      ['ENETUNREACH', /no network/, false],
      ['ECONNRESET', /dropped before/, false],
      ['UND_ERR_SOCKET', /dropped before/, false],
      ['HPE_INVALID_EOF_STATE', /dropped before/, false],
      ['UND_ERR_HEADERS_TIMEOUT', /too long to answer/, false],
      ['CERT_HAS_EXPIRED', /expired/, true],
      ['SELF_SIGNED_CERT_IN_CHAIN', /issuer.*certificate authority/, true],
      ['ERR_SSL_WRONG_VERSION_NUMBER', /doesn't support HTTPS/, true],
      ['HPE_INVALID_CONSTANT', /valid HTTP/, true],
    ];
    for (const [code, message, permanent] of cases) {
      const [text, isPermanent] = told(failing(code));
      assert.match(text, message);
      assert.equal(isPermanent, permanent, code);
    }
    const parser = Object.assign(new Error('x'), { name: 'HTTPParserError' });
    assert.match(told(parser)[0], /valid HTTP/);
  });

  it('with a code nobody knows names it, and nothing else of it', () => {
    assert.deepEqual(told(failing('EODD')), [
      'The connection failed (EODD). Check the connection, then try again.',
      false,
    ]);
    const plain: [string, boolean] = ['The connection failed. Check the connection, then try again.', false];
    for (const error of [failing(undefined), failing(secret), failing('odd'), 'text', undefined, { code: 'EODD' }]) {
      assert.deepEqual(told(error), plain);
    }
    assert.deepEqual(told(Object.assign(new Error('x'), { code: 7 })), plain);
  });

  it('is told by what lies at its bottom, or by its own code where that is known', () => {
    const refused = failing('ECONNREFUSED');
    assert.equal(errorCode(failing(undefined, { cause: refused })), 'ECONNREFUSED');
    assert.equal(errorCode(failing('UND_ERR_ODD', { cause: refused })), 'ECONNREFUSED');
    assert.equal(errorCode(failing('ETIMEDOUT', { cause: refused })), 'ETIMEDOUT');
    assert.equal(errorCode(failing('EODD', { cause: failing(undefined) })), 'EODD');
    assert.equal(errorCode(new AggregateError([failing('ENETUNREACH'), refused])), 'ENETUNREACH');
    assert.equal(errorCode(new AggregateError([])), '');
    const circle = failing(undefined);
    circle.cause = circle;
    assert.equal(errorCode(circle), '');
  });
});

describe('a proxy', () => {
  it('that refuses is told by its status: a missing password, a rule, or a fault that passes', () => {
    const refusal = (status: number) => told(new Error(`Proxy response (${status}) !== 200 when HTTP Tunneling`));
    const [password, isPermanent] = refusal(407);
    assert.match(password, /user name and password.*\(407\).*http\.proxy/);
    assert.equal(isPermanent, true);
    for (const [status, permanent] of [
      [403, true],
      [499, true],
      [500, false],
      [502, false],
    ] as const) {
      const [text, is] = refusal(status);
      assert.match(text, new RegExp(`refused the connection \\(${status}\\)`));
      assert.equal(is, permanent, String(status));
    }
  });

  it('that could not be reached is named, with the reason and whether it may pass', () => {
    const [text, permanent] = told(new ProxyFailure(failing('ENOTFOUND')));
    assert.match(text, /^The proxy could not be used\. .*\(DNS\)\. Check the proxy settings\.$/);
    assert.equal(permanent, false);
    assert.equal(told(new ProxyFailure(failing('CERT_HAS_EXPIRED')))[1], true);
  });

  it('whose setting is no address says so for good', () => {
    const [text, permanent] = told(new UnusableProxy('The proxy address is not a web address.'));
    assert.match(text, /^The proxy address is not a web address\. Correct the setting http\.proxy/);
    assert.equal(permanent, true);
    assert.ok(networkError(new UnusableProxy('x')) instanceof ApiError);
  });
});
