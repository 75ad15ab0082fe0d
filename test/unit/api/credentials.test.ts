import assert from 'node:assert/strict';
import fc from 'fast-check';
import { checkApiKey, checkBaseUrl } from '../../../src/api/credentials.ts';

const good = 'https://reports.example.org/api/v2';

function refusal(typed: string): { reason: string; suggestion: string | null } {
  const check = checkBaseUrl(typed);
  assert.ok(!check.ok, typed);
  return check;
}

describe('checkBaseUrl', () => {
  it('takes https, and plain http to a literal loopback address', () => {
    for (const typed of [good, ` ${good}/ `, `${good}//`]) {
      assert.deepEqual(checkBaseUrl(typed), { ok: true, baseUrl: good, origin: 'https://reports.example.org' });
    }
    assert.ok(checkBaseUrl('http://127.0.0.1:8080/api/v2').ok);
    assert.ok(checkBaseUrl('http://[::1]:8080/api/v2').ok);
    assert.ok(checkBaseUrl('https://gateway.example.org/library/api/v2').ok);
  });

  it('refuses plain http to anything else, names of loopback too', () => {
    for (const host of ['reports.example.org', 'localhost', '127.0.0.1.example.org', '10.0.0.1', '[::2]']) {
      assert.match(refusal(`http://${host}/api/v2`).reason, /https/);
    }
    assert.equal(refusal('http://reports.example.org/api/v2').suggestion, good);
  });

  it('refuses a user name, a query and a fragment, and offers the address without', () => {
    for (const typed of [
      'https://user:pw@reports.example.org/api/v2',
      'https://user@reports.example.org/api/v2',
      `${good}?key=1`,
      `${good}?`,
      `${good}#top`,
      `${good}#`,
    ]) {
      const { reason, suggestion } = refusal(typed);
      assert.match(reason, /user name|query|fragment/);
      assert.equal(suggestion, good);
    }
  });

  it('offers the corrected address when /api/v2 is missing or followed by more', () => {
    const host = 'https://reports.example.org';
    for (const typed of [host, `${host}/`, `${host}/api`, `${host}/api/v1`, `${good}/reports`, 'reports.example.org']) {
      assert.equal(refusal(typed).suggestion, good, typed);
    }
    assert.equal(refusal('localhost:8080').suggestion, 'https://localhost:8080/api/v2');
  });

  it('says of what was typed what is wrong with it', () => {
    const cases: [typed: string, reason: RegExp][] = [
      ['reports.example.org/api/v2', /^https:\/\/ is missing/],
      ['localhost:8080/api/v2', /^https:\/\/ is missing/],
      ['ftp://reports.example.org/api/v2', /starts with ftp:/],
      ['abc_live_0123456789', /looks like an API key/],
      ['the portal', /not a web address/],
    ];
    for (const [typed, reason] of cases) assert.match(refusal(typed).reason, reason, typed);
    const key = checkApiKey('https://reports.example.org/api/v2');
    assert.match(key.ok ? '' : key.reason, /looks like a web address/);
  });

  it('refuses other protocols and what is no address', () => {
    for (const typed of [
      '',
      '   ',
      'ftp://example.org/api/v2',
      'file:///api/v2',
      'javascript:alert(1)',
      'not an address',
    ]) {
      assert.ok(refusal(typed).reason.length > 10, typed);
    }
  });

  it('says nothing of a password, whatever is typed', () => {
    fc.assert(
      fc.property(fc.webUrl(), fc.constantFrom('http', 'https', 'ftp'), (url, scheme) => {
        const typed = url.replace(/^https?:\/\//, `${scheme}://someone:hunter2@`);
        assert.doesNotMatch(JSON.stringify(checkBaseUrl(typed)), /hunter2/);
      }),
    );
  });

  it('never throws, and what it offers is itself accepted', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.webUrl(), fc.domain()), (typed) => {
        const check = checkBaseUrl(typed);
        if (!check.ok && check.suggestion !== null) assert.ok(checkBaseUrl(check.suggestion).ok, check.suggestion);
      }),
    );
  });
});

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
      [`abc live ${key}`, /space/],
      [`${key}é`, /characters/],
      [`${key}🌱`, /characters/],
      [`${key}\u0000`, /characters/],
      [`abc\u00a0${key}`, /space/],
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
