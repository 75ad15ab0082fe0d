import assert from 'node:assert/strict';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { BatchWriter } from '../../../src/downloads/batchWriter.ts';
import { Blocks, blockBytes } from '../../../src/downloads/blocks.ts';
import { pdf, pieces, temporaryFolder } from './fixtures.ts';

describe('writing in blocks', function () {
  this.timeout(30_000);
  const folder = temporaryFolder();
  let file: FileHandle;
  let blocks: Blocks;
  beforeEach(async () => {
    blocks = new Blocks();
    file = await open(join(folder.path, 'file'), 'wx+');
  });
  afterEach(() => file.close());

  it('lets chunks change right after they were taken', async () => {
    const bytes = pdf(1, 2 * blockBytes + 70_001);
    const writer = new BatchWriter(file, 0, blocks);
    const chunk = Buffer.alloc(65_536);
    for (const piece of pieces(bytes, chunk.length)) {
      const same = chunk.subarray(0, piece.byteLength);
      same.set(piece);
      await writer.add(same);
      same.fill(0);
    }
    await writer.flush();
    await writer.end();
    assert.ok((await readFile(join(folder.path, 'file'))).equals(bytes));
  });

  it('takes a chunk of any size', async () => {
    const bytes = pdf(2, 5 * blockBytes + 3);
    const writer = new BatchWriter(file, 0, blocks);
    for (const [from, to] of [
      [0, 0],
      [0, blockBytes],
      [blockBytes, blockBytes + 1],
      [blockBytes + 1, bytes.length],
    ]) {
      await writer.add(bytes.subarray(from, to));
    }
    await writer.flush();
    await writer.end();
    assert.ok((await readFile(join(folder.path, 'file'))).equals(bytes));
  });

  it('has two blocks at most, and gives up all of them when nobody writes', async () => {
    const writers = [new BatchWriter(file, 0, blocks), new BatchWriter(file, 8 * blockBytes, blocks)];
    for (const writer of writers) {
      for (const piece of pieces(pdf(3, 6 * blockBytes + 9))) {
        await writer.add(piece);
        const { taken, free } = blocks.counts;
        assert.ok(taken + free <= 2 * writers.length, `${taken} taken, ${free} kept`);
      }
      await writer.flush();
      await writer.end();
    }
    assert.deepEqual(blocks.counts, { taken: 0, free: 0 });
  });

  it('gives its blocks back when the disk refuses, and when nothing is flushed any more', async () => {
    const full = { write: () => Promise.reject(Object.assign(new Error(), { code: 'ENOSPC', syscall: 'write' })) };
    const writer = new BatchWriter(Object.assign(Object.create(file), full), 0, blocks);
    await writer.add(pdf(4, blockBytes));
    writer.add(pdf(4, 10));
    await assert.rejects(writer.end(), { name: 'DiskProblem', code: 'no-space' });
    assert.deepEqual(blocks.counts, { taken: 0, free: 0 });
  });
});
