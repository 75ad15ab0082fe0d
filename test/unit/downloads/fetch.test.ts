import assert from 'node:assert/strict';
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { streamToFile } from '../../../src/downloads/fetch.ts';
import { StreamProblem } from '../../../src/downloads/ports.ts';
import { body, FakeClock, pdf, pieces, sha256, temporaryFolder } from './fixtures.ts';

const enospc = () => Object.assign(new Error(), { code: 'ENOSPC', syscall: 'write' });

function isProblem(code: StreamProblem['code']) {
  return (error: unknown) => error instanceof StreamProblem && error.code === code;
}

describe('streaming a body to a file', function () {
  this.timeout(30_000);
  const folder = temporaryFolder();
  let file: FileHandle;
  let clock: FakeClock;
  beforeEach(async () => {
    clock = new FakeClock();
    file = await open(join(folder.path, 'file'), 'wx+');
  });
  afterEach(() => file.close());
  const written = () => readFile(join(folder.path, 'file'));

  it('keeps every byte in order, whatever the pieces, and hashes them', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 700_000 }), { maxLength: 9 }), async (sizes) => {
        await file.truncate();
        const bytes = pdf(
          5,
          sizes.reduce((sum, size) => sum + size, 9),
        );
        const ends = [...sizes, 9].map((_, index, all) => all.slice(0, index + 1).reduce((sum, size) => sum + size, 0));
        const parts = ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
        const got = await streamToFile(body(parts, bytes.length), file, { clock });
        assert.deepEqual(got, { sha256: sha256(bytes), bytes: bytes.length, looksLikePdf: true });
        assert.ok((await written()).equals(bytes));
      }),
      { numRuns: 25 },
    );
  });

  describe('on a disk of its own kind', () => {
    it('finishes what a short write left', async () => {
      const write = file.write.bind(file);
      const short = (chunk: Uint8Array, from: number, length: number, at: number) =>
        write(chunk, from, Math.min(length, 9000), at);
      Object.assign(file, { write: short });
      const bytes = pdf(1, 2_500_000);
      const got = await streamToFile(body([...pieces(bytes)]), file, { clock });
      assert.equal(got.sha256, sha256(bytes));
      assert.ok((await written()).equals(bytes));
    });

    it('says in words what the disk refuses, and leaves the file open for who has it', async () => {
      Object.assign(file, { write: () => Promise.reject(enospc()) });
      for (const size of [100_000, 3_000_000]) {
        const full = streamToFile(body([...pieces(pdf(1, size))]), file, { clock });
        await assert.rejects(full, { name: 'DiskProblem', code: 'no-space' });
      }
      assert.equal((await file.stat()).size, 0);
    });

    it('waits for the last write when it is aborted', async () => {
      const abort = new AbortController();
      let writing = 0;
      const write = file.write.bind(file);
      const late = async (...given: Parameters<typeof write>) => {
        writing++;
        abort.abort('enough');
        await new Promise((resolve) => setTimeout(resolve, 50));
        writing--;
        return write(...given);
      };
      Object.assign(file, { write: late });
      const running = streamToFile(body([pdf(1, 3_000_000), 'stall']), file, { clock, signal: abort.signal });
      await assert.rejects(running, (reason) => reason === 'enough');
      assert.equal(writing, 0);
    });
  });

  it('tells truncation, extra bytes and too many bytes apart, and destroys the body', async () => {
    const bytes = pdf(1, 50_000);
    const cut = body([bytes], 50_001);
    await assert.rejects(streamToFile(cut, file, { clock }), isProblem('cut-short'));
    const long = body([bytes, bytes], 50_000);
    await assert.rejects(streamToFile(long, file, { clock }), isProblem('too-long'));
    const announced = body([bytes], 50_000);
    await assert.rejects(streamToFile(announced, file, { clock, maxBytes: 49_999 }), isProblem('too-large'));
    assert.equal(announced.given, 0);
    const counted = body([...pieces(bytes)]);
    await assert.rejects(streamToFile(counted, file, { clock, maxBytes: 20_000 }), isProblem('too-large'));
    assert.ok(counted.given < 50_000);
    assert.ok([cut, long, announced, counted].every(({ body: { destroyed } }) => destroyed));
    // What a connection still has to say ends no window.
    for (const { body: stream } of [cut, long, announced, counted]) stream.emit('error', new Error('late'));
  });

  it('ends at once when it is aborted, even when the body never says another word', async () => {
    const abort = new AbortController();
    const stalled = body([pdf(1), 'stall']);
    const running = streamToFile(stalled, file, {
      clock,
      signal: abort.signal,
      onProgress: () => abort.abort('enough'),
    });
    await assert.rejects(running, (reason) => reason === 'enough');
    assert.ok(stalled.body.destroyed);
    const early = body([pdf(1)]);
    await assert.rejects(streamToFile(early, file, { clock, signal: abort.signal }), (reason) => reason === 'enough');
    assert.deepEqual([early.given, early.body.destroyed], [0, true]);
  });

  it('tells its progress at most ten times a second, and the end', async () => {
    const told: number[] = [];
    const bytes = pdf(1, 400_000);
    const slow = body([...pieces(bytes, 1000)], bytes.length, () => void clock.time++);
    await streamToFile(slow, file, {
      clock,
      onProgress(came, total) {
        assert.equal(total, bytes.length);
        told.push(came);
      },
    });
    assert.deepEqual(told, [1000, 101_000, 201_000, 301_000, 400_000]);
  });

  it('tells when no PDF came', async () => {
    assert.equal((await streamToFile(body([Buffer.from('<html></html>')]), file, { clock })).looksLikePdf, false);
    await file.truncate();
    const split = body([Buffer.from('%P'), Buffer.from('DF-1.4')]);
    assert.equal((await streamToFile(split, file, { clock })).looksLikePdf, true);
  });
});
