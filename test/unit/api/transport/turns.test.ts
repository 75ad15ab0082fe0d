import assert from 'node:assert/strict';
import type { Client } from 'undici';
import type { Priority } from '../../../../src/api/transport/call.ts';
import type { Connection } from '../../../../src/api/transport/connections.ts';
import { Turns } from '../../../../src/api/transport/turns.ts';
import type { Pause } from '../../../../src/base/pace.ts';
import { memoryState } from '../../../../src/base/sharedState.ts';
import { FakeClock, settled } from '../../../support/fakeClock.ts';

const origin = 'https://reports.example.org';

/** Turns over an unlimited or limited number of made-up connections. */
function setup(places = Number.POSITIVE_INFINITY) {
  const clock = new FakeClock();
  const state = memoryState();
  const pauses: (Pause | null)[] = [];
  const sent: { name: string; at: number }[] = [];
  let taken = 0;
  const turns = new Turns({
    state,
    scope: origin,
    requestsPerSecond: 8,
    clock,
    async takeConnection(to) {
      if (taken >= places) return null;
      taken++;
      return { origin: to, client: {} as Client };
    },
    putBack: () => void taken--,
    onPause: (pause) => pauses.push(pause),
  });
  const start = clock.now();
  const enter = async (
    name: string,
    more: { priority?: Priority; key?: string | null; to?: string; signal?: AbortSignal } = {},
  ) => {
    const { priority = 'background', key = null, to = origin, signal = new AbortController().signal } = more;
    const connection = await turns.enter({ origin: to, priority, key, paced: to === origin, signal });
    sent.push({ name, at: clock.now() - start });
    return connection;
  };
  const release = (_: Connection) => {
    taken--;
    turns.wake();
  };
  return { clock, turns, pauses, sent, enter, release, taken: () => taken };
}

const names = (sent: readonly { name: string }[]) => sent.map(({ name }) => name);

describe('turns', () => {
  it('go evenly, first come first served', async () => {
    const { clock, sent, enter } = setup();
    const all = ['a', 'b', 'c', 'd'].map((name) => enter(name));
    await clock.advance(1000);
    await Promise.all(all);
    assert.deepEqual(sent, [
      { name: 'a', at: 0 },
      { name: 'b', at: 125 },
      { name: 'c', at: 250 },
      { name: 'd', at: 375 },
    ]);
  });

  it('let interactive requests overtake background ones that wait', async () => {
    const { clock, sent, enter } = setup();
    for (const name of ['a', 'b', 'c']) enter(name);
    await settled();
    enter('click', { priority: 'interactive' });
    await clock.advance(1000);
    assert.deepEqual(names(sent), ['a', 'click', 'b', 'c']);
  });

  it('go by the order of arrival whatever they carry', async () => {
    const { clock, sent, enter } = setup();
    enter('a', { key: 'k' });
    enter('b', { key: null });
    enter('c', { key: 'k' });
    enter('d', { key: null });
    await clock.advance(1000);
    assert.deepEqual(names(sent), ['a', 'b', 'c', 'd']);
  });

  it('end at once when cancelled, without costing the others their place', async () => {
    const { clock, sent, enter } = setup();
    const controller = new AbortController();
    enter('a');
    const cancelled = assert.rejects(enter('b', { signal: controller.signal }), { name: 'AbortError' });
    enter('c');
    await settled();
    controller.abort();
    await cancelled;
    await clock.advance(1000);
    assert.deepEqual(sent, [
      { name: 'a', at: 0 },
      { name: 'c', at: 125 },
    ]);
    await assert.rejects(enter('d', { signal: AbortSignal.abort() }), { name: 'AbortError' });
  });

  it('wait for a connection, and go when one is given back', async () => {
    const { clock, sent, enter, release, taken } = setup(1);
    const first = await enter('a');
    enter('b');
    await clock.advance(5000);
    assert.deepEqual(names(sent), ['a']);
    release(first);
    await settled();
    assert.deepEqual(names(sent), ['a', 'b']);
    assert.equal(taken(), 1);
  });

  it('stand still while the service wants it, tell it, and go on to the second', async () => {
    const { clock, turns, pauses, sent, enter } = setup();
    const hour = 3_600_000;
    const pause = { until: clock.now() + hour, reason: 'The service is asked too often.' };
    turns.keepAway(null, hour, pause);
    const waiting = enter('a', { priority: 'interactive' });
    await clock.advance(hour - 1);
    assert.deepEqual(sent, []);
    assert.deepEqual(pauses, [pause]);
    await clock.advance(1);
    await waiting;
    assert.deepEqual(pauses, [pause, null]);
    assert.deepEqual(sent, [{ name: 'a', at: hour }]);
  });

  it('do not end a pause early because the clock was put forward', async () => {
    const { clock, turns, sent, enter } = setup();
    turns.keepAway('k', 60_000, { until: clock.now() + 60_000, reason: '' });
    clock.setBy(86_400_000);
    enter('a', { key: 'k' });
    enter('other', { key: null });
    await clock.advance(59_000);
    assert.deepEqual(names(sent), ['other']);
    await clock.advance(1000);
    assert.deepEqual(names(sent), ['other', 'a']);
  });

  it('do not hold a file up that another host serves while the service is paused', async () => {
    const { clock, turns, sent, enter } = setup();
    turns.keepAway('k', 60_000, { until: clock.now() + 60_000, reason: '' });
    enter('page', { key: 'k' });
    await enter('file', { to: 'https://files.example' });
    assert.deepEqual(names(sent), ['file']);
  });

  it('pass on what the shared state fails with, and go on', async () => {
    const clock = new FakeClock();
    let broken = true;
    const state = memoryState();
    const turns = new Turns({
      state: {
        ...state,
        update: (name, change) => (broken ? Promise.reject(new Error('broken')) : state.update(name, change)),
      },
      scope: origin,
      requestsPerSecond: 8,
      clock,
      takeConnection: async () => ({ origin, client: {} as Client }),
      putBack() {},
      onPause() {},
    });
    const request = {
      origin,
      priority: 'interactive',
      key: null,
      paced: true,
      signal: new AbortController().signal,
    } as const;
    await assert.rejects(turns.enter(request), /broken/);
    broken = false;
    assert.equal((await turns.enter(request)).origin, origin);
  });
});
