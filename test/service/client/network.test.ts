import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { NetworkOptions } from '../../../src/api/client.ts';
import { connector } from '../../../src/api/transport/network.ts';
import { networkError } from '../../../src/api/transport/networkErrors.ts';
import { type Credentials, issue, makeAuthority } from '../../support/certificates.ts';
import { startProxy } from '../../support/connectProxy.ts';
import { json, type LocalServer, listen, serve } from '../../support/localServer.ts';
import { temporaryFolder } from '../../unit/downloads/fixtures.ts';
import { cleanUpAfterEach, clientFor, failure } from './clients.ts';

const host = 'reports.test.example';
const once = { tries: 1 };

let authority: Credentials;
let certificate: Credentials;

async function prepare(): Promise<void> {
  authority ??= await makeAuthority();
  certificate ??= await issue(authority, [host]);
}

async function serveTls(credentials = certificate): Promise<LocalServer> {
  const requests: string[] = [];
  const server = createServer({ ...credentials }, (request, response) => {
    requests.push(String(request.headers.authorization));
    json(response, { client_name: 'Desk', proxy: request.headers['proxy-authorization'] ?? null });
  });
  return listen(server, []);
}

function ask(baseUrl: string, network: NetworkOptions) {
  return clientFor(baseUrl, { network }).entitlements(once);
}

