import assert from 'node:assert/strict';
import { ask, ids, services } from '../../support/demo/ask.ts';
import type { FaultAction, FaultRule } from '../../support/demo/faults.ts';
import { backwards, twice } from '../../support/demo/items.ts';
import type { TestDemo } from '../../support/demo/testDemo.ts';

const { start, end } = services();
const settlingMs = 900_000;

async function faulty(action: FaultAction, match: FaultRule['match'] = {}): Promise<TestDemo> {
  const service = await start();
  service.control.faults.set([{ match, action }]);
  return service;
}

async function fileUrl(service: TestDemo): Promise<string> {
  return String((await ask(service, '/reports/1/download')).json.url);
}

describe('demo faults', () => {
  afterEach(end);

  it('answers with a status, with or without Retry-After, where the service would answer', async () => {
    const service = await faulty({ kind: 'status', status: 503, retryAfter: 9 });
    const answer = await ask(service, '/entitlements');
    assert.deepEqual([answer.status, answer.json.status, answer.headers.get('retry-after')], [503, 503, '9']);
    assert.ok(answer.headers.has('x-ratelimit-limit'));
    service.control.faults.set([{ action: { kind: 'status', status: 500, empty: true } }]);
    const empty = await ask(service, '/entitlements');
    assert.deepEqual([empty.status, empty.bytes.length, empty.headers.get('retry-after')], [500, 0, null]);
    const date = new Date(service.control.now() + 60_000).toUTCString();
    service.control.faults.set([{ action: { kind: 'status', status: 429, retryAfter: date } }]);
    assert.equal((await ask(service, '/health')).headers.get('retry-after'), date);
  });

  it('serves the HTML page of the edge', async () => {
    const service = await faulty({ kind: 'html', status: 403 });
    const answer = await ask(service, '/entitlements');
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [403, 'text/html; charset=utf-8']);
    assert.equal(answer.headers.has('x-ratelimit-limit'), false);
    assert.equal(service.control.usage().requests, 0);
  });

  it('resets a connection', async () => {
    const service = await faulty({ kind: 'reset' }, { nth: 1 });
    await assert.rejects(ask(service, '/entitlements'), (error: Error) => /ECONNRESET/.test(String(error.cause)));
    assert.equal((await ask(service, '/entitlements')).status, 200);
  });

  for (const how of ['reset', 'close'] as const) {
    it(`cuts a body off (${how}), which the client sees`, async () => {
      const service = await faulty({ kind: 'truncate', atByte: 10, end: how }, { route: 'GET /files' });
      await assert.rejects(ask(service, await fileUrl(service), { key: null }));
    });
  }

  it('cuts a body off so that only its hash tells', async () => {
    const service = await faulty({ kind: 'truncate', atByte: 10, end: 'unannounced' }, { route: 'GET /files' });
    const cut = await ask(service, await fileUrl(service), { key: null });
    assert.deepEqual([cut.status, cut.bytes.length, cut.headers.get('content-length')], [200, 10, null]);
  });

  it('stalls before the headers or in the body, and goes on', async () => {
    const service = await faulty({ kind: 'stall', atByte: 5, ms: 20 });
    assert.equal((await ask(service, '/entitlements')).json.watchlist_size, 1);
    service.control.faults.set([{ action: { kind: 'stall', ms: 20 } }]);
    assert.equal((await ask(service, '/entitlements')).json.watchlist_size, 1);
  });

  it('drips', async () => {
    const service = await faulty({ kind: 'drip', bytes: 40, everyMs: 1 });
    assert.equal((await ask(service, '/entitlements')).json.watchlist_size, 1);
  });

  it('sends noise with the right headers', async () => {
    const service = await faulty({ kind: 'garbage' });
    await assert.rejects(ask(service, '/entitlements'), SyntaxError);
    service.control.faults.set([{ action: { kind: 'garbage', encoding: 'gzip' } }]);
    await assert.rejects(ask(service, '/entitlements'), TypeError);
  });

  it('alters or adds bytes', async () => {
    const service = await start();
    const url = await fileUrl(service);
    const { bytes } = await ask(service, url, { key: null });
    service.control.faults.set([{ action: { kind: 'altered-bytes', atByte: 3 } }]);
    const altered = await ask(service, url, { key: null });
    assert.deepEqual(
      [...altered.bytes].flatMap((byte, index) => (byte === bytes[index] ? [] : [index])),
      [3],
    );
    service.control.faults.set([{ action: { kind: 'extra-bytes', bytes: 7 } }]);
    const longer = await ask(service, url, { key: null });
    assert.equal(longer.bytes.length, bytes.length + 7);
  });

  it('gives a link that has expired, though it does not look so', async () => {
    const service = await faulty({ kind: 'expired-link' }, { times: 1 });
    const { json } = await ask(service, '/reports/1/download');
    assert.ok(Date.parse(String(json.expires_at)) > service.control.now());
    assert.equal((await ask(service, String(json.url), { key: null })).status, 403);
    assert.equal((await ask(service, await fileUrl(service), { key: null })).status, 200);
  });

  it('redirects API calls and links, to another origin too', async () => {
    const [service, other] = [await start(), await start()];
    const url = await fileUrl(service);
    service.control.faults.set([{ action: { kind: 'redirect', location: `${other.baseUrl}/health`, status: 307 } }]);
    for (const path of ['/reports', url]) {
      const answer = await ask(service, path);
      assert.deepEqual([answer.status, answer.headers.get('location')], [307, `${other.baseUrl}/health`]);
    }
    assert.equal(other.control.log.entries.length, 0);
  });

  it('repeats and reorders items of a page', async () => {
    const service = await start();
    for (const id of [1, 2, 3]) service.control.catalogue.change(id, { report_title: 'Another title' });
    service.control.advance(settlingMs);
    const path = '/reports/changes?since=2022-01-01T00:00:00Z';
    service.control.faults.set([{ match: { route: 'GET /reports/changes' }, action: twice }]);
    assert.deepEqual(ids(await ask(service, path)), [1, 1, 2, 2, 3, 3]);
    service.control.faults.set([{ action: backwards }]);
    assert.deepEqual(ids(await ask(service, path)), [3, 2, 1]);
  });

  it('lets a test rewrite an answer', async () => {
    const change = (body: unknown) => ({ ...(body as object), client_name: null, extra: { nested: [1] } });
    const service = await faulty({ kind: 'rewrite', change });
    const { json } = await ask(service, '/entitlements');
    assert.deepEqual([json.client_name, json.extra, json.watchlist_size], [null, { nested: [1] }, 1]);
  });

  it('picks requests by route, count and condition', async () => {
    const service = await start();
    const action = { kind: 'status', status: 500 } as const;
    const statuses = async (count: number) => {
      const seen = [];
      for (let each = 0; each < count; each++) seen.push((await ask(service, '/entitlements')).status);
      return seen;
    };
    service.control.faults.set([{ match: { route: 'GET /reports' }, action }]);
    assert.deepEqual(await statuses(2), [200, 200]);
    service.control.faults.set([{ match: { nth: [1, 3] }, action }]);
    assert.deepEqual(await statuses(4), [500, 200, 500, 200]);
    service.control.faults.set([{ match: { nth: [2, 4], times: 1 }, action }]);
    assert.deepEqual(await statuses(4), [200, 500, 200, 200]);
    service.control.faults.set([{ match: { when: (request) => request.headers['x-mark'] === 'yes' }, action }]);
    assert.equal((await ask(service, '/entitlements', { headers: { 'x-mark': 'yes' } })).status, 500);
    assert.deepEqual(await statuses(1), [200]);
    service.control.faults.clear();
    assert.deepEqual(await statuses(1), [200]);
  });

  it('plays the same faults again for the same seed', async () => {
    const rule = { match: { share: 0.5 }, action: { kind: 'status', status: 500 } } as const;
    const played = async (seed: number) => {
      const service = await start();
      service.control.faults.set([rule], seed);
      const seen = [];
      for (let each = 0; each < 24; each++) seen.push((await ask(service, '/entitlements')).status);
      assert.equal(service.control.faults.fired.length, seen.filter((status) => status === 500).length);
      return seen.join();
    };
    const first = await played(7);
    assert.equal(await played(7), first);
    assert.notEqual(await played(8), first);
    assert.ok(first.includes('500') && first.includes('200'));
  });

  it('can not be reached over HTTP', async () => {
    const service = await start();
    for (const path of ['/control', '/faults', '/admin', '/../control', '/log']) {
      assert.equal((await ask(service, path)).status, 404, path);
    }
  });
});
