import assert from 'node:assert/strict';
import { gzipSync } from 'node:zlib';
import { FakeClock } from '../../support/fakeClock.ts';
import { json, serve, serveTcp } from '../../support/localServer.ts';
import { cleanUpAfterEach, clientFor, failure, failureKind, testKey } from './clients.ts';

const entitlements: object = { client_name: 'Desk', full_access: true, fcyear_start: 2019, fcyear_end: null };

describe('a request', () => {
  cleanUpAfterEach();

  it('names the integration and carries the key in the header of choice, health in none', async () => {
    const server = await serve((_, response) => json(response, entitlements));
    await clientFor(server.baseUrl).entitlements();
    await clientFor(server.baseUrl, { authentication: 'x-api-key' }).entitlements();
    const { ok } = await clientFor(server.baseUrl).health();
    assert.ok(ok);
    const seen = server.requests.map(({ headers }) => [headers.authorization, headers['x-api-key']]);
    assert.deepEqual(seen, [
      [`Bearer ${testKey}`, undefined],
      [undefined, testKey],
      [undefined, undefined],
    ]);
    assert.ok(server.requests.every(({ headers }) => headers['user-agent'] === 'report-library-vscode/0.1.0'));
  });

  it('writes repeated filters and odd characters as they have to be', async () => {
    const page = { data: [], page_info: { count: 0, has_more: false, next_cursor: null } };
    const server = await serve((_, response) => json(response, page));
    const cursor = 'a/b+c=&d é';
    for await (const _ of clientFor(server.baseUrl).reports({ type: ['SR', 'IR'], fcyear: [2023] }, { cursor }));
    const { searchParams } = new URL(server.requests[0]?.url ?? '', server.origin);
    assert.deepEqual(searchParams.getAll('type'), ['SR', 'IR']);
    assert.equal(searchParams.get('cursor'), cursor);
    assert.equal(searchParams.get('limit'), '200');
  });

  it('ends with its cancellation, on the wire too', async () => {
    const closed = Promise.withResolvers<void>();
    const arrived = Promise.withResolvers<void>();
    const server = await serve((request) => {
      request.on('close', () => closed.resolve());
      arrived.resolve();
    });
    const controller = new AbortController();
    const call = clientFor(server.baseUrl).entitlements({ signal: controller.signal });
    await arrived.promise;
    controller.abort();
    await assert.rejects(call, { name: 'AbortError' });
    await closed.promise;
  });

  it('ends when the client does', async () => {
    const arrived = Promise.withResolvers<void>();
    const server = await serve(() => arrived.resolve());
    const client = clientFor(server.baseUrl);
    const calls = [client.entitlements(), client.usage(), client.schema()];
    await arrived.promise;
    client.dispose();
    for (const call of calls) await assert.rejects(call, { name: 'AbortError' });
    await assert.rejects(client.health(), { name: 'AbortError' });
  });
});

