import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { hostname } from 'node:os';
import { isHolderGone, leaseHolder } from '../../../src/machine/leaseHolder.ts';

describe('the holder of a lease', () => {
  it('is alive while its process is, and gone after', async () => {
    const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(other, 'spawn');
    const holder = `${hostname()} ${other.pid} some-library`;
    assert.equal(isHolderGone(holder), false);
    other.kill('SIGKILL');
    await once(other, 'exit');
    assert.equal(isHolderGone(holder), true);
    assert.equal(isHolderGone(`elsewhere.example ${other.pid} x`), false, 'no process of this machine');
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
