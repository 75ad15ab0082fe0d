import assert from 'node:assert/strict';
import { silentLogger } from '../../../src/base/logger.ts';
import { type DemoThread, type DemoWorkerData, demoThread } from '../../../src/demo/demoThread.ts';
import { services, walk } from '../../support/demo/ask.ts';
import type { TestDemo } from '../../support/demo/testDemo.ts';
import { plainCatalog } from '../../support/demo/tinyCatalog.ts';
import { FakeClock } from '../../support/fakeClock.ts';

const { start, end } = services();

async function changesOf(service: TestDemo): Promise<string[]> {
  const pages = await walk(service, '/reports/changes?since=2025-12-31T00:00:00Z');
  return pages.flatMap((page) => page.json.data.map((item) => String(item.change)));
}

describe('demo living catalog', () => {
  afterEach(end);

  it('changes by itself at its pace, and the feed tells of it', async () => {
    const clock = new FakeClock();
    const service = await start({
      catalog: plainCatalog(12),
      unlicensed: [],
      clock,
      liveSeconds: 120,
      settlingSeconds: 60,
    });
    await clock.advance(10_000 + 7 * 120_000);
    assert.deepEqual(clock.slept, [10_000, ...Array(8).fill(120_000)]);
    service.control.advance(60_000);
    const changes = await changesOf(service);
    assert.deepEqual(changes.filter((change) => change === 'withdrawn').length, 1);
    assert.ok(changes.filter((change) => change === 'upsert').length >= 6);
    assert.ok(service.control.catalog.report(9_001).report_key.length > 0);
  });
});

describe('demo worker', () => {
  const script = new URL('../../../src/demo/worker.ts', import.meta.url);

  /** Its threads end with the test. */
  const threads: DemoThread[] = [];
  const thread = (data: DemoWorkerData) => {
    const one = demoThread(script, data, silentLogger);
    threads.push(one);
    return one;
  };
  afterEach(() => {
    for (const one of threads.splice(0)) one.dispose();
  });

  async function status({ baseUrl, key }: Awaited<ReturnType<DemoThread['start']>>): Promise<number> {
    const response = await fetch(`${baseUrl}/entitlements`, { headers: { 'x-api-key': key.reveal() } });
    await response.arrayBuffer();
    return response.status;
  }

  it('serves from a thread of its own until that is ended, started once', async () => {
    const one = thread({});
    const [first, second] = await Promise.all([one.start(), one.start()]);
    assert.equal(second.baseUrl, first.baseUrl);
    assert.equal(await status(first), 200);
    await one.dispose();
    await assert.rejects(status(first));
    await assert.rejects(one.start(), /could not be started/);
  });

  it('fails with a sentence when the port is taken', async () => {
    const { baseUrl } = await thread({}).start();
    const port = Number(new URL(baseUrl).port);
    await assert.rejects(thread({ port }).start(), {
      message: 'The demo library could not be started.',
      cause: `Port ${port} is taken: choose another one.`,
    });
  });

  it('says so when its script can’t run', async () => {
    const broken = demoThread(new URL('missing.ts', import.meta.url), {}, silentLogger);
    threads.push(broken);
    await assert.rejects(broken.start(), /could not be started/);
  });
});
