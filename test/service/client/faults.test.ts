import assert from 'node:assert/strict';
import type { Client } from '../../../src/api/client.ts';
import { silentLogger } from '../../../src/base/logger.ts';
import { noEdge } from '../../support/demo/ask.ts';
import type { FaultAction } from '../../support/demo/faults.ts';
import { startTestDemo, type TestDemo, type TestDemoOptions } from '../../support/demo/testDemo.ts';
import { plainCatalog } from '../../support/demo/tinyCatalog.ts';
import { clientFor, disposeClients, failureKind } from './clients.ts';
import { idsOf } from './demos.ts';
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
  for await (const page of client.reports({}, { limit })) ids.push(...idsOf(page.data));
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
      assert.deepEqual(await walk(client, 50), idsOf(demo.control.entitled()));
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
        ids.push(...idsOf(page.data));
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
    for await (const page of client.reports({}, { limit: 50, cursor })) ids.push(...idsOf(page.data));
    assert.deepEqual(ids, idsOf(demo.control.entitled()));
  });
});
