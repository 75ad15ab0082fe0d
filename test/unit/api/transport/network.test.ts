import assert from 'node:assert/strict';
import { type NetworkOptions, proxyFor } from '../../../../src/api/transport/network.ts';

const choose = (settings: NetworkOptions, to = 'https://reports.example.org') => proxyFor(to, settings);

describe('the proxy to go through', () => {
  it('is none when nothing is set', () => {
    assert.equal(choose({}).uri, '');
    assert.equal(choose({ proxy: '  ', env: { HTTPS_PROXY: '' } }).uri, '');
  });

  it('is the setting before the environment, https before all', () => {
    const env = { HTTPS_PROXY: 'http://env.example:1', ALL_PROXY: 'http://all.example:2' };
    assert.equal(choose({ proxy: 'http://set.example:3', env }).uri, 'http://set.example:3');
    assert.equal(choose({ env }).uri, 'http://env.example:1');
    assert.equal(choose({ env: { all_proxy: 'all.example:2' } }).uri, 'http://all.example:2');
    assert.equal(choose({ env: { HTTP_PROXY: 'http://plain.example:1' } }).uri, '');
    assert.equal(
      choose({ env: { HTTP_PROXY: 'http://plain.example:1' } }, 'http://a.example').uri,
      'http://plain.example:1',
    );
  });

  it('is sent the credentials in its address as Basic, decoded', () => {
    for (const [address, pair] of [
      ['us%40er:p%3Aw%20d', 'us@er:p:w d'],
      ['user', 'user:'],
    ] as const) {
      const { uri, authorization } = choose({ proxy: `http://${address}@proxy.example:8080` });
      assert.equal(Buffer.from(authorization?.slice(6) ?? '', 'base64').toString(), pair);
      assert.equal(uri, 'http://proxy.example:8080');
    }
  });

  it('says what is wrong with an address it can not use, without the password in it', () => {
    for (const proxy of ['socks5://u:hunter2@h:1', 'http://u:hunter2@h:99999', 'http://u:hunter2%zz@h:1', 'http://']) {
      const { unusable, uri } = choose({ proxy });
      assert.ok(unusable, proxy);
      assert.doesNotMatch(unusable.message + uri, /hunter2/);
    }
  });
});
