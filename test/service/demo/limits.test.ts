import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { ask, services } from '../../support/demo/ask.ts';

const { start, end } = services();
/** Time passes only when a test moves it. */
const clock: Clock = { ...systemClock, monotonic: () => 0 };

describe('demo rate limit', () => {
  afterEach(end);

  it('tells limit and what is left on every authenticated answer, refusals too', async () => {
    const service = await start({ requestsPerMinute: 50 });
    const paths = ['/entitlements', '/reports/999', '/reports?limit=0', '/nothing', '/meta/schema'];
    const left = [];
    for (const path of paths) {
      const { headers } = await ask(service, path);
      assert.equal(headers.get('x-ratelimit-limit'), '50', path);
      left.push(Number(headers.get('x-ratelimit-remaining')));
    }
    assert.deepEqual(left, [49, 48, 47, 46, 45]);
    for (const options of [{ key: null }, { key: service.keys.expired }]) {
      assert.equal((await ask(service, '/entitlements', options)).headers.has('x-ratelimit-limit'), false);
    }
  });

  it('refuses what is over the limit with 429 and the seconds to wait, and counts each key alone', async () => {
    const service = await start({ requestsPerMinute: 3, clock });
    for (let count = 0; count < 3; count++) assert.equal((await ask(service, '/entitlements')).status, 200);
    service.control.advance(20_000);
    const refused = await ask(service, '/entitlements');
    assert.equal(refused.status, 429);
    assert.equal(refused.headers.get('x-ratelimit-remaining'), '0');
    const wait = Number(refused.headers.get('retry-after'));
    assert.equal(wait, 40);
    assert.equal((await ask(service, '/entitlements', { key: service.keys.core })).status, 200);
    service.control.advance((wait - 1) * 1000);
    assert.equal((await ask(service, '/entitlements')).status, 429);
    service.control.advance(1_000);
    assert.equal((await ask(service, '/entitlements')).status, 200);
    assert.equal(service.control.usage().requests, 4);
  });

  it('lets no minute that slides hold more than the limit', async () => {
    const service = await start({ requestsPerMinute: 4, clock });
    const statuses = [];
    for (const pause of [0, 25_000, 0, 0, 30_000, 10_000, 0, 0]) {
      service.control.advance(pause);
      statuses.push((await ask(service, '/entitlements')).status);
    }
    // At 65 s only the first request, made at 0 s, has left the minute.
    assert.deepEqual(statuses, [200, 200, 200, 200, 429, 200, 429, 429]);
  });

  it('counts neither health nor files', async () => {
    const service = await start({ requestsPerMinute: 2 });
    const url = String((await ask(service, '/reports/1/download')).json.url);
    for (let count = 0; count < 5; count++) {
      assert.equal((await ask(service, '/health')).status, 200);
      assert.equal((await ask(service, url, { key: null })).status, 200);
    }
    assert.equal((await ask(service, '/entitlements')).status, 200);
  });

  it('gives the sandbox key its own rate', async () => {
    const service = await start({ requestsPerMinute: 600 });
    const { headers } = await ask(service, '/entitlements', { key: service.keys.sandbox });
    assert.equal(headers.get('x-ratelimit-limit'), '120');
  });
});

describe('demo edge', () => {
  afterEach(end);

  it('blocks what comes faster than it allows with a page of its own, keys and files alike', async () => {
    const service = await start({ edgeRequestsPerSecond: 3, clock });
    const url = String((await ask(service, '/reports/1/download')).json.url);
    const statuses = [];
    for (const path of ['/health', url, '/entitlements']) statuses.push((await ask(service, path)).status);
    assert.deepEqual(statuses, [200, 200, 429]);
    const blocked = await ask(service, '/entitlements');
    assert.equal(blocked.headers.get('content-type'), 'text/html; charset=utf-8');
    service.control.advance(1_000);
    assert.equal((await ask(service, '/entitlements')).status, 200);
    assert.equal(service.control.usage().requests, 2);
  });

  it('lets fewer than ten requests a second through, unless told otherwise', async () => {
    const service = await start({ clock, edgeRequestsPerSecond: undefined });
    const statuses = [];
    for (let asked = 0; asked < 11; asked++) statuses.push((await ask(service, '/health')).status);
    assert.deepEqual(statuses, [...Array(9).fill(200), 429, 429]);
  });

  it('lets eight connections in, unless told otherwise, and refuses what comes over a ninth', async () => {
    const service = await start({ edgeConnections: undefined });
    const { port } = new URL(service.baseUrl);
    const sockets = Array.from({ length: 8 }, () => connect(Number(port), '127.0.0.1'));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    assert.equal((await ask(service, '/health')).status, 429);
    const [first] = sockets;
    assert.ok(first);
    const closed = once(first, 'close');
    first.end();
    await closed;
    assert.equal((await ask(service, '/health')).status, 200);
    for (const socket of sockets) socket.destroy();
  });
});

describe('demo request log', () => {
  afterEach(end);

  it('tells route, query, headers and status of each request, but no key', async () => {
    const service = await start();
    await ask(service, '/reports/3?x=1', { headers: { 'user-agent': 'Test/1' } });
    const [entry] = service.control.log.entries;
    assert.ok(entry);
    assert.deepEqual(
      [entry.method, entry.route, entry.path, entry.query, entry.status, entry.key, entry.keySent],
      ['GET', 'GET /reports/{report_id}', '/api/v2/reports/3', [['x', '1']], 200, 'full', true],
    );
    assert.deepEqual([entry.headers['user-agent'], entry.headers.authorization], ['Test/1', '[key: full]']);
    assert.equal(service.control.log.to('GET /reports/{report_id}').length, 1);
  });

  it('finds the fullest second and minute', async () => {
    const moving = { ...systemClock, monotonic: () => time };
    let time = 0;
    const service = await start({ clock: moving, requestsPerMinute: 1_000 });
    for (const pause of [0, 400, 500, 99, 1, 900, 59_000]) {
      time += pause;
      await ask(service, '/entitlements');
    }
    assert.equal(service.control.log.maxWithin(1_000), 4);
    assert.equal(service.control.log.maxWithin(60_000), 6);
    assert.equal(
      service.control.log.maxWithin(1_000, (entry) => entry.route === 'GET /reports'),
      0,
    );
  });
});
