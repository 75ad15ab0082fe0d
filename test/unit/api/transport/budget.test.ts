import assert from 'node:assert/strict';
import type { Permit } from '../../../../src/api/transport/budget.ts';
import { memoryState, type SharedState } from '../../../../src/base/sharedState.ts';
import { FakeClock, settled } from '../../../support/fakeClock.ts';
import { files, maxWithin, names, refusal, setup } from './budgets.ts';

const interactive = { priority: 'interactive' } as const;

describe('requests', () => {
  it('go at the rate that is set, first come first served', async () => {
    const { clock, sent, pass } = setup();
    const all = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'].map((name) => pass(name));
    await clock.advance(3000);
    await Promise.all(all);
    assert.deepEqual(names(sent), ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i']);
    const times = sent.map(({ at }) => at);
    assert.equal(maxWithin(times, 1000), 4);
    assert.ok((times.at(-1) ?? 0) < 2300, times.join());
  });

  it('that a person waits for overtake background ones, which keep their order', async () => {
    const { clock, sent, pass } = setup();
    for (const name of ['a', 'b', 'c']) pass(name);
    await clock.advance(10);
    pass('click', interactive);
    pass('second click', interactive);
    await clock.advance(3000);
    assert.deepEqual(names(sent), ['a', 'click', 'second click', 'b', 'c']);
  });

  it('end at once when cancelled, without costing the others their turn', async () => {
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

  it('give their connection back when cancelled at the very moment they are let go', async () => {
    for (let later = 0; later < 20; later++) {
      const cancel = new AbortController();
      const state = { ...memoryState(), isShared: false };
      const watched: SharedState = {
        ...state,
        async update(name, change) {
          const result = await state.update(name, change);
          void (async () => {
            for (let step = 0; step < later; step++) await undefined;
            cancel.abort();
          })();
          return result;
        },
      };
      const { clock, sent, pass } = setup(watched);
      const ended = pass('a', { signal: cancel.signal, ...interactive }).catch(() => {});
      await clock.advance(100);
      await ended;
      const next = pass('b', interactive);
      await clock.advance(5000);
      assert.equal(sent.at(-1)?.name, 'b', `${later} steps later`);
      await next;
    }
  });

  it('count from the moment they are sent, however long their connection takes to open', async () => {
    const { clock, sent, connections, pass } = setup(memoryState(), new FakeClock(), 9);
    connections.handshake = () => clock.sleep(Math.random() * 900);
    let isOver = false;
    const work = async () => {
      while (!isOver) await pass('', interactive);
    };
    const all = Array.from({ length: 8 }, work);
    for (let at = 0; at < 20_000; at += 50) await clock.advance(50);
    isOver = true;
    await clock.advance(5000);
    await Promise.all(all);
    const times = sent.map(({ at }) => at);
    assert.equal(maxWithin(times, 1150), 9);
  });

  it('that fail before they were sent cost nothing of the rate', async () => {
    const { connections, sent, pass } = setup(memoryState(), new FakeClock(), 1);
    connections.handshake = () => Promise.reject(Object.assign(new Error('no'), { code: 'ECONNREFUSED' }));
    for (let turn = 0; turn < 3; turn++) await refusal(pass('failed', interactive));
    connections.handshake = () => Promise.resolve();
    await pass('sent', interactive);
    assert.deepEqual(sent, [{ name: 'sent', at: 0 }]);
  });

  it('of a process that can not see the others keep to two a second and one connection', async () => {
    const { clock, sent, connections, enter, pass } = setup({ ...memoryState(), isShared: false }, undefined, 9);
    for (let turn = 0; turn < 10; turn++) pass('', interactive);
    await clock.advance(10_000);
    assert.equal(sent.length, 10);
    assert.equal(
      maxWithin(
        sent.map(({ at }) => at),
        1000,
      ),
      2,
    );
    const file = enter('file', { to: files });
    await clock.advance(3000);
    pass('waits', interactive);
    await clock.advance(3000);
    assert.deepEqual([connections.open, sent.at(-1)?.name], [1, 'file']);
    (await file).release();
    await clock.advance(3000);
    assert.equal(sent.at(-1)?.name, 'waits');
  });

  it('leave nothing behind, however many file hosts they went to, and name neither them nor the key', async () => {
    const values = new Map<string, unknown>();
    const { clock, budget, pass } = setup(memoryState(values));
    await pass('service');
    for (let host = 0; host < 20; host++) {
      await budget.pause(`https://${host}.files.example`, 1000, '', 'files');
      assert.doesNotMatch(JSON.stringify([...values]), /files\.example|abc_live/);
      const passing = pass('file', { to: `https://${host}.files.example` });
      await clock.advance(6000);
      await passing;
    }
    await clock.advance(61_000);
    budget.dispose();
    await settled();
    const [row] = [...values.values()] as [Record<string, object>];
    assert.deepEqual([values.size, row.pauses, row.processes, row.unsent], [1, {}, {}, {}]);
  });

  it('fail with what the shared state fails with, and go on', async () => {
    let isBroken = true;
    const state = memoryState();
    const failing: SharedState = {
      ...state,
      update: (name, change) => (isBroken ? Promise.reject(new Error('broken')) : state.update(name, change)),
    };
    const { clock, sent, pass } = setup(failing);
    await assert.rejects(pass('a', interactive), /broken/);
    isBroken = false;
    pass('b', interactive);
    await clock.advance(1000);
    assert.deepEqual(names(sent), ['b']);
  });
});

describe('connections', () => {
  const file = { to: files, ...interactive };

  /** Windows that share one state. */
  function computer() {
    const [state, clock] = [memoryState(), new FakeClock()];
    return { clock, window: () => setup(state, clock, 9) };
  }
  type Window = ReturnType<typeof setup>;

  /** Downloads without end, several at a time, each of some seconds. */
  function download({ clock, enter }: Window, count: number, signal: AbortSignal) {
    const one = async () => {
      for (;;) {
        const permit = await enter('', { to: files, signal });
        await clock.sleep(1000 + Math.random() * 1000);
        permit.release();
      }
    };
    return Promise.allSettled(Array.from({ length: count }, one));
  }

  it('are never more than eight over all windows, and are reused', async () => {
    const { clock, window } = computer();
    const windows = [window(), window()] as const;
    const held: Permit[] = [];
    for (let turn = 0; turn < 12; turn++) void windows[turn % 2]?.enter('', file).then((permit) => held.push(permit));
    await clock.advance(10_000);
    assert.equal(held.length, 8);
    assert.equal(windows[0].connections.open + windows[1].connections.open, 8);
    held[0]?.release();
    await clock.advance(1000);
    assert.equal(held.length, 9);

    const quick = setup();
    for (let turn = 0; turn < 5; turn++) await quick.pass('', file);
    assert.equal(quick.connections.opened, 1);
  });

  it('are shared by windows that work, so that each makes progress', async () => {
    const { clock, window } = computer();
    const [one, two] = [window(), window()];
    const end = new AbortController();
    const all = [download(one, 12, end.signal)];
    await clock.advance(5000);
    all.push(download(two, 12, end.signal));
    for (let at = 0; at < 30_000; at += 50) {
      await clock.advance(50);
      assert.ok(one.connections.open + two.connections.open <= 8, `at ${at} ms`);
    }
    assert.ok(two.connections.open >= 2 && two.sent.length >= 20, `${two.sent.length} of the second`);
    end.abort();
    await clock.advance(5000);
    await Promise.all(all);
  });

  it('that are all busy are asked about a few times a second, however many requests wait', async () => {
    const [state, clock] = [memoryState(), new FakeClock()];
    let changes = 0;
    const counted = {
      ...state,
      update: <T>(name: string, change: Parameters<typeof state.update<T>>[1]) => {
        changes++;
        return state.update(name, change);
      },
    };
    const [one, two] = [setup(state, clock, 9), setup(counted, clock, 9)];
    for (let turn = 0; turn < 8; turn++) void one.enter('', file);
    await clock.advance(5000);
    assert.equal(one.sent.length, 8);
    for (let turn = 0; turn < 20; turn++) void two.enter('', file);
    await clock.advance(10_000);
    assert.equal(two.sent.length, 0);
    assert.ok(changes < 100, `${changes} changes of the shared state`);
  });

  it('leave one to interactive requests', async () => {
    const { clock, window } = computer();
    const { connections, sent, enter } = window();
    for (let turn = 0; turn < 9; turn++) void enter('file', { to: files });
    await clock.advance(5000);
    assert.equal(connections.open, 7);
    void enter('click', interactive);
    await clock.advance(10);
    assert.equal(sent.at(-1)?.name, 'click');
  });

  it('are closed when they have been idle for a while, or another host needs their room', async () => {
    const { clock, window } = computer();
    const { connections, enter, pass } = window();
    const held = Promise.all(Array.from({ length: 8 }, () => enter('', file)));
    await clock.advance(1000);
    for (const permit of await held) permit.release();
    void pass('service', interactive);
    await clock.advance(100);
    assert.equal(connections.open, 8);
    await clock.advance(5000);
    assert.equal(connections.open, 0);
  });

  it('are closed after what broke off, which the other side may not have noticed yet', async () => {
    const { connections, budget } = setup();
    const { signal } = new AbortController();
    const permit = await budget.acquire({ origin: files, priority: 'interactive', kind: 'file' }, signal);
    const { body } = await permit.send({ method: 'GET', path: '/' });
    Object.assign(body, { readableEnded: false });
    permit.release();
    await settled();
    assert.equal(connections.open, 0);
  });

  it('of a window that slept go to others, and it closes what it had', async () => {
    const { clock, window } = computer();
    const [one, two] = [window(), window()];
    for (let turn = 0; turn < 8; turn++) void one.enter('', file);
    await clock.advance(1000);
    void two.enter('early', file);
    await clock.advance(1000);
    assert.equal(two.sent.length, 0);
    // A process that is suspended renews nothing; the clock goes on without it.
    clock.setBy(31_000);
    await clock.advance(2000);
    assert.equal(two.sent.length, 1);
    assert.equal(one.connections.open, 0);
  });

  it('that open while their window sleeps are not used: others no longer count the request', async () => {
    const { clock, window } = computer();
    const { connections, sent, pass } = window();
    connections.handshake = () => clock.sleep(5000);
    const late = refusal(pass('late', interactive));
    await clock.advance(1000);
    clock.setBy(31_000);
    await clock.advance(5000);
    assert.equal((await late).problem.kind, 'network');
    assert.deepEqual(sent, []);
  });

  it('of a window that works stay its own, however long it works', async () => {
    const { clock, window } = computer();
    const [one, two] = [window(), window()];
    for (let turn = 0; turn < 8; turn++) void one.enter('', file);
    await clock.advance(10 * 60_000);
    void two.enter('', file);
    await clock.advance(60_000);
    assert.deepEqual([one.connections.open, two.sent.length], [8, 0]);
  });

  it('are closed with the client, those in use too, and free for others at once', async () => {
    const { clock, window } = computer();
    const [one, two] = [window(), window()];
    for (let turn = 0; turn < 8; turn++) void one.enter('', file);
    await clock.advance(1000);
    one.budget.dispose();
    await two.pass('', file);
    assert.equal(one.connections.open, 0);
  });
});
