import assert from 'node:assert/strict';
import type { Client } from '../../../src/api/client.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { noEdge } from '../../support/demo/ask.ts';
import type { FaultAction } from '../../support/demo/faults.ts';
import { startTestDemo, type TestDemo, type TestDemoOptions } from '../../support/demo/testDemo.ts';
import { plainCatalog } from '../../support/demo/tinyCatalog.ts';
import { clientFor, disposeClients, failureKind } from './clients.ts';
import { HurriedClock } from './hurriedClock.ts';

let demo: TestDemo;

async function end(): Promise<void> {
  disposeClients();
  assert.deepEqual(demo.control.log.failures, []);
  await demo.dispose();
}

async function start(options: TestDemoOptions): Promise<TestDemo> {
  demo = await startTestDemo({ companies: 4, requestsPerMinute: 100_000, ...noEdge, ...options });
  return demo;
}

async function walk(client: Client, limit: number): Promise<number[]> {
  const ids: number[] = [];
  for await (const page of client.reports({}, { limit })) ids.push(...page.data.map(({ report_id }) => report_id));
  return ids;
}

describe('a service that fails', () => {
  afterEach(end);

  const passing: FaultAction[] = [
    { kind: 'status', status: 500 },
    { kind: 'status', status: 502, empty: true },
    { kind: 'status', status: 503, retryAfter: 3 },
    { kind: 'status', status: 504 },
    { kind: 'status', status: 429, retryAfter: 2 },
    { kind: 'html', status: 503 },
    { kind: 'html', status: 429, retryAfter: 1 },
    { kind: 'reset' },
    { kind: 'truncate', atByte: 2000, end: 'reset' },
    { kind: 'truncate', atByte: 2000, end: 'close' },
    { kind: 'truncate', atByte: 2000, end: 'unannounced' },
    { kind: 'garbage', encoding: 'gzip' },
    { kind: 'drip', bytes: 20_000, everyMs: 5 },
  ];

  for (const action of passing) {
    it(`now and then by ${Object.values(action).join(' ')} costs a walk nothing but time`, async () => {
      await start({ faults: [{ match: { route: 'GET /reports', nth: [2, 4, 6, 8, 10, 12] }, action }] });
      const client = clientFor(demo.baseUrl, { key: demo.key, clock: new HurriedClock() });
      assert.deepEqual(
        await walk(client, 50),
        demo.control.entitled().map(({ report_id }) => report_id),
      );
      assert.ok(demo.control.faults.fired.length >= 1);
    });
  }

  it('for good ends the walk with an error after five tries, and the walk can go on from its cursor', async () => {
    await start({
      catalog: plainCatalog(145),
      faults: [{ match: { route: 'GET /reports', when: ({ sequence }) => sequence > 2 }, action: { kind: 'reset' } }],
    });
    const waits: string[] = [];
    const logger = { ...silentLogger, info: (line: string) => void waits.push(line) };
    const client = clientFor(demo.baseUrl, { key: demo.key, clock: new HurriedClock(), logger });
    const ids: number[] = [];
    let cursor: string | null = null;
    const broken = (async () => {
      for await (const page of client.reports({}, { limit: 50 })) {
        ids.push(...page.data.map(({ report_id }) => report_id));
        cursor = page.next_cursor;
      }
    })();
    assert.equal(await failureKind(broken), 'network');
    assert.equal(waits.filter((line) => line.startsWith('Waiting ')).length, 4, waits.join('\n'));
    // A connection may be lost before the service sees what was asked over it.
    const asked = demo.control.log.to('GET /reports').length;
    assert.ok(asked > 2 && asked <= 2 + 5, `${asked} requests`);
    demo.control.faults.set([]);
    assert.ok(cursor);
    for await (const page of client.reports({}, { limit: 50, cursor }))
      ids.push(...page.data.map(({ report_id }) => report_id));
    assert.deepEqual(
      ids,
      demo.control.entitled().map(({ report_id }) => report_id),
    );
  });
});

describe('a busy client', () => {
  afterEach(end);

  it('is never refused for asking too often in a minute, and uses what it may', async () => {
    const clock = new HurriedClock();
    await start({ requestsPerMinute: 40, clock });
    const client = clientFor(demo.baseUrl, { key: demo.key, clock });
    const began = clock.now();
    await Promise.all(Array.from({ length: 100 }, () => client.usage({ priority: 'background' })));
    const { log } = demo.control;
    assert.deepEqual(
      log.entries.filter(({ status }) => status !== 200),
      [],
    );
    assert.ok(log.maxWithin(60_000) <= 40);
    assert.ok(clock.now() - began < 150_000, '100 requests take two minutes and what the third brings at once');
    assert.equal(client.rate.limit, 40);
  });
});
