import assert from 'node:assert/strict';
import { readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { silentLogger } from '../../../src/base/logger.ts';
import { ContentCache, openedCopy } from '../../../src/downloads/cache.ts';
import { FakeClock, pdf, report, sha256, temporaryFolder } from './fixtures.ts';

describe('a copy for reading', () => {
  const home = temporaryFolder();
  const clock = new FakeClock();
  const options = () => ({
    root: home.path,
    store: new ContentCache({ directory: join(home.path, 'pdf'), maxBytes: 10_000_000, clock, logger: silentLogger }),
    clock,
    logger: silentLogger,
    isInUse: (_folder: string) => false,
  });
  async function stored(seed: number, key = `XDEM_ACME_${seed}_SR`) {
    const bytes = pdf(seed, 1000);
    const file = join(home.path, 'source');
    await writeFile(file, bytes);
    await options().store.add(sha256(bytes), file);
    return { bytes, report: report({ report_key: key, content_sha256: sha256(bytes).toUpperCase() }) };
  }

  it('has the report’s key as its name and the bytes of its hash, however often it is asked for', async () => {
    const { bytes, report: one } = await stored(1);
    for (let times = 0; times < 2; times += 1) {
      const path = await openedCopy(one, options());
      assert.match(path ?? '', /XDEM_ACME_1_SR\.pdf$/);
      assert.deepEqual(await readFile(path ?? ''), bytes);
    }
  });

  it('is for this user alone', async () => {
    const { report: one } = await stored(1);
    const path = (await openedCopy(one, options())) ?? '';
    const modes = [path, dirname(path), join(home.path, 'opened')].map(async (of) => (await stat(of)).mode & 0o777);
    assert.deepEqual(await Promise.all(modes), [0o600, 0o700, 0o700]);
  });

  it('stays in its folder whatever the key is', async () => {
    const { report: evil } = await stored(2, '../../../x');
    const path = await openedCopy(evil, options());
    assert.ok(path?.startsWith(join(home.path, 'opened')), path);
  });

  it('is none when the store has not got the bytes, or others under that name', async () => {
    assert.equal(await openedCopy(report({ content_sha256: 'a'.repeat(64) }), options()), undefined);
    assert.equal(await openedCopy(report({ content_sha256: null }), options()), undefined);
    const { bytes, report: one } = await stored(3);
    const kept = await options().store.find(sha256(bytes));
    await writeFile(kept ?? '', 'other bytes');
    assert.equal(await openedCopy(one, options()), undefined);
    assert.equal(await options().store.find(sha256(bytes)), undefined, 'the store still has it');
  });

  it('makes room: the oldest copies go, but none that is in use', async () => {
    let first = '';
    for (let seed = 10; seed < 32; seed += 1) {
      const { report: one } = await stored(seed);
      const path = await openedCopy(one, { ...options(), isInUse: (folder) => folder === first });
      first ||= dirname(path ?? '');
      const time = new Date(2026, 0, seed);
      await utimes(join(path ?? '', '..'), time, time);
    }
    assert.equal((await readdir(join(home.path, 'opened'))).length, 21);
    assert.equal((await readdir(first)).length, 1);
  });
});
