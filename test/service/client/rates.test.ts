import assert from 'node:assert/strict';
import type { Client } from '../../../src/api/client.ts';
import { FakeClock } from '../../support/fakeClock.ts';
import { endDemos, everything, readingNames, startDemo } from './demos.ts';

afterEach(endDemos);

const keyed = ({ keySent }: { readonly keySent: boolean }) => keySent;

/** Whatever a window of the editor asks for at the same time, interactive and in the background. */
function crowd(client: Client, count: number): Promise<unknown>[] {
  return Array.from({ length: count }, (_, index) => {
    const priority = index % 3 === 0 ? 'interactive' : 'background';
    return index % 5 === 0 ? client.health({ priority }) : client.usage({ priority });
  });
}

for (const readings of readingNames) {
  describe(`the pace at the ${readings} demo`, () => {
    it('never has more requests in any second than it is set to, whatever is asked at once', async () => {
      for (const requestsPerSecond of [9, 8, 3, 1]) {
        const { demo, client } = await startDemo({ readings }, { requestsPerSecond });
        await Promise.all([...crowd(client, 25), everything(client.reports({}, { limit: 30 }))]);
        const most = demo.control.log.maxWithin(1000);
        assert.ok(most <= requestsPerSecond, `${most} requests within a second, ${requestsPerSecond} set`);
        assert.ok(requestsPerSecond === 9 ? most > 5 : most >= 1);
        // A little more than a second: on the way requests draw nearer to each other.
        assert.ok(demo.control.log.maxWithin(1050) <= 9);
      }
    });

    it('never has more in a minute than the key allows, so that none is refused', async () => {
      for (const requestsPerMinute of [5, 30]) {
        const { demo, client } = await startDemo({ readings, requestsPerMinute });
        await client.entitlements();
        await Promise.all([...crowd(client, 40), everything(client.reports({}, { limit: 20 }))]);
        const { log } = demo.control;
        assert.ok(log.entries.filter(keyed).length >= 40);
        assert.ok(log.maxWithin(60_000, keyed) <= requestsPerMinute);
        assert.deepEqual(
          log.entries.filter(({ status }) => status !== 200),
          [],
        );
      }
    });

    it('has at most 8 connections, files among them', async () => {
      const [client, service] = [new FakeClock(), new FakeClock()];
      const faults = [
        {
          match: { route: 'GET /reports/{report_id}/download' } as const,
          action: { kind: 'drip', bytes: 1e6, everyMs: 0 },
        },
        { action: { kind: 'stall', ms: 1000 } },
      ] as const;
      const { demo, client: asked } = await startDemo({ readings, faults, clock: service }, { clock: client });
      const sample = demo.control.entitled().find(({ has_file }) => has_file)?.report_id ?? 0;
      const link = asked.downloadLink(sample);
      await until(link, client, service);
      const files = Array.from({ length: 5 }, async () => void (await asked.openLink(await link)).body.destroy());
      const all = Promise.all([...files, ...crowd(asked, 25)]);
      while (demo.control.log.concurrency.now < 8) await client.advance(100);
      await client.advance(3000);
      assert.equal(demo.control.log.concurrency.now, 8);
      await until(all, client, service);
      const { log } = demo.control;
      assert.deepEqual([log.concurrency.peak, log.connections.peak <= 8], [8, true]);
    });
  });
}

/** Lets time pass on both sides until a call is through. */
async function until(call: Promise<unknown>, ...clocks: readonly FakeClock[]): Promise<void> {
  const done = call.then(() => true);
  const pass = async () => {
    for (const clock of clocks) await clock.advance(200);
    return false;
  };
  while (!(await Promise.race([done, pass()])));
}
