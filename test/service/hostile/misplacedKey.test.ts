import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Secret } from '../../../src/base/secret.ts';
import { json, serve } from '../../support/localServer.ts';
import { cliStage } from '../cli/stage.ts';
import { cleanUpAfterEach, clientFor, failure, testKey } from '../client/clients.ts';

const once = { tries: 1 };

describe('a key in the wrong place', function () {
  this.timeout(120_000);
  const stage = cliStage(1);
  cleanUpAfterEach();

  it('of a command line is neither sent nor printed', async () => {
    const requests: string[] = [];
    const server = await serve((request, response) => {
      requests.push(`${request.url}`);
      json(response, { data: [] });
    });
    const service = { baseUrl: server.baseUrl, key: new Secret(testKey) };
    const wrong = [
      ...['', '--dry-run ', '--company ', '--company='].map((option) => `download ${option}${testKey}`),
      ...['find', 'search', 'resolve', 'export --company', 'export --output'].map((name) => `${name} ${testKey}`),
      ...[`sync --${testKey}`, `verify --folder ${testKey}`, `doctor ${testKey}`, testKey, `help ${testKey}`],
    ];
    for (const args of wrong) {
      for (const form of ['', ' --json']) {
        const { code, stdout, stderr } = await stage.cli(args + form, { service });
        assert.equal(code, 2, args);
        assert.doesNotMatch(stdout + stderr, /canary/, args);
      }
    }
    assert.deepEqual(requests, []);
    const { stderr, stdout } = await stage.cli(`download ${testKey} --json`, { service });
    assert.equal(stderr, '');
    assert.match(JSON.parse(stdout).error.message, /^An argument looks like an API key/);
  });

  it('is told from the ticker LIVE, and from a path', async () => {
    const { code, stdout } = await stage.cli('download XNAS_LIVE_2024_SR');
    assert.deepEqual([code, stdout.includes('unknown')], [1, true]);
    await mkdir(join(stage.cwd, 'a_live_folder'));
    await stage.cli('sync');
    assert.equal((await stage.cli(`export --output ./a_live_folder/all.csv`)).code, 0);
  });

  it('of a table to resolve is not sent', async () => {
    await writeFile(join(stage.cwd, 'names.csv'), `name\n${testKey}\n`);
    const { code, stdout, stderr } = await stage.cli('resolve names.csv --column name --json');
    assert.equal(code, 2);
    assert.match(stdout, /looks like an API key, so it was not sent/);
    assert.doesNotMatch(stdout + stderr, /canary/);
  });

  it('of a call is not sent, also where it has no mark of a key', async () => {
    const server = await serve((_, response) => json(response, { data: [] }));
    for (const key of [testKey, 'plain-canary "key" 0123'.replaceAll(' ', '')]) {
      const client = clientFor(server.baseUrl, { key: new Secret(key) });
      const { message } = await failure(client.lookup([key], once));
      assert.match(message, /not sent/);
      assert.doesNotMatch(message, /canary/);
    }
    assert.equal(server.requests.length, 0);
  });

  it('of an answer is no request id, whatever the answer', async () => {
    const ids = [testKey, `id-${testKey}`, `${'x'.repeat(95)}${testKey}`, 'other_live_canary0'];
    const ways: [type: string, body: string][] = [
      ['text/html', '<p>Sign in</p>'],
      ['application/json', '{'],
      ['application/json', '[]'],
    ];
    for (const id of ids) {
      for (const [type, body] of ways) {
        for (const status of [200, 403, 502]) {
          const server = await serve((_, response) =>
            response.writeHead(status, { 'content-type': type, 'x-request-id': id, 'cf-ray': 'ray-1' }).end(body),
          );
          const { problem, message } = await failure(clientFor(server.baseUrl).entitlements(once));
          assert.doesNotMatch(`${message}${JSON.stringify(problem)}`, /canary|x{80}/, `${status} ${body}`);
          assert.equal(problem.requestId, 'ray-1');
        }
      }
    }
  });
});
