import assert from 'node:assert/strict';
import { createServer } from 'node:https';
import { type Client, createClient } from '../../../src/api/client.ts';
import { Secret } from '../../../src/base/secret.ts';
import { type Credentials, issue, makeAuthority } from '../../support/certificates.ts';
import { startProxy } from '../../support/connectProxy.ts';
import { listen } from '../../support/localServer.ts';
import { cliStage, cold } from '../cli/stage.ts';
import { cleanUpAfterEach, clientFor, failure } from '../client/clients.ts';

const variable = 'NODE_TLS_REJECT_UNAUTHORIZED';
const untrusted = /isn't from an issuer this computer trusts/;

describe('certificates, while the environment asks not to verify them', function () {
  this.timeout(60_000);
  cleanUpAfterEach();
  let credentials: Credentials;
  let earlier: string | undefined;
  before(async () => {
    credentials = await issue(await makeAuthority(), ['reports.test.example']);
  });
  beforeEach(() => {
    earlier = process.env[variable];
    process.env[variable] = '0';
  });
  afterEach(() => {
    if (earlier === undefined) delete process.env[variable];
    else process.env[variable] = earlier;
  });

  /** A server whose certificate this computer doesn't trust, and what it was sent. */
  async function impostor() {
    const received: (string | undefined)[] = [];
    const server = createServer({ ...credentials }, ({ headers }, response) => {
      received.push(headers.authorization);
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"client_name":"Desk"}');
    });
    const { port } = await listen(server, []);
    return { port, received };
  }
  const ask = (client: Client) => client.entitlements({ tries: 1 });

  it('are verified on a direct connection: nothing is sent', async () => {
    const { port, received } = await impostor();
    const error = await failure(ask(clientFor(`https://127.0.0.1:${port}/api/v2`)));
    assert.match(error.message, untrusted);
    assert.deepEqual(received, []);
  });

  it('are verified through a proxy, and on the connection to the proxy', async () => {
    const { port, received } = await impostor();
    const baseUrl = 'https://reports.test.example/api/v2';
    const tunnel = await startProxy({ port });
    assert.match((await failure(ask(clientFor(baseUrl, { network: { proxy: tunnel.address } })))).message, untrusted);
    const secured = await startProxy({ port, tls: credentials, credentials: 'user:word' });
    assert.match((await failure(ask(clientFor(baseUrl, { network: { proxy: secured.address } })))).message, untrusted);
    assert.deepEqual([received, secured.targets], [[], []]);
  });

  it('are verified at the host of a file', async () => {
    const { port, received } = await impostor();
    const url = new Secret(`https://127.0.0.1:${port}/file.pdf?signature=canary`);
    const link = { report_id: 1, url };
    const error = await failure(clientFor('http://127.0.0.1:9/api/v2').openLink(link));
    assert.match(error.message, untrusted);
    assert.deepEqual(received, []);
  });

  it('are why the log names the variable', () => {
    const warnings: string[] = [];
    const logger = { debug() {}, info() {}, error() {}, warn: (text: string) => void warnings.push(text) };
    const options = { key: null, authentication: 'bearer', userAgent: 'test', logger } as const;
    const make = () => createClient({ ...options, baseUrl: 'https://reports.test.example/api/v2' }).dispose();
    make();
    assert.match(warnings.join(), /^NODE_TLS_REJECT_UNAUTHORIZED=0 is ignored/);
    process.env[variable] = '1';
    make();
    assert.equal(warnings.length, 1);
  });
});

describe('the doctor', function () {
  this.timeout(60_000);
  const stage = cliStage(1);

  it('names the variable that asks not to verify certificates', async () => {
    const outputOf = async (env: Record<string, string>) => (await stage.cli('doctor', { ...cold, env })).stdout;
    assert.match(await outputOf({ [variable]: '0' }), /^ok +certificates: NODE_TLS_REJECT_UNAUTHORIZED=0 is ignored/m);
    assert.match(await outputOf({}), /^ok +certificates: always verified$/m);
  });
});
