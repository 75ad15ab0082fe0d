import assert from 'node:assert/strict';
import { isPublic, mayFetch } from '../../../../src/api/transport/link.ts';

const remote = new URL('https://reports.example.org/api/v2');
const local = new URL('http://127.0.0.1:8080/api/v2');

describe('mayFetch', () => {
  it('follows https to names and public addresses', () => {
    for (const link of ['https://files.example/a', 'https://93.184.216.34/a', 'https://[2606:2800::1]/a']) {
      assert.ok(mayFetch(new URL(link), remote), link);
    }
  });

  it('goes to no other protocol, no address inside a network, however it is written', () => {
    const hosts = `
      localhost x.localhost localhost. x.localhost. 127.0.0.1 127.1 2130706433 0x7f000001 0177.0.0.1
      0.0.0.0 10.1.2.3 172.16.0.1 172.31.255.255 192.168.1.1 100.64.0.1 224.0.0.1 255.255.255.255 [::1]
      [::] [fe80::1] [fd00::1] [::ffff:10.0.0.1] [::ffff:127.0.0.1] [64:ff9b::7f00:1] [2002:7f00:1::]
    `;
    const odd = [
      'http://files.example/a',
      'ftp://files.example/a',
      'file:///etc/passwd',
      'https://user@files.example/a',
      'https://169.254.169.254/latest/meta-data',
    ];
    const refused = [
      ...odd,
      ...hosts
        .trim()
        .split(/\s+/)
        .map((host) => `https://${host}/a`),
    ];
    assert.equal(refused.length, 30);
    for (const link of refused) assert.equal(mayFetch(new URL(link), remote), false, link);
  });

  it("goes to the service's own origin, wherever that is, and to no other inside a network", () => {
    const inside = new URL('https://10.0.0.5/api/v2');
    assert.ok(mayFetch(new URL('https://10.0.0.5/files/a.pdf'), inside));
    for (const link of ['https://10.0.0.6/a', 'https://10.0.0.5:8443/a', 'http://10.0.0.5/a', 'https://u:p@10.0.0.5/a'])
      assert.equal(mayFetch(new URL(link), inside), false, link);
  });

  it('is judged once more by the address that its name led to', () => {
    for (const address of ['93.184.216.34', '2606:2800:220:1::1', '::ffff:93.184.216.34'])
      assert.ok(isPublic(address), address);
    for (const address of ['127.0.0.1', '10.1.2.3', '::1', 'fd00::1', '::ffff:10.0.0.1', 'fe80::1%eth0', ''])
      assert.equal(isPublic(address), false, address);
  });

  it('is judged by the IPv4 address inside, on a network that has IPv6 alone', () => {
    for (const address of [
      '64:ff9b::5db8:d822',
      '64:FF9B::93.184.216.34',
      '64:ff9b:0:0:0:0:5db8:d822',
      '64:ff9b::101:0',
    ])
      assert.ok(isPublic(address), address);
    const refused = ['7f00:1', '127.0.0.1', 'a00:1', 'c0a8:101', 'a9fe:a9fe', '1', '', 'e000:1', '1:5db8:d822'];
    for (const address of refused) assert.equal(isPublic(`64:ff9b::${address}`), false, address);
    for (const address of ['64:ff9b:1::5db8:d822', '164:ff9b::5db8:d822', '64:ff9b::5db8:d822%eth0'])
      assert.equal(isPublic(address), false, address);
    assert.ok(mayFetch(new URL('https://[64:ff9b::5db8:d822]/a'), remote));
    assert.equal(mayFetch(new URL('https://[64:ff9b::7f00:1]/a'), remote), false);
  });

  it('goes to loopback only when the service is there itself', () => {
    assert.ok(mayFetch(new URL('http://127.0.0.1:8081/a'), local));
    assert.ok(mayFetch(new URL('https://[::1]/a'), local));
    assert.equal(mayFetch(new URL('http://127.0.0.1:8081/a'), remote), false);
    assert.equal(mayFetch(new URL('http://127.0.0.2/a'), local), false);
    assert.equal(mayFetch(new URL('http://10.0.0.1/a'), local), false);
  });
});
