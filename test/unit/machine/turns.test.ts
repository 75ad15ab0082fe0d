import assert from 'node:assert/strict';
import { hostname } from 'node:os';
import { memoryState } from '../../../src/base/sharedState.ts';
import { machineTurns } from '../../../src/machine/turns.ts';
import { FakeClock } from '../../support/fakeClock.ts';

/** A number that no process has. */
const nobody = 2 ** 30;

describe('turns of the processes of a machine', () => {
  let clock: FakeClock;
  let values: Map<string, unknown>;
  const state = () => memoryState(1, values);
  beforeEach(() => {
    clock = new FakeClock();
    values = new Map();
  });
  const held = (holder: string, until: number) => values.set('turns', { a: { holder, until } });

  it('are taken one after the other under one name, and side by side under two', async () => {
    const [one, two] = [machineTurns(state(), clock), machineTurns(state(), clock)];
    const first = Promise.withResolvers<void>();
    const done: string[] = [];
    const running = one('a', () => first.promise.then(() => done.push('first')));
    const waiting = two('a', async () => done.push('second'));
    await two('b', async () => done.push('other'));
    await clock.advance(1000);
    assert.deepEqual(done, ['other']);
    first.resolve();
    await running;
    await clock.advance(1000);
    await waiting;
    assert.deepEqual(done, ['other', 'first', 'second']);
    assert.equal(values.has('turns'), false);
  });

  it('are kept for as long as the work takes, and given back when it fails', async () => {
    const work = Promise.withResolvers<void>();
    const running = machineTurns(state(), clock)('a', () => work.promise);
    const abort = new AbortController();
    const waiting = machineTurns(state(), clock)('a', async () => {}, abort.signal);
    await clock.advance(10 * 60_000);
    abort.abort(new Error('given up'));
    await assert.rejects(waiting, /given up/);
    work.reject(new Error('no luck'));
    await assert.rejects(running, /no luck/);
    assert.equal(values.has('turns'), false);
  });

  it('of a process that is gone or stands still, or that nothing can be known of, keep nobody waiting for long', async () => {
    const taken = () => machineTurns(state(), clock)('a', async () => true);
    held(`${hostname()} ${nobody} x`, clock.now() + 20_000);
    assert.equal(await taken(), true);
    held('another-machine 7 x', clock.now() + 90_000);
    assert.equal(await taken(), true, 'further ahead than any turn lasts');
    values.set('turns', { a: 'nonsense', b: { holder: 1 } });
    assert.equal(await taken(), true);
    held('another-machine 7 x', clock.now() + 20_000);
    const late = taken();
    await clock.advance(19_000);
    assert.deepEqual(Object.keys(values.get('turns') as object), ['a']);
    await clock.advance(2_000);
    assert.equal(await late, true);
  });
});
