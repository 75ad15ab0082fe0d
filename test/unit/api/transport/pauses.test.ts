import assert from 'node:assert/strict';
import { memoryState, type SharedState } from '../../../../src/base/sharedState.ts';
import { FakeClock, settled } from '../../../support/fakeClock.ts';
import { files, names, origin, refusal, setup } from './schedulers.ts';

const hour = 3_600_000;
const day = 24 * hour;

describe('a wait that the service asked for', () => {
  it('is told, and honoured to the second', async () => {
    const { clock, scheduler, sent, pass } = setup();
    const told: unknown[] = [];
    scheduler.onDidChange(({ waiting }) => told.push(waiting));
    await scheduler.pause(origin, hour, 'Too many requests.', true);
    const waiting = pass('a', { priority: 'interactive' });
    const pause = { until: clock.now() + hour, reason: 'Too many requests.' };
    await clock.advance(hour - 1);
    assert.deepEqual(sent, []);
    assert.deepEqual(told, [pause]);
    await clock.advance(1);
    await waiting;
    assert.deepEqual(told, [pause, null]);
    assert.deepEqual(sent, [{ name: 'a', at: hour }]);
  });

  it('does not end early because the clock was put forward', async () => {
    const { clock, scheduler, sent, pass } = setup();
    await scheduler.pause(origin, 60_000, '', false);
    clock.setBy(day);
    pass('a');
    pass('without key', { keyed: false });
    await clock.advance(59_000);
    assert.deepEqual(names(sent), ['without key']);
    await clock.advance(1000);
    assert.deepEqual(names(sent), ['without key', 'a']);
  });

  it('holds up nothing that goes to another origin, whichever asked for it', async () => {
    for (const [paused, other] of [
      [origin, files],
      [files, origin],
    ] as const) {
      const { clock, scheduler, sent, pass } = setup();
      await scheduler.pause(paused, 60_000, '', true);
      pass('paused', { to: paused, keyed: false });
      pass('other', { to: other });
      await clock.advance(59_000);
      assert.deepEqual(names(sent), ['other']);
      await clock.advance(2000);
      assert.deepEqual(names(sent), ['other', 'paused']);
    }
  });

  it('binds other windows, and those that start later', async () => {
    const state = memoryState();
    const clock = new FakeClock();
    for (const paused of [origin, files]) {
      await setup(state, clock).scheduler.pause(paused, hour, 'Too many requests.', true);
      const later = setup(state, clock);
      later.pass('a', { to: paused });
      await clock.advance(hour - 1);
      assert.deepEqual(later.sent, []);
      await clock.advance(1);
      assert.deepEqual(names(later.sent), ['a']);
    }
  });

  it('above 24 hours fails every request with the time, in any window', async () => {
    const state = memoryState();
    const clock = new FakeClock();
    const { scheduler, pass } = setup(state, clock);
    await scheduler.pause(origin, 3650 * day, 'Too many requests.', false);
    const later = setup(state, clock);
    for (const call of [pass('a'), later.pass('b', { priority: 'interactive' })]) {
      const { problem } = await refusal(call);
      assert.deepEqual([problem.kind, problem.retryAfter], ['rate-limited', 3650 * day]);
      assert.match(problem.cause, /2036/);
      assert.match(problem.nextStep, /Try Now/);
    }
    assert.equal(later.scheduler.status.waiting?.until, clock.now() + 3650 * day);
  });

  it('above 24 hours lets one request go when a person wants it, and is over when that is answered well', async () => {
    const { clock, scheduler, sent, log, pass } = setup();
    await scheduler.pause(origin, 30 * day, 'Too many requests.', false);
    await refusal(pass('a'));
    for (let turn = 1; turn <= 2; turn++) {
      scheduler.tryNow();
      await pass(`try ${turn}`, { priority: 'interactive' });
      assert.equal(log.length, turn);
      // Refused once more, this time for longer.
      await scheduler.pause(origin, 40 * day, 'Too many requests.', false);
      await refusal(pass('next'));
      await clock.advance(5000);
    }
    scheduler.tryNow();
    await pass('good');
    await scheduler.succeeded(origin);
    pass('after');
    await clock.advance(5000);
    assert.deepEqual(names(sent), ['try 1', 'try 2', 'good', 'after']);
    assert.equal(scheduler.status.waiting, null);
  });

  it('above 24 hours is over for the window that it was told to as well, when a person ended it in another', async () => {
    const [state, clock] = [memoryState(), new FakeClock()];
    const [first, second] = [setup(state, clock), setup(state, clock)];
    await first.scheduler.pause(origin, 30 * day, 'Too many requests.', false);
    await refusal(second.pass('a'));
    second.scheduler.tryNow();
    await second.pass('try');
    await second.scheduler.succeeded(origin);
    first.pass('after');
    await clock.advance(5000);
    assert.deepEqual(names(first.sent), ['after']);
  });

  it('is not cut short by a shorter one, also where the shared state is lost', async () => {
    const values = new Map<string, unknown>();
    const { clock, scheduler, sent, pass } = setup(memoryState(1, values));
    await scheduler.pause(origin, 60_000, '', false);
    await scheduler.pause(origin, 1000, '', false);
    values.clear();
    pass('a');
    await clock.advance(59_999);
    assert.deepEqual(sent, []);
    await clock.advance(1);
    assert.deepEqual(names(sent), ['a']);
  });

  it('above 24 hours lets the one request go also when its turn was missed at first', async () => {
    const { clock, scheduler, sent, wires, pass } = setup();
    await scheduler.pause(origin, 30 * day, 'Too many requests.', false);
    await refusal(pass('a'));
    scheduler.tryNow();
    wires.misses = 1;
    pass('try', { priority: 'interactive' });
    await clock.advance(5000);
    assert.deepEqual(names(sent), ['try']);
  });

  /** A state that another window holds for a while, each time. */
  function slowState(): SharedState {
    const memory = memoryState();
    return {
      share: 1,
      ...{ isBlind: false, holder: () => 'one', isGone: () => false },
      async update(name, change) {
        for (let turn = 0; turn < 5; turn++) await settled();
        return memory.update(name, change);
      },
      dispose() {},
    };
  }

  it('above 24 hours lets one request go however many wait, also when the shared state is slow', async () => {
    for (const misses of [0, 1]) {
      const { clock, scheduler, sent, wires, pass } = setup(slowState());
      await scheduler.pause(origin, 30 * day, 'Too many requests.', false);
      await refusal(pass('a'));
      scheduler.tryNow();
      wires.misses = misses;
      const tries = [1, 2, 3, 4].map((count) => pass(`try ${count}`, { priority: 'interactive' }));
      const outcomes = Promise.allSettled(tries);
      for (let turn = 0; turn < 200; turn++) await clock.advance(25);
      const refused = (await outcomes).filter(({ status }) => status === 'rejected');
      assert.deepEqual([names(sent), refused.length], [['try 1'], 3], `${misses} missed`);
    }
  });

  it('above 24 hours lets the next request go when the first was given up in its turn, or before it', async () => {
    for (const moment of ['in its turn', 'before']) {
      const slow = slowState();
      const controller = new AbortController();
      const giveUp = () => controller.abort(new Error('given up'));
      const update: SharedState['update'] = (name, change) => {
        // With a connection it is about to get its turn.
        if (moment === 'before' && name.endsWith('pace') && wires.open > 0) giveUp();
        return slow.update(name, change);
      };
      const { clock, scheduler, sent, wires, pass } = setup({ ...slow, update });
      await scheduler.pause(origin, 30 * day, 'Too many requests.', false);
      await refusal(pass('a'));
      scheduler.tryNow();
      if (moment === 'in its turn') wires.onRequest = giveUp;
      const givenUp = assert.rejects(pass('given up', { signal: controller.signal }), { message: 'given up' });
      for (let turn = 0; turn < 100; turn++) await clock.advance(25);
      await givenUp;
      wires.onRequest = () => {};
      pass('next');
      for (let turn = 0; turn < 100; turn++) await clock.advance(25);
      assert.deepEqual(names(sent), ['next'], moment);
    }
  });

  it('above 24 hours lets the one request go also when the even pace holds it up', async () => {
    const { clock, scheduler, sent, pass } = setup(memoryState(), new FakeClock(), 1);
    await scheduler.pause(origin, 30 * day, 'Too many requests.', false);
    await refusal(pass('a'));
    pass('without key', { keyed: false });
    await clock.advance(100);
    await refusal(pass('b'));
    scheduler.tryNow();
    pass('try');
    await clock.advance(500);
    assert.deepEqual(names(sent), ['without key']);
    await clock.advance(5000);
    assert.deepEqual(names(sent), ['without key', 'try']);
  });

  it('while the shared state can not be used binds the other windows once it can, and never ends theirs', async () => {
    for (const [asked, theirs] of [
      [60, null],
      [60, 30],
      [60, 90],
    ] as const) {
      const clock = new FakeClock();
      const shared = new Map<string, unknown>();
      const file = memoryState(1, shared);
      let sight: SharedState = memoryState(0.25);
      const mine: SharedState = {
        get share() {
          return sight.share;
        },
        get isBlind() {
          return sight !== file;
        },
        update: (name, change) => sight.update(name, change),
        ...{ holder: file.holder, isGone: file.isGone, dispose() {} },
      };
      const [blind, other] = [setup(mine, clock), setup(file, clock)];
      await blind.scheduler.pause(origin, asked * 1000, 'Too many requests.', false);
      if (theirs !== null) await other.scheduler.pause(origin, theirs * 1000, 'Too many requests.', false);
      sight = file;
      const retried = blind.pass('retried');
      await clock.advance(10);
      const passing = other.pass('other');
      await clock.advance(Math.max(asked, theirs ?? 0) * 1000 - 20);
      assert.deepEqual([names(blind.sent), names(other.sent)], [[], []], `${asked} s, ${theirs} s`);
      await clock.advance(5000);
      await Promise.all([retried, passing]);
    }
  });

  it('up to 24 hours is waited for, whoever tries', async () => {
    const { clock, scheduler, sent, pass } = setup();
    await scheduler.pause(origin, day, '', false);
    pass('a');
    await settled();
    scheduler.tryNow();
    await clock.advance(day - 1);
    assert.deepEqual(sent, []);
    await clock.advance(1);
    assert.deepEqual(names(sent), ['a']);
  });
});
