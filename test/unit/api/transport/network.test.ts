import assert from 'node:assert/strict';
import { chooseProxy, type NetworkOptions } from '../../../../src/api/transport/network.ts';

const url = new URL('https://reports.example.org/api/v2');
const choose = (settings: NetworkOptions, to = url) => chooseProxy(to, settings);

describe('chooseProxy', () => {
  it('goes direct when nothing is set', () => {
    assert.deepEqual(choose({}), { kind: 'direct' });
    assert.deepEqual(choose({ proxy: '  ', env: { HTTPS_PROXY: '' } }), { kind: 'direct' });
  });

  it('takes the setting before the environment, https before all', () => {
    const env = { HTTPS_PROXY: 'http://env.example:1', ALL_PROXY: 'http://all.example:2' };
    assert.deepEqual(choose({ proxy: 'http://set.example:3', env }), {
      kind: 'proxy',
      origin: 'http://set.example:3',
      authorization: null,
    });
    assert.deepEqual(choose({ env }), { kind: 'proxy', origin: 'http://env.example:1', authorization: null });
    assert.deepEqual(choose({ env: { all_proxy: 'all.example:2' } }), {
      kind: 'proxy',
      origin: 'http://all.example:2',
      authorization: null,
    });
    assert.deepEqual(choose({ env: { HTTP_PROXY: 'http://plain.example:1' } }), { kind: 'direct' });
  });

  it('sends the credentials in the address as Basic, decoded', () => {
    const choice = choose({ proxy: 'http://us%40er:p%3Aw%20d@proxy.example:8080' });
    assert.ok(choice.kind === 'proxy');
    assert.equal(Buffer.from(choice.authorization?.slice(6) ?? '', 'base64').toString(), 'us@er:p:w d');
    assert.equal(choice.origin, 'http://proxy.example:8080');
  });

  it('reaches loopback and excluded hosts directly', () => {
    const proxy = 'http://proxy.example:8080';
    for (const to of ['http://127.0.0.1:9/api/v2', 'http://[::1]:9/api/v2', 'https://localhost/api/v2']) {
      assert.equal(choose({ proxy }, new URL(to)).kind, 'direct', to);
    }
    const excluded = [
      'reports.example.org',
      '.example.org',
      'example.org',
      '*',
      '*.example.org',
      'reports.example.org:443',
    ];
    for (const pattern of excluded) {
      assert.equal(choose({ proxy, noProxy: [pattern] }).kind, 'direct', pattern);
      assert.equal(choose({ proxy, env: { NO_PROXY: `other.example, ${pattern}` } }).kind, 'direct', pattern);
    }
    for (const pattern of ['ample.org', 'reports.example.org:8443', 'xreports.example.org', '', 'org.example']) {
      assert.equal(choose({ proxy, noProxy: [pattern] }).kind, 'proxy', pattern);
    }
  });

  it('says what is wrong with an address it can not use, without the password in it', () => {
    for (const proxy of ['socks5://u:hunter2@h:1', 'http://u:hunter2@h:99999', 'http://u:hunter2%zz@h:1', 'http://']) {
      const choice = choose({ proxy });
      assert.ok(choice.kind === 'unusable', proxy);
      assert.doesNotMatch(choice.reason, /hunter2/);
    }
  });
});
