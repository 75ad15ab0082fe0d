import assert from 'node:assert/strict';
import { queryObjects } from 'node:v8';
import PQueue from 'p-queue';
import type { Priority } from '../../../../src/api/schemas/page.ts';
import { ApiError } from '../../../../src/api/transport/errors.ts';
import { RequestScheduler, type Turn } from '../../../../src/api/transport/scheduler.ts';
import { silentLogger } from '../../../../src/base/logger.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { memoryState, type SharedState } from '../../../../src/base/sharedState.ts';
import { FakeClock, settled } from '../../../support/fakeClock.ts';
import { FakeWires, nowhere } from '../../../support/fakeWires.ts';

const origin = 'https://reports.example.org';
const files = 'https://files.example';
const hour = 3_600_000;
const day = 24 * hour;

interface Wish {
  readonly priority?: Priority;
  readonly keyed?: boolean;
  readonly to?: string;
  readonly signal?: AbortSignal;
}

/** A scheduler over made-up connections, and when its requests went out. */
function setup(state: SharedState = memoryState(), clock = new FakeClock()) {
  const sent: { name: string; at: number }[] = [];
  const log: string[] = [];
  const scheduler = new RequestScheduler({
    origin,
    key: new Secret('abc_live_0123456789'),
    requestsPerSecond: 4,
    state,
    clock,
    logger: { ...silentLogger, info: (line) => void log.push(line) },
    connect: new FakeWires().make,
  });
  const start = clock.now();
  const enter = async (name: string, wish: Wish = {}): Promise<Turn> => {
    const { priority = 'background', keyed = true, to = origin, signal = new AbortController().signal } = wish;
    const turn = await scheduler.turn({ origin: to, priority, keyed, signal });
    sent.push({ name, at: clock.now() - start });
    return turn;
  };
  /** Enters, and gives the connection back at once. */
  const pass = async (name: string, wish?: Wish) => (await enter(name, wish)).giveBack();
  return { clock, scheduler, sent, log, enter, pass };
}

/** As many turns of the queue of promises. */
async function steps(count: number): Promise<void> {
  for (let step = 0; step < count; step++) await undefined;
}

const names = (sent: readonly { name: string }[]) => sent.map(({ name }) => name);

async function refusal(call: Promise<unknown>): Promise<ApiError> {
  const error = await call.then(
    () => assert.fail('It went out.'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof ApiError, String(error));
  return error;
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
    const { clock, sent, pass } = setup(slow);
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
    assert.deepEqual(sent, [
      { name: 'a', at: 0 },
      { name: 'b', at: 250 },
      { name: 'c', at: 500 },
      { name: 'd', at: 750 },
    ]);
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
    const taken: Promise<Turn>[] = [];
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

  it('leave nothing behind, however many hosts of files they went to', async () => {
    const values = new Map<string, unknown>();
    const { clock, scheduler, pass } = setup(memoryState(1, values));
    await pass('service');
    const before = { rows: values.size, queues: queryObjects(PQueue, { format: 'count' }) };
    for (let host = 0; host < 50; host++) {
      await scheduler.pause(`https://${host}.files.example`, 1000, '', true);
      const passing = pass('file', { to: `https://${host}.files.example`, keyed: false });
      await clock.advance(6000);
      await passing;
    }
    assert.ok(values.size <= before.rows, [...values.keys()].join());
    const queues = queryObjects(PQueue, { format: 'count' }) - before.queues;
    assert.ok(queues < 10, `${queues} queues are left`);
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