describe('certificates', () => {
  const folder = temporaryFolder();
  before(prepare);
  cleanUpAfterEach();

  it('of an authority that was given are trusted', async () => {
    const { port } = await serveTls();
    const baseUrl = `https://127.0.0.1:${port}/api/v2`;
    assert.equal((await ask(baseUrl, { extraCertificates: [authority.cert] })).client_name, 'Desk');
  });

  it('of an authority that the system trusts are trusted', async () => {
    const { port } = await serveTls();
    const file = join(folder.path, 'system.pem');
    await writeFile(file, authority.cert);
    const script = fileURLToPath(new URL('./askOnce.ts', import.meta.url));
    const run = (system: string) =>
      promisify(execFile)(process.execPath, [script, `https://127.0.0.1:${port}/api/v2`, system], {
        env: { ...process.env, SSL_CERT_FILE: file, NODE_OPTIONS: '' },
      });
    assert.match((await run('system')).stdout, /answered Desk/);
    assert.match((await run('bundled')).stdout, /isn't from an issuer this computer trusts/);
  });

  it('of nobody we know, for another name or out of date are refused in words, and nothing is sent', async () => {
    const known = { extraCertificates: [authority.cert] };
    const cases: [credentials: Credentials, network: NetworkOptions, words: RegExp][] = [
      [certificate, {}, /isn't from an issuer this computer trusts.*certificate authority/],
      [await issue(authority, [host], -3_600_000), known, /expired/],
    ];
    for (const [credentials, network, words] of cases) {
      const { port } = await serveTls(credentials);
      const error = await failure(clientFor(`https://127.0.0.1:${port}/api/v2`, { network }).entitlements());
      assert.match(error.message, words);
      assert.equal(error.problem.permanent, true);
    }
    const { port } = await serveTls(await issue(authority, ['other.test.example']));
    const proxy = await startProxy({ port });
    const error = await failure(ask(`https://${host}/api/v2`, { ...known, proxy: proxy.address }));
    assert.match(error.message, /another name/);
  });
});

describe('a connection', () => {
  cleanUpAfterEach();

  const request = { path: '/', method: 'GET' } as const;

  it('to an address that is not accepted is closed before anything is sent', async () => {
    const server = await serve((_, response) => response.end());
    const refusal = new Error('not there');
    const seen: string[] = [];
    const connection = connector({})(`http://localhost:${server.port}`, (address) => {
      seen.push(address);
      throw refusal;
    });
    let started = 0;
    const sent = connection.send(request, () => void started++);
    await assert.rejects(sent, (error) => error === refusal);
    assert.deepEqual([seen, started, server.requests.length], [['127.0.0.1'], 0, 0]);
    await connection.close();
  });

  it('is opened once, and used for what follows; each request says when it starts', async () => {
    const server = await serve((_, response) => response.end('here'));
    const connection = connector({})(server.origin, () => {});
    for (let turn = 0; turn < 3; turn++) {
      const before: number[] = [];
      const { body } = await connection.send(request, () => void before.push(server.requests.length));
      assert.equal(await body.text(), 'here');
      assert.deepEqual(before, [turn]);
    }
    assert.equal(server.sockets.max, 1);
    await connection.close();
  });

  it('that the server closed is opened again for the next request', async () => {
    const server = await serve((_, response) => response.writeHead(200, { connection: 'close' }).end('here'));
    const connection = connector({})(server.origin, () => {});
    for (let turn = 0; turn < 3; turn++) {
      const { body } = await connection.send(request, () => {});
      assert.equal(await body.text(), 'here');
    }
    assert.equal(server.requests.length, 3);
    await connection.close();
  });
});

describe('a proxy', () => {
  before(prepare);
  cleanUpAfterEach();

  const baseUrl = `https://${host}/api/v2`;
  const known = () => ({ extraCertificates: [authority.cert] });

  it('is gone through, from the setting or the environment, with its credentials and without telling the service', async () => {
    const { port } = await serveTls();
    const proxy = await startProxy({ port, credentials: 'us%40er:p%3Ass' });
    const ways: NetworkOptions[] = [{ proxy: proxy.address }, { env: { HTTPS_PROXY: proxy.address } }];
    for (const way of ways) {
      const answer = await ask(baseUrl, { ...known(), ...way });
      assert.equal(answer.client_name, 'Desk');
      assert.deepEqual(answer.other, { proxy: null });
    }
    assert.deepEqual(proxy.targets, [`${host}:443`, `${host}:443`]);
  });

  it('that speaks https is trusted like any server', async () => {
    const { port } = await serveTls();
    const proxy = await startProxy({ port, tls: certificate });
    assert.equal((await ask(baseUrl, { ...known(), proxy: proxy.address })).client_name, 'Desk');
    assert.match(
      (await failure(ask(baseUrl, { proxy: proxy.address }))).message,
      /isn't from an issuer this computer trusts/,
    );
  });

  it('that wants other credentials says so, without showing any', async () => {
    const { port } = await serveTls();
    const proxy = await startProxy({ port, credentials: 'user:hunter2' });
    for (const address of [proxy.address.replace('hunter2', 'canary9'), proxy.address.replace('user:hunter2@', '')]) {
      const error = await failure(ask(baseUrl, { ...known(), proxy: address }));
      assert.match(error.message, /407/);
      assert.doesNotMatch(JSON.stringify(error) + String(error.stack), /hunter2|canary9/);
    }
  });

  it('that refuses or is not there is told apart from the service', async () => {
    const proxy = await startProxy({ port: 9, refuse: 403 });
    assert.match((await failure(ask(baseUrl, { ...known(), proxy: proxy.address }))).message, /proxy.*403/i);
    await proxy.close();
    assert.match((await failure(ask(baseUrl, { ...known(), proxy: proxy.address }))).message, /The proxy .* refused/);
    const socks = await failure(ask(baseUrl, { proxy: 'socks5://user:hunter2@127.0.0.1:1' }));
    assert.match(socks.message, /Only http and https proxies/);
    assert.doesNotMatch(JSON.stringify(socks) + String(socks.stack), /hunter2/);
  });

  it('is left out for hosts that are excluded', async () => {
    const { port } = await serveTls();
    const proxy = await startProxy({ port });
    const error = await failure(ask(baseUrl, { ...known(), proxy: proxy.address, noProxy: ['.test.example'] }));
    assert.match(error.message, /DNS/);
    assert.deepEqual(proxy.targets, []);
  });

  it('is left out for loopback, whatever it is, and for each form of exclusion', async () => {
    const { origin, port } = await serve((_, response) => response.end());
    const proxy = await startProxy({ port: 9, refuse: 403 });
    const open = async (to: string, network: NetworkOptions) => {
      const connection = connector(network)(to, () => {});
      const error = await connection
        .send({ path: '/', method: 'GET' }, () => {})
        .then(
          ({ body }) => void body.resume(),
          (reason: unknown) => networkError(reason),
        );
      await connection.close();
      return error?.message ?? 'opened';
    };
    for (const to of [origin, `http://localhost:${port}`])
      for (const set of [proxy.address, 'socks5://h:1']) assert.equal(await open(to, { proxy: set }), 'opened');
    const excluded = [host, `.${host}`, '.test.example', 'test.example', '*', '*.test.example', `${host}:443`];
    const through = ['st.example', `${host}:8443`, `x${host}`, '', 'example.test'];
    for (const [patterns, words] of [
      [excluded, /DNS/],
      [through, /proxy.*403/i],
    ] as const)
      for (const pattern of patterns) {
        assert.match(await open(`https://${host}`, { proxy: proxy.address, noProxy: [pattern] }), words, pattern);
        const env = { NO_PROXY: `other.example, ${pattern}` };
        assert.match(await open(`https://${host}`, { proxy: proxy.address, env }), words, pattern);
      }
  });
});
