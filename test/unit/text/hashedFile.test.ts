import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HashedFile } from '../../../src/text/hashedFile.ts';

describe('A file that is hashed before it is read', () => {
  let folder = '';
  let path = '';
  const bytes = Uint8Array.from({ length: 200_000 }, (_, index) => (index * index) % 251);
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'report-library-hashed-'));
    path = join(folder, 'a.pdf');
    await writeFile(path, bytes);
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('gives the bytes that were hashed, from anywhere', () => {
    const file = new HashedFile(path, 200_000);
    assert.equal(file.sha256, createHash('sha256').update(bytes).digest('hex'));
    for (const [from, length] of [
      [0, 10],
      [65_530, 20],
      [10, 199_990],
    ] as const) {
      const into = new Uint8Array(length);
      assert.equal(file.read(from, into), true);
      assert.deepEqual(into, bytes.subarray(from, from + length));
    }
    assert.equal(file.read(199_991, new Uint8Array(10)), false);
    assert.equal(file.problem, null);
    file.close();
  });

  it('never gives others, and tells that they changed', async () => {
    const file = new HashedFile(path, 200_000);
    await writeFile(path, bytes.with(150_000, 99).with(10, 99));
    assert.equal(file.read(70_000, new Uint8Array(10)), true);
    assert.equal(file.problem, null);
    assert.equal(file.read(149_000, new Uint8Array(10)), false);
    assert.equal(file.problem, 'changed');
    file.close();
    const shorter = new HashedFile(path, 200_000);
    await truncate(path, 190_000);
    assert.equal(shorter.read(195_000, new Uint8Array(10)), false);
    assert.equal(shorter.problem, 'changed');
    shorter.close();
  });

  it('tells that it can’t be read any more', () => {
    const file = new HashedFile(path, 200_000);
    file.close();
    assert.equal(file.read(0, new Uint8Array(10)), false);
    assert.equal(file.problem, 'unreadable-file');
  });

  it('is not opened when it is too large, or no file', () => {
    assert.throws(() => new HashedFile(path, 199_999), RangeError);
    assert.throws(() => new HashedFile(folder, 1), TypeError);
  });
});
