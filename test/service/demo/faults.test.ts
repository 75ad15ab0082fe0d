import assert from 'node:assert/strict';
import { ask, services } from '../../support/demo/ask.ts';
import type { FaultAction, FaultRule } from '../../support/demo/faults.ts';
import type { TestDemo } from '../../support/demo/testDemo.ts';

const { start, end } = services();

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

  it('stalls before the headers or in the body, and goes on', async () => {
    const service = await faulty({ kind: 'stall', atByte: 5, ms: 20 });
    assert.equal((await ask(service, '/entitlements')).json.watchlist_size, 1);
    service.control.faults.set([{ action: { kind: 'stall', ms: 20 } }]);
    assert.equal((await ask(service, '/entitlements')).json.watchlist_size, 1);
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
});
