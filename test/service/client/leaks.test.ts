import assert from 'node:assert/strict';
import type { ClientOptions } from '../../../src/api/client.ts';
import { Secret } from '../../../src/base/secret.ts';
import { json, serve, serveTcp } from '../../support/localServer.ts';
import { cleanUpAfterEach, clientFor, looks, testKey } from './clients.ts';

const signature = 'canary-signature-0123';
const password = 'canary-password-0123';
const canary = /canary/;

function assertHidden(value: unknown, where: string): void {
  for (const look of looks(value)) assert.doesNotMatch(look, canary, where);
}

/** A client that writes everything it logs into a list. */
function watched(baseUrl: string, more: Partial<ClientOptions> = {}) {
  const lines: string[] = [];
  const write = (line: string) => void lines.push(line);
  const logger = { debug: write, info: write, warn: write, error: write };
  return { lines, client: clientFor(baseUrl, { logger, random: () => 0, ...more }) };
}

describe('the key', () => {
  cleanUpAfterEach();

  it('is in no error, log line or event, whatever goes wrong', async () => {
    assert.match(testKey, canary);
    const echo = `your key ${testKey} and Authorization: Bearer ${testKey} at https://x.example/?s=${signature}`;
    const servers = {
      refusing: await serve((_, response) =>
        json(response, { title: echo, detail: echo, errors: { [echo]: echo } }, 422, { 'x-request-id': testKey }),
      ),
      unauthorized: await serve((_, response) => json(response, { detail: echo }, 401)),
      temporary: await serve((_, response) => json(response, { detail: echo }, 503)),
      html: await serve((_, response) => {
        response.writeHead(403, { 'content-type': 'text/html' });
        response.end(`<html>${echo}`);
      }),
      redirecting: await serve((_, response) => {
        response.writeHead(302, { location: `https://elsewhere.example/?key=${testKey}` });
        response.end();
      }),
      garbage: await serve((_, response) => json(response, `{"x": ${echo}`)),
      shapeless: await serve((_, response) => json(response, [echo])),
      resetting: await serveTcp((socket) => socket.once('data', () => socket.resetAndDestroy())),
      silent: await serveTcp((socket) => socket.once('data', (data) => socket.end(data))),
    };
    for (const [name, { baseUrl }] of Object.entries(servers)) {
      for (const authentication of ['bearer', 'x-api-key'] as const) {
        const { client, lines } = watched(baseUrl, { authentication });
        const error = await client.entitlements({ tries: 2 }).then(
          () => assert.fail(name),
          (reason: unknown) => reason,
        );
        assertHidden(error, name);
        assertHidden([lines, client.rate], name);
        assertHidden(client, name);
      }
    }
  });

  it('is refused before a header could fail with it', () => {
    for (const bad of [`${testKey}\r\nX-Evil: 1`, `${testKey}é`, `${testKey} ${testKey}`]) {
      try {
        watched('https://reports.example.org/api/v2', { key: new Secret(bad) });
        assert.fail('accepted');
      } catch (error) {
        assertHidden(error, JSON.stringify(bad));
      }
    }
  });

  it('and the password of a proxy are in no error of the proxy', async () => {
    const proxy = await serve((_, response) => response.end());
    const address = `http://user:${password}@127.0.0.1:${proxy.port}`;
    for (const named of [
      address,
      `${address}:x`,
      `socks5://user:${password}@h`,
      `http://user:${password}@nowhere.invalid:1`,
    ]) {
      const { client, lines } = watched('https://reports.example.org/api/v2', { network: { proxy: named } });
      const error = await client.entitlements({ tries: 1 }).catch((reason: unknown) => reason);
      assertHidden(error, named);
      assertHidden(lines, named);
    }
  });
});

describe('a signed link', () => {
  cleanUpAfterEach();

  it('shows nothing of itself, nor do the errors and logs of its fetch', async () => {
    const server = await serve(({ url }, response) => {
      if (url?.startsWith('/api')) return json(response, { report_id: 1, url: `${server.origin}/f?${signature}` });
      response.writeHead(url?.includes('again') ? 500 : 302, { location: `/again?${signature}` });
      response.end(signature);
    });
    const { client, lines } = watched(server.baseUrl);
    const link = await client.downloadLink(1);
    assert.ok(link.url.reveal().includes(signature));
    assertHidden(link, 'link');
    assertHidden({ ...link }, 'copy');
    assertHidden(structuredClone({ ...link, url: String(link.url) }), 'clone');
    const odd = ['', 'not a link', 'https://', 'https://[::1'];
    const broken = [...odd, 'http://127.0.0.1:1/', 'https://nowhere.invalid/', server.origin];
    for (const start of broken) {
      const url = new Secret(`${start}?${signature}`);
      const error = await client.openLink({ ...link, url }).then(
        () => assert.fail(start),
        (reason: unknown) => reason,
      );
      assertHidden(error, start);
    }
    assertHidden(lines, 'log');
    assert.ok(lines.length > 0);
  });
});
