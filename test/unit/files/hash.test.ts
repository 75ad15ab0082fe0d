import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdir, open, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DiskProblem } from '../../../src/files/guard.ts';
import { copyHashed, fileThere, found, hashInto, hashOpenFile } from '../../../src/files/hash.ts';
import { laterClock, pdf, pdfsRead, sha256, temporaryFolder } from '../downloads/fixtures.ts';

describe('hashes of files', () => {
  const home = temporaryFolder();
  const read = pdfsRead();
  const letPass = laterClock();
  const at = () => ({ root: home.path, path: 'a.pdf' });
  const path = () => join(home.path, 'a.pdf');

  it('are those of all bytes, or of the first ones, and end with the signal', async () => {
    const bytes = pdf(1, 600_000);
    await writeFile(path(), bytes);
    await using file = await open(path());
    assert.deepEqual(await hashOpenFile(file), { sha256: sha256(bytes), bytes: 600_000 });
    for (const until of [0, 1, 300_000, 700_000]) {
      const hash = createHash('sha256');
      assert.equal(await hashInto(hash, file, until), Math.min(until, 600_000));
      assert.equal(hash.digest('hex'), sha256(bytes.subarray(0, until)));
    }
    await assert.rejects(hashOpenFile(file, AbortSignal.abort('enough')), (reason) => reason === 'enough');
  });

  it('come with a copy of a plain file, and of nothing else', async () => {
    const bytes = pdf(1, 600_000);
    await writeFile(path(), bytes);
    await mkdir(join(home.path, 'folder'));
    await symlink(path(), join(home.path, 'link'));
    await using copy = await open(join(home.path, 'copy'), 'wx+');
    assert.deepEqual(await copyHashed(path(), copy), { sha256: sha256(bytes), bytes: 600_000 });
    assert.equal((await hashOpenFile(copy)).sha256, sha256(bytes));
    await assert.rejects(copyHashed(join(home.path, 'folder'), copy), { name: 'DiskProblem', code: 'disk' });
    await assert.rejects(copyHashed(join(home.path, 'link'), copy), { code: 'ELOOP' });
  });

  it('are known until the file changes, once its times have settled', async () => {
    const content = { sha256: sha256(pdf(1)), bytes: 100_000 };
    await writeFile(path(), pdf(1));
    for (const [later, reads] of [
      [0, 1],
      [1000, 2],
      [3000, 3],
      [3000, 3],
    ] as const) {
      letPass(later);
      assert.deepEqual(await fileThere(at()), content);
      assert.equal(read.length, reads, `${later} ms later`);
    }
    assert.deepEqual(await fileThere(at(), { anew: true }), content);
    assert.equal(read.length, 4);
    // With its size it may turn out to have other line ends.
    assert.equal((await fileThere(at(), { bytes: 60_000 }))?.rewrite?.kind, 'line-ends');
    assert.equal(read.length, 5);
    await fileThere(at(), { bytes: 60_000 });
    await fileThere(at(), { bytes: 10 });
    assert.equal(read.length, 5);
    await utimes(path(), 1, 1);
    assert.deepEqual(await fileThere(at()), content);
    assert.equal(read.length, 6);
  });

  it('that could not be made are told in words, but for the end of a signal', async () => {
    const failing = (error: Error, signal?: AbortSignal) => found(() => Promise.reject(error), signal);
    const code = (code: string) => Object.assign(new Error(), { code });
    assert.equal(await found(async () => 1), 1);
    assert.equal(await failing(code('ENOENT')), undefined);
    assert.deepEqual(await failing(code('EIO')), { reason: 'It could not be read.' });
    assert.deepEqual(await failing(new DiskProblem('disk', 'Words.')), { reason: 'Words.' });
    const ended = failing(code('ENOENT'), AbortSignal.abort('enough'));
    await assert.rejects(ended, (reason) => reason === 'enough');
  });
});
