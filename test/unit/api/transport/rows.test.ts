import assert from 'node:assert/strict';
import { RequestScheduler } from '../../../../src/api/transport/scheduler.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { memoryState, type SharedState } from '../../../../src/base/sharedState.ts';
import { FakeClock, settled } from '../../../support/fakeClock.ts';
import { FakeWires, get } from '../../../support/fakeWires.ts';

const origin = 'https://reports.example.org';
const files = 'https://files.example';

describe('what windows share of the pace', () => {
  it('names the service, and neither a host of files nor the key', async () => {
    const memory = memoryState();
    const names = new Set<string>();
    const state: SharedState = {
      ...memory,
      update(name, change) {
        names.add(name);
        return memory.update(name, change);
      },
    };
    const clock = new FakeClock();
    const key = new Secret('abc_live_0123456789');
    const stopwatch = () => clock.monotonic();
    const more = { stopwatch, requestsPerSecond: 4, logger: silentLogger, connect: new FakeWires().make };
    const scheduler = new RequestScheduler({ origin, key, state, clock, ...more });
    for (const to of [origin, files]) {
      const { signal } = new AbortController();
      const sent = scheduler.send({ origin: to, priority: 'interactive', keyed: to === origin, signal }, get);
      await settled();
      await clock.advance(2000);
      (await sent).giveBack();
    }
    assert.ok(names.has(`${origin} pace`) && names.size > 1, [...names].join());
    for (const name of names) assert.doesNotMatch(name, /files|abc_live/);
  });
});