describe('an answer', () => {
  cleanUpAfterEach();

  const raw = (text: string) => serveTcp((socket) => socket.on('data', () => socket.end(text)));
  const once = { tries: 1 };

  it('that is too large is refused before it is held, announced or not, compressed or not', async () => {
    const size = 100 * 1024 * 1024;
    let written = 0;
    const announced = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': size });
      response.write('{');
    });
    const endless = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const chunk = Buffer.alloc(1024 * 1024, 0x20);
      const write = () => {
        if (response.destroyed || written > size) return;
        written += chunk.length;
        response.write(chunk, write);
      };
      write();
    });
    const bomb = gzipSync(Buffer.alloc(33 * 1024 * 1024, 0x20));
    const compressed = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(bomb);
    });
    for (const server of [announced, endless, compressed]) {
      const error = await failure(clientFor(server.baseUrl).entitlements());
      assert.equal(error.problem.kind, 'unexpected-shape');
      assert.match(error.message, /32 MiB/);
      assert.equal(server.requests.length, 1);
    }
    assert.ok(written < size, 'the endless body was cut off');
  });

  it('that is nested without end is refused before anything is parsed, announced or not, whole or cut short', async () => {
    const deep = '['.repeat(16_000_000);
    const bodies = [deep, deep + ']'.repeat(16_000_000), `{"a":${deep}`, '['.repeat(33) + ']'.repeat(33)];
    for (const body of bodies.map((text) => gzipSync(text))) {
      for (const length of [{}, { 'content-length': `${body.length}` }]) {
        const server = await serveTcp((socket) =>
          socket.once('data', () => {
            const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip', ...length };
            const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
            socket.write(`HTTP/1.1 200 OK\r\n${lines.join('')}\r\n`);
            socket.end(body);
          }),
        );
        const before = process.memoryUsage().rss;
        const error = await failure(clientFor(server.baseUrl).entitlements());
        assert.match(error.message, /nested too deeply/);
        assert.ok(process.memoryUsage().rss - before < 400e6, 'something was built of it');
      }
    }
  });

  it('is the one that comes after hints of what it will be, and may begin with a mark of the order of its bytes', async () => {
    const body = '\ufeff{"client_name": "Desk", "full_access": true}';
    const head = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${Buffer.byteLength(body)}\r\n\r\n`;
    const server = await raw(`${'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(2)}${head}${body}`);
    assert.equal((await clientFor(server.baseUrl).entitlements(once)).client_name, 'Desk');
  });

  it('that breaks off, stalls or is no HTTP is a network problem in words', async () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n';
    const cases: [text: string, words: RegExp][] = [
      ['', /dropped/],
      [`${head}content-length: 100\r\n\r\n{"client`, /dropped/],
      [`${head}transfer-encoding: chunked\r\n\r\n5\r\n{"cli\r\n`, /dropped/],
      ['SSH-2.0-OpenSSH_9.9\r\n', /valid HTTP/],
      [`${head}content-encoding: gzip\r\ncontent-length: 4\r\n\r\nabcd`, /damaged/],
      [`${head}content-encoding: zstd\r\ncontent-length: 4\r\n\r\nabcd`, /compression/],
    ];
    for (const [text, words] of cases) {
      const error = await failure(clientFor((await raw(text)).baseUrl).entitlements(once));
      assert.match(error.message, words, text);
    }
  });

  it('that never comes is told why', async () => {
    const server = await serve(() => {});
    await server.close();
    const refused = await failure(clientFor(server.baseUrl).entitlements(once));
    assert.match(refused.message, /refused/);
    const unknown = await failure(clientFor('https://nowhere.invalid/api/v2').entitlements(once));
    assert.match(unknown.message, /DNS/);
    const plain = await serve((_, response) => json(response, entitlements));
    const tls = await failure(clientFor(plain.baseUrl.replace('http:', 'https:')).entitlements());
    assert.match(tls.message, /HTTPS/);
  });

  it('that stands still in the middle of its JSON is given up after the idle limit', async () => {
    for (const length of [{}, { 'content-length': 1000 }]) {
      const server = await serve((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json', ...length });
        response.write('{"client_name": "De');
      });
      const client = clientFor(server.baseUrl, { network: { idleLimit: 200 } });
      const { problem } = await failure(client.entitlements(once));
      assert.equal(problem.kind, 'network');
      assert.match(problem.cause, /dropped before/);
    }
  });

  it('that takes longer than anybody waits is given up', async () => {
    const clock = new FakeClock();
    const server = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{');
    });
    const call = failure(clientFor(server.baseUrl, { clock }).entitlements(once));
    await clock.untilSleeping((ms) => ms === 300_000);
    await clock.advance(300_000);
    assert.match((await call).message, /took too long/);
  });
});

describe('what the client keeps to', () => {
  cleanUpAfterEach();

  it('tells the rate it reads', async () => {
    const server = await serve((_, response) =>
      json(response, entitlements, 200, { 'x-ratelimit-limit': '600', 'x-ratelimit-remaining': '598' }),
    );
    const clock = new FakeClock();
    const client = clientFor(server.baseUrl, { clock });
    const seen: unknown[] = [];
    client.onDidChangeRate((status) => seen.push(status));
    await client.entitlements();
    assert.deepEqual(client.rate, { limit: 600, remaining: 598, readAt: clock.now(), waiting: null });
    assert.deepEqual(seen, [client.rate]);
  });

  it('tries what may pass, and never what will not', async () => {
    for (const [status, requests] of [
      [400, 1],
      [401, 1],
      [403, 1],
      [404, 1],
      [422, 1],
      [500, 5],
      [501, 1],
      [502, 5],
      [503, 5],
      [504, 5],
      [429, 5],
    ] as const) {
      const clock = new FakeClock();
      const server = await serve((_, response) => json(response, { title: 'x' }, status));
      const call = failureKind(clientFor(server.baseUrl, { clock, random: () => 0.5 }).usage());
      const done = call.then(() => true);
      while (!(await Promise.race([done, clock.advance(500).then(() => false)])));
      assert.equal(server.requests.length, requests, String(status));
    }
  });
});
