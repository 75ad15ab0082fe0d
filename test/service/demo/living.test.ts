import assert from 'node:assert/strict';
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Clock } from '../../../src/base/clock.ts';
import { Secret } from '../../../src/base/secret.ts';
import type { DemoWorkerData, DemoWorkerMessage } from '../../../src/demo/worker.ts';
import { ask, services, walk } from '../../support/demo/ask.ts';
import type { TestDemo } from '../../support/demo/testDemo.ts';
import { plainCatalogue } from '../../support/demo/tinyCatalogue.ts';

const { start, end } = services();

/** A clock whose sleepers are woken one by one by the test. */
class SteppedClock implements Clock {
  #now = Date.parse('2026-01-01T00:00:00Z');
  #sleepers: { readonly ms: number; readonly wake: () => void }[] = [];

  now(): number {
    return this.#now;
  }

  monotonic(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
      this.#sleepers.push({ ms, wake: resolve });
    });
  }

  /** Wakes the sleepers, once the time is over; answers how long that was. */
  async step(): Promise<number> {
    const sleeper = this.#sleepers.shift();
    if (!sleeper) throw new Error('Nobody sleeps.');
    this.#now += sleeper.ms;
    sleeper.wake();
    await new Promise(setImmediate);
    return sleeper.ms;
  }
}

async function changesOf(service: TestDemo): Promise<string[]> {
  const pages = await walk(service, '/reports/changes?since=2025-12-31T00:00:00Z');
  return pages.flatMap((page) => page.json.data.map((item) => String(item.change)));
}

describe('demo living catalogue', () => {
  afterEach(end);

  it('changes by itself at its pace, and the feed tells of it', async () => {
    const clock = new SteppedClock();
    const service = await start({
      catalogue: plainCatalogue(12),
      unlicensed: [],
      clock,
      live: true,
      liveSeconds: 120,
      settlingSeconds: 60,
    });
    const waits = [];
    for (let turn = 0; turn < 8; turn++) waits.push(await clock.step());
    assert.deepEqual(waits, [10_000, ...Array(7).fill(120_000)]);
    service.control.advance(60_000);
    const changes = await changesOf(service);
    assert.deepEqual(changes.filter((change) => change === 'withdrawn').length, 1);
    assert.ok(changes.filter((change) => change === 'upsert').length >= 6);
    assert.ok(service.control.catalogue.report(9_001).report_key.length > 0);
  });

  it('lives the same life for the same seed', async () => {
    const life = async (seed: number) => {
      const clock = new SteppedClock();
      const service = await start({ catalogue: plainCatalogue(12), clock, live: true, seed });
      for (let turn = 0; turn < 8; turn++) await clock.step();
      return JSON.stringify(service.control.entitled());
    };
    assert.equal(await life(3), await life(3));
    assert.notEqual(await life(3), await life(4));
  });

  it('stands still otherwise', async () => {
    const clock = new SteppedClock();
    await start({ clock });
    await assert.rejects(clock.step(), /Nobody sleeps/);
  });

  it('brings new reports with a file and plausible data', async () => {
    const service = await start({ companies: 2 });
    const [company] = (await ask(service, '/watchlist')).json.data;
    assert.ok(company);
    const added = service.control.catalogue.add(company.company_key);
    const { json } = await ask(service, `/reports/${added.report_id}`);
    assert.equal(json.company_key, company.company_key);
    assert.ok(String(json.report_key).startsWith(`${company.company_key}_`));
    assert.ok(String(json.period_end_date).startsWith(String(json.report_fcyear)));
    const { url } = (await ask(service, `/reports/${added.report_id}/download`)).json;
    assert.equal((await ask(service, String(url), { key: null })).status, 200);
  });
});

describe('demo worker', () => {
  const script = new URL('../../../src/demo/worker.ts', import.meta.url);

  async function startWorker(data: DemoWorkerData): Promise<{ worker: Worker; message: DemoWorkerMessage }> {
    const worker = new Worker(script, { workerData: data });
    const [message] = (await once(worker, 'message')) as [DemoWorkerMessage];
    return { worker, message };
  }

  async function status({ baseUrl, key }: DemoWorkerMessage): Promise<number> {
    const headers = { 'x-api-key': new Secret(key).reveal() };
    const response = await fetch(`${baseUrl}/entitlements`, { headers });
    await response.arrayBuffer();
    return response.status;
  }

  it('serves from a thread of its own until it is terminated', async () => {
    const { worker, message } = await startWorker({ companies: 1 });
    assert.deepEqual(Object.keys(message), ['kind', 'baseUrl', 'key']);
    assert.equal(await status(message), 200);
    await worker.terminate();
    await assert.rejects(status(message));
  });

  it('fails with a sentence when the port is taken', async () => {
    const { worker, message } = await startWorker({ companies: 1 });
    const port = Number(new URL(message.baseUrl).port);
    const second = new Worker(script, { workerData: { companies: 1, port } satisfies DemoWorkerData });
    const [error] = (await once(second, 'error').catch((reason: Error) => [reason])) as [Error];
    assert.equal(error.message, `Port ${port} is taken: choose another one.`);
    await worker.terminate();
  });
});
