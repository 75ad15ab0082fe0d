import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { memoryState } from '../../../src/base/sharedState.ts';
import { isHolderGone, leaseHolder, leases } from '../../../src/machine/lease.ts';
import { FakeClock } from '../../support/fakeClock.ts';

/** A process id that no process has. */
const noProcess = 2 ** 30;

describe('leases', () => {
  let clock: FakeClock;
  let values: Map<string, unknown>;
  beforeEach(() => {
    clock = new FakeClock();
    values = new Map();
  });
  /** The leases of one process of several. */
  const ofProcess = () => leases(memoryState(values), clock);
  const heldBy = (holder: string, until: number) => values.set('lease a', { holder, until });

  it('run work of one name one after the other, and of two names side by side', async () => {
    const first = Promise.withResolvers<void>();
    const done: string[] = [];
    const running = ofProcess().lease('a', () => first.promise.then(() => done.push('first')));
    const waiting = ofProcess().lease('a', async () => done.push('second'));
    await ofProcess().lease('b', async () => done.push('other'));
    await clock.advance(1000);
    assert.deepEqual(done, ['other']);
    first.resolve();
    await running;
    await clock.advance(1000);
    await waiting;
    assert.deepEqual(done, ['other', 'first', 'second']);
    assert.equal(values.size, 0);
  });

  it('last as long as the work, and are given back when it fails', async () => {
    const work = Promise.withResolvers<void>();
    const running = ofProcess().lease('a', () => work.promise);
    const abort = new AbortController();
    const waiting = ofProcess().lease('a', async () => {}, { signal: abort.signal });
    await clock.advance(10 * 60_000);
    assert.equal(await ofProcess().isLeased('a'), true);
    abort.abort(new Error('stopped waiting'));
    await assert.rejects(waiting, /stopped waiting/);
    work.reject(new Error('failed'));
    await assert.rejects(running, /failed/);
    assert.equal(await ofProcess().isLeased('a'), false);
  });

  it('are not waited for where only a free one is wanted', async () => {
    const work = Promise.withResolvers<string>();
    const running = ofProcess().leaseIfFree('a', () => work.promise);
    assert.equal(await ofProcess().leaseIfFree('a', async () => 'second'), undefined);
    work.resolve('first');
    assert.deepEqual(await running, { result: 'first' });
    assert.deepEqual(await ofProcess().leaseIfFree('a', async () => 'third'), { result: 'third' });
  });

  it('go on when the process that had them is gone, was suspended, or left something unreadable', async () => {
    const taken = () => ofProcess().lease('a', async () => true);
    heldBy(`${hostname()} ${noProcess} x`, clock.now() + 20_000);
    assert.equal(await taken(), true);
    heldBy(`${hostname()} ${process.pid} 1`, clock.now() + 20_000);
    assert.equal(await taken(), true, 'our own process id, from before a restart');
    heldBy('another-computer 7 x', clock.now() + 3_600_000);
    assert.equal(await taken(), true, 'further ahead than any lease lasts');
    values.set('lease a', 'nonsense');
    assert.equal(await taken(), true);
    heldBy('another-computer 7 x', clock.now() + 20_000);
    const late = taken();
    await clock.advance(19_000);
    assert.equal(await ofProcess().isLeased('a'), true);
    await clock.advance(2_000);
    assert.equal(await late, true);
  });

  it('end at their time, and none lasts longer than ten minutes', async () => {
    for (const [ms, isHeld] of [
      [0, false],
      [1, true],
      [600_000, true],
      [600_001, false],
    ] as const) {
      heldBy('another-computer 7 x', clock.now() + ms);
      assert.equal(await ofProcess().isLeased('a'), isHeld, `${ms} ms`);
    }
  });

  it('abort the work when another process took them over meanwhile', async () => {
    const running = ofProcess().lease(
      'a',
      (signal) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
      { ttl: 3000 },
    );
    running.catch(() => {});
    await clock.advance(500);
    heldBy('another-computer 7 x', clock.now() + 20_000);
    await clock.advance(1000);
    await assert.rejects(running, { name: 'LeaseLost' });
    assert.equal(await ofProcess().isLeased('a'), true, 'the other keeps it');
  });

  it('outlast a state that can’t be changed while most of the time is left', async () => {
    const state = memoryState(values);
    let failures = 0;
    const busy = {
      ...state,
      update: async <T>(
        name: string,
        change: (stored: unknown) => { readonly store?: unknown; readonly result: T },
      ) => {
        if (failures-- > 0) throw new Error('database is locked');
        return state.update(name, change);
      },
    };
    const work = Promise.withResolvers<string>();
    let aborted = false;
    const running = leases(busy, clock).lease('a', (signal) => {
      signal.addEventListener('abort', () => (aborted = true));
      return work.promise;
    });
    await clock.advance(1000);
    failures = 2;
    await clock.advance(40_000);
    assert.equal(aborted, false);
    failures = 10;
    await clock.advance(40_000);
    assert.equal(aborted, true, 'nothing is known of the others for longer than a lease lasts');
    failures = 0;
    work.resolve('done');
    assert.equal(await running, 'done');
  });
});

describe('the holder of a lease', () => {
  let other: ChildProcess | undefined;
  afterEach(() => other?.kill('SIGKILL'));

  it('is alive while its process is, and gone after', async () => {
    other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(other, 'spawn');
    const holder = `${hostname()} ${other.pid} some-library`;
    assert.equal(isHolderGone(holder), false);
    other.kill('SIGKILL');
    await once(other, 'exit');
    assert.equal(isHolderGone(holder), true);
    assert.equal(isHolderGone(`elsewhere.example ${other.pid} x`), false, 'no process of this computer');
  });

  it('is gone where its number is that of a process which started at another time', async function () {
    if (process.platform !== 'linux') this.skip();
    const [host, pid, start, part] = leaseHolder().split(' ');
    assert.match(start ?? '', /^\d+$/);
    assert.equal(isHolderGone(`${host} ${pid} ${start} another-part`), false);
    assert.equal(isHolderGone(`${host} ${pid} ${Number(start) - 1} ${part}`), true);
  });

  it('is this process, or one that cannot be told about: alive', () => {
    assert.equal(isHolderGone(leaseHolder()), false);
    for (const holder of ['', 'a-name', `elsewhere.example 1 x`, `${hostname()} x y`]) {
      assert.equal(isHolderGone(holder), false, holder);
    }
  });
});
