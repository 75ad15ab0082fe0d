import assert from 'node:assert/strict';
import { grantLease, type Lease, readLeases, renewLeases } from '../../../src/base/leases.ts';

const now = 1_000_000;
const holder = (pid: number, alive: readonly number[] = []) => ({
  pid,
  host: 'here',
  ttl: 30_000,
  isAlive: (other: number) => alive.includes(other),
});
const lease = (id: string, pid: number, expires: number, host = 'here'): Lease => ({ id, pid, host, expires });

describe('leases', () => {
  it('grants as many as there are places', () => {
    let leases: readonly Lease[] = [];
    const granted = [1, 2, 3, 4].map((id) => {
      const result = grantLease(leases, 3, `${id}`, holder(7, [7]), now);
      leases = result.leases;
      return result.granted;
    });
    assert.deepEqual(granted, [true, true, true, false]);
    assert.equal(leases.length, 3);
  });

  it('takes over from a dead process at once, from a living one only when its time is up', () => {
    const held = [lease('a', 11, now + 20_000), lease('b', 12, now + 20_000)];
    assert.equal(grantLease(held, 2, 'c', holder(7, [11, 12]), now).granted, false);
    assert.equal(grantLease(held, 2, 'c', holder(7, [11]), now).granted, true);
    assert.equal(grantLease(held, 2, 'c', holder(7, [11, 12]), now + 20_000).granted, true);
  });

  it('asks about no process of another machine', () => {
    const held = [lease('a', 11, now + 20_000, 'elsewhere')];
    assert.equal(grantLease(held, 1, 'c', holder(7, []), now).granted, false);
    assert.equal(grantLease(held, 1, 'c', holder(7, []), now + 20_000).granted, true);
  });

  it('does not keep a lease longer than anybody may hold it, though the clock was set back', () => {
    const held = [lease('a', 7, now + 86_400_000)];
    assert.equal(grantLease(held, 1, 'c', holder(8, [7]), now).granted, true);
  });

  it('renews what is still held, and tells what was lost', () => {
    const held = [lease('a', 7, now + 1), lease('b', 7, now - 1), lease('c', 8, now + 1)];
    const { renewed, leases } = renewLeases(held, new Set(['a', 'b']), 30_000, now);
    assert.deepEqual([...renewed], ['a']);
    assert.deepEqual(
      leases.map(({ expires }) => expires),
      [now + 30_000, now - 1, now + 1],
    );
  });

  it('leaves out what is no lease', () => {
    assert.deepEqual(readLeases('x'), []);
    assert.deepEqual(readLeases([null, 1, { id: 'a' }, lease('a', 1, 2)]), [lease('a', 1, 2)]);
  });
});
