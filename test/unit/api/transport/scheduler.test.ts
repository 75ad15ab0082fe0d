import assert from 'node:assert/strict';
import type { Exchange } from '../../../../src/api/transport/scheduler.ts';
import { memoryState, type SharedState } from '../../../../src/base/sharedState.ts';
import { settled } from '../../../support/fakeClock.ts';
import { nowhere, silence } from '../../../support/fakeWires.ts';
import { files, names, refusal, setup } from './schedulers.ts';

/** As many turns of the queue of promises. */
async function steps(count: number): Promise<void> {
  for (let step = 0; step < count; step++) await undefined;
}

describe('requests', () => {
  it('go out where the shared state takes long to keep what it is told', async () => {
    const state = memoryState();
    const slow: SharedState = {
      ...state,
      async update(name, change) {
        const result = await state.update(name, change);
        const until = performance.now() + 12;
        while (performance.now() < until);
        return result;
      },
    };
    const { clock, sent, pass } = setup(slow, undefined, undefined, () => performance.now());
    const gone = pass('a');
    for (let look = 0; look < 60 && sent.length === 0; look++) {
      await settled();
      await clock.advance(500);
    }
    assert.deepEqual(names(sent), ['a']);
    await gone;
  });

  it('go evenly, first come first served', async () => {
    const { clock, sent, pass } = setup();
    const all = ['a', 'b', 'c', 'd'].map((name) => pass(name));
    await settled();
    await settled();
    await clock.advance(2000);
    await Promise.all(all);
    assert.deepEqual(names(sent), ['a', 'b', 'c', 'd']);
    assert.deepEqual(
      sent.map(({ at }) => at),
      [0, 250, 500, 750],
    );
  });

  it('that miss their turn keep their place', async () => {
    const { clock, sent, wires, pass } = setup();
    wires.misses = 2;
    const all = ['a', 'b', 'c'].map((name) => pass(name));
    await clock.advance(3000);
    await Promise.all(all);
    assert.deepEqual(names(sent), ['a', 'b', 'c']);
  });

  it('that a person waits for overtake background ones, which keep their order', async () => {
    const { clock, sent, pass } = setup();
    for (const name of ['a', 'b', 'c']) pass(name);
    await clock.advance(10);
    pass('click', { priority: 'interactive' });
    pass('second click', { priority: 'interactive' });
    await clock.advance(3000);
    assert.deepEqual(names(sent), ['a', 'click', 'second click', 'b', 'c']);
  });

  it('overtake also one that waits for the minute to have room', async () => {
    const { clock, scheduler, sent, pass } = setup();
    await pass('first');
    await scheduler.read({ 'x-ratelimit-limit': '4', 'x-ratelimit-remaining': '3' });
    for (const name of ['a', 'b', 'c', 'd']) pass(name);
    await clock.advance(5000);
    pass('click', { priority: 'interactive' });
    await clock.advance(120_000);
    const order = names(sent);
    assert.ok(order.indexOf('click') < order.indexOf('d'), order.join());
    assert.equal(order.length, 6);
  });

  it('end at once when cancelled, without costing the others their place', async () => {
    const { clock, sent, pass } = setup();
    const [waiting, next] = [new AbortController(), new AbortController()];
    pass('a');
    const cancelled = [
      assert.rejects(pass('b', { signal: next.signal }), { name: 'AbortError' }),
      assert.rejects(pass('c', { signal: waiting.signal }), { name: 'AbortError' }),
    ];
    pass('d');
    await clock.advance(10);
    waiting.abort();
    next.abort();
    await Promise.all(cancelled);
    await clock.advance(1000);
    assert.deepEqual(names(sent), ['a', 'd']);
    await assert.rejects(pass('e', { signal: AbortSignal.abort() }), { name: 'AbortError' });
  });

  it('let a person’s request overtake the next one too, when the one before it was cancelled', async () => {
    const state = memoryState();
    const slow = Promise.withResolvers<void>();
    let isSlow = false;
    const { clock, scheduler, sent, pass } = setup({
      ...state,
      async update(name, change) {
        if (isSlow && name.endsWith(' pace')) await slow.promise;
        return state.update(name, change);
      },
    });
    await pass('first');
    await scheduler.read({ 'x-ratelimit-limit': '20', 'x-ratelimit-remaining': '2' });
    isSlow = true;
    const cancel = new AbortController();
    const cancelled = assert.rejects(pass('a', { signal: cancel.signal }), { name: 'AbortError' });
    await clock.advance(1000);
    pass('b');
    cancel.abort();
    await cancelled;
    isSlow = false;
    slow.resolve();
    await clock.advance(1000);
    pass('click', { priority: 'interactive' });
    await clock.advance(1000);
    assert.deepEqual(names(sent), ['first', 'click']);
  });

  it('give their connection back when cancelled at the very moment of their turn', async () => {
    for (let later = 0; later < 20; later++) {
      const cancel = new AbortController();
      const state = memoryState(1 / 8);
      const watched: SharedState = {
        ...state,
        async update(name, change) {
          const result = await state.update(name, change);
          if (name.endsWith(' pace')) void steps(later).then(() => cancel.abort());
          return result;
        },
      };
      const { clock, sent, pass } = setup(watched);
      const ended = pass('a', { signal: cancel.signal, priority: 'interactive' }).catch(() => {});
      await clock.advance(100);
      await ended;
      const next = pass('b', { priority: 'interactive' });
      await clock.advance(5000);
      assert.equal(sent.at(-1)?.name, 'b', `${later} steps later`);
      await next;
    }
  });

  it('wait for a connection, and go when one is given back', async () => {
    const { clock, sent, enter } = setup();
    const taken: Promise<Exchange>[] = [];
    for (let turn = 0; turn < 9; turn++) taken.push(enter(`${turn}`, { priority: 'interactive' }));
    await clock.advance(20_000);
    assert.equal(sent.length, 8);
    (await taken[0])?.giveBack();
    await clock.advance(10);
    assert.equal(sent.length, 9);
  });

  it('say why no connection could be opened', async () => {
    const { clock, pass } = setup();
    for (let turn = 0; turn < 2; turn++) {
      const { problem } = await refusal(pass('a', { to: nowhere }));
      assert.equal(problem.kind, 'network');
      assert.match(problem.cause, /refused/);
      await clock.advance(10);
    }
  });

  it('of a person do not wait behind a connection that was begun for another and hangs', async () => {
    const { clock, wires, pass } = setup();
    const background = refusal(pass('a', { to: silence }));
    await clock.advance(10_000);
    const click = refusal(pass('click', { to: silence, priority: 'interactive' }));
    await clock.advance(10);
    assert.equal(wires.asked, 2, 'a connection of its own is opened');
    wires.broken.reject(Object.assign(new Error('no'), { code: 'ETIMEDOUT' }));
    for (const call of [click, background]) assert.match((await call).problem.cause, /too long/);
  });

  it('go over the connections that there are, where a host takes no more of them', async () => {
    const { clock, sent, wires, enter, pass } = setup();
    const held = enter('held', { to: files, keyed: false });
    await clock.advance(10);
    wires.refusing = true;
    const waiting = ['a', 'b', 'c'].map((name) => pass(name, { to: files, keyed: false }));
    await clock.advance(5000);
    assert.ok(wires.asked <= 1 + 3 * 6, `${wires.asked} connections were asked for`);
    (await held).giveBack();
    await clock.advance(100);
    await Promise.all(waiting);
    assert.deepEqual(names(sent), ['held', 'a', 'b', 'c']);
  });

  it('leave nothing behind, however many hosts of files they went to', async () => {
    const values = new Map<string, unknown>();
    const { clock, scheduler, pass } = setup(memoryState(1, values));
    await pass('service');
    const before = values.size;
    for (let host = 0; host < 50; host++) {
      await scheduler.pause(`https://${host}.files.example`, 1000, '', true);
      const passing = pass('file', { to: `https://${host}.files.example`, keyed: false });
      await clock.advance(6000);
      await passing;
    }
    assert.ok(values.size <= before, [...values.keys()].join());
  });

  it('end with the client', async () => {
    const { scheduler, enter } = setup();
    scheduler.dispose();
    await assert.rejects(enter('a', { signal: scheduler.ended }), { name: 'AbortError' });
  });

  it('fail with what the shared state fails with, and go on', async () => {
    let broken = true;
    const state = memoryState();
    const failing: SharedState = {
      ...state,
      update: (name, change) => (broken ? Promise.reject(new Error('broken')) : state.update(name, change)),
    };
    const { clock, sent, pass } = setup(failing);
    await assert.rejects(pass('a', { priority: 'interactive' }), /broken/);
    broken = false;
    pass('b', { priority: 'interactive' });
    await clock.advance(1000);
    assert.deepEqual(names(sent), ['b']);
  });
});
