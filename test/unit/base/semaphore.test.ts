import assert from 'node:assert/strict';
import { setImmediate } from 'node:timers/promises';
import { Semaphore } from '../../../src/base/semaphore.ts';

describe('semaphore', () => {
  it('run no more at once than there are places, interactive work first, else in turn', async () => {
    const semaphore = new Semaphore(2);
    const order: string[] = [];
    const open: (() => void)[] = [];
    const work = (name: string) => async () => {
      order.push(name);
      await new Promise<void>((resolve) => open.push(resolve));
    };
    const all = [
      semaphore.run(work('a'), false),
      semaphore.run(work('b'), false),
      semaphore.run(work('c'), false),
      semaphore.run(work('d')),
      semaphore.run(work('e')),
    ];
    await Promise.resolve();
    assert.deepEqual(order, ['a', 'b']);
    for (let ended = 0; ended < 5; ended++) {
      open.shift()?.();
      await all[['a', 'b', 'c', 'd', 'e'].indexOf(order[ended] ?? '')];
      await Promise.resolve();
    }
    await Promise.all(all);
    assert.deepEqual(order, ['a', 'b', 'd', 'e', 'c']);
  });

  it('lose no waiter when one that runs already is told to stop', async () => {
    const semaphore = new Semaphore(1);
    const abort = new AbortController();
    let open = () => {};
    const first = semaphore.run(() => new Promise<void>((resolve) => (open = resolve)));
    const second = semaphore.run(async () => abort.abort(), true, abort.signal);
    const third = semaphore.run(async () => 'third');
    await setImmediate();
    open();
    await Promise.all([first, second]);
    assert.equal(await third, 'third');
  });

  it('give the place back after a failure, and let a waiter leave', async () => {
    const semaphore = new Semaphore(1);
    await assert.rejects(
      semaphore.run(() => Promise.reject(new Error('no'))),
      /no/,
    );
    const abort = new AbortController();
    let finish = () => {};
    const first = semaphore.run(() => new Promise<void>((resolve) => (finish = resolve)));
    const second = semaphore.run(async () => assert.fail('must not run'), true, abort.signal);
    const third = semaphore.run(async () => 'third');
    abort.abort('left');
    await assert.rejects(second, (reason) => reason === 'left');
    await Promise.resolve();
    finish();
    await first;
    assert.equal(await third, 'third');
    await assert.rejects(
      semaphore.run(async () => {}, true, abort.signal),
      (reason) => reason === 'left',
    );
    assert.equal(await semaphore.run(async () => 'free'), 'free');
  });

  it('take no longer for each of many who wait', async function () {
    this.timeout(60_000);
    const semaphore = new Semaphore(1);
    let open = () => {};
    const first = semaphore.run(() => new Promise<void>((resolve) => (open = resolve)));
    const count = 20_000;
    const left = Array.from({ length: count / 2 }, () => new AbortController());
    const started = process.cpuUsage();
    const waiting = Array.from({ length: count }, () => semaphore.run(async () => 1));
    const leaving = left.map(({ signal }) => semaphore.run(async () => 1, false, signal).catch(() => 0));
    for (const controller of left) controller.abort();
    open();
    await first;
    assert.equal((await Promise.all([...waiting, ...leaving])).filter((ran) => ran === 1).length, count);
    // Looking through all of them each time took ten times as much of the same processor.
    const { user } = process.cpuUsage(started);
    assert.ok(user < 4_000_000, `${user} µs`);
  });
});
