import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { silentLogger } from '../../../src/base/logger.ts';
import { ContentCache, copyFrom, openedCopy } from '../../../src/downloads/cache.ts';
import { partName } from '../../../src/files/atomic.ts';
import { FakeClock, filesBelow, pdf, report, sha256, temporaryFolder } from './fixtures.ts';

describe('a copy of kept bytes', () => {
  const folder = temporaryFolder();
  const ports = { clock: new FakeClock(), logger: silentLogger };
  const bytes = pdf(1);
  const wanted = sha256(bytes);
  const kept = () => join(folder.path, 'kept');
  beforeEach(() => writeFile(kept(), bytes));

  it('is given up where the place itself is not free, and what is there stays', async () => {
    let asked = 0;
    const find = async () => {
      asked++;
      return kept();
    };
    const store = { find };
    await writeFile(join(folder.path, 'file'), 'mine');
    await mkdir(join(folder.path, 'folder'));
    await symlink('file', join(folder.path, 'link'));
    for (const [path, code] of [
      ['file', 'foreign'],
      ['folder', 'in-the-way'],
      ['file/below.pdf', 'in-the-way'],
      ['link', 'symlink'],
      ['link/below.pdf', 'symlink'],
      ['.git/x.pdf', 'outside'],
    ] as const) {
      const copying = copyFrom(wanted, { root: folder.path, path }, [], { ...ports, stores: [store, store] });
      await assert.rejects(copying, { name: 'DiskProblem', code }, path);
    }
    assert.equal(asked, 6, 'no other store is asked');
    assert.deepEqual(await filesBelow(folder.path), ['file', 'kept', 'link']);
    assert.equal(await readFile(join(folder.path, 'file'), 'utf8'), 'mine');
  });

  it('comes from the next store where one fails', async () => {
    const failing = { find: async () => join(folder.path, 'gone') };
    const stores = [failing, { find: async () => kept() }];
    const place = { root: folder.path, path: 'a/b.pdf' };
    assert.deepEqual(await copyFrom(wanted, place, [], { ...ports, stores }), { sha256: wanted, bytes: bytes.length });
    const usual = 0o777 & ~process.umask();
    assert.equal((await stat(join(folder.path, 'a'))).mode & 0o777, usual, 'a folder of the workspace is for all');
  });
});

describe('the cache of this computer', () => {
  const folder = temporaryFolder();
  const clock = new FakeClock();
  const cache = (maxBytes?: number) =>
    new ContentCache({ directory: join(folder.path, 'cache'), maxBytes, clock, logger: silentLogger });
  async function source(seed: number, length?: number) {
    const bytes = pdf(seed, length);
    const file = join(folder.path, `source-${seed}`);
    await writeFile(file, bytes);
    return { file, bytes, hash: sha256(bytes) };
  }

  it('finds what was added by its hash, for this user only', async () => {
    const { file, bytes, hash } = await source(1);
    assert.equal(await cache().find(hash), undefined);
    await cache().add(hash, file);
    const found = (await cache().find(hash)) ?? '';
    assert.deepEqual(await readFile(found), bytes);
    assert.ok(found.endsWith(join(hash.slice(0, 2), hash.slice(2, 4), hash)));
    assert.equal((await stat(found)).mode & 0o777, 0o600);
    for (const below of ['cache', join('cache', hash.slice(0, 2)), join('cache', hash.slice(0, 2), hash.slice(2, 4))]) {
      assert.equal((await stat(join(folder.path, below))).mode & 0o777, 0o700, below);
    }
  });

  it('gives nothing whose bytes differ from the hash, forgets it then, and takes in nothing that is no hash', async () => {
    const { file } = await source(1);
    const [store, place] = [cache(), { root: folder.path, path: 'copy.pdf' }];
    await store.add('a'.repeat(64), file);
    const ports = { stores: [store], clock, logger: silentLogger };
    assert.equal(await copyFrom('a'.repeat(64), place, [], ports), undefined);
    assert.equal(await store.find('a'.repeat(64)), undefined);
    for (const evil of ['../../x', '', 'A'.repeat(64), `${'a'.repeat(63)}/`]) {
      await cache().add(evil, file);
      assert.equal(await cache().find(evil), undefined);
      await cache().reject(evil);
    }
    await assert.rejects(cache().add('b'.repeat(64), join(folder.path, 'missing')));
    assert.deepEqual(await filesBelow(folder.path), ['source-1']);
  });

  it('stays within its bytes: what was used longest ago goes', async () => {
    const small = cache(250_000);
    const files = await Promise.all([1, 2, 3].map((seed) => source(seed)));
    const [first, second, third] = files;
    assert.ok(first && second && third);
    for (const { hash, file } of [first, second]) {
      await small.add(hash, file);
      await small.find(hash);
      clock.time += 1000;
    }
    await small.find(first.hash);
    const later = clock.time / 1000 + 1;
    clock.time += 2000;
    await small.add(third.hash, third.file);
    const found = await Promise.all(files.map(({ hash }) => small.find(hash)));
    assert.deepEqual(
      found.map((path) => path !== undefined),
      [true, false, true],
      `at ${later}`,
    );
    const large = await source(4, 300_000);
    await small.add(large.hash, large.file);
    assert.equal(await small.find(large.hash), undefined);
  });

  it('makes room for a tenth of its bytes at once', async () => {
    const small = cache(300_000);
    for (const [seed, held] of [
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 2],
    ] as const) {
      const { file, hash } = await source(seed);
      await small.add(hash, file);
      assert.equal((await small.files()).length, held);
    }
  });

  it('removes what a crash left unfinished, after an hour', async () => {
    const { file, hash } = await source(1);
    await cache().add(hash, file);
    const name = partName(hash).replace(/\.[0-9a-f]{4}-\d+-/, '.0000-1-');
    const unfinished = join(dirname((await cache().find(hash)) ?? ''), name);
    await writeFile(unfinished, 'half');
    await utimes(unfinished, clock.time / 1000, clock.time / 1000);
    await cache().evict();
    assert.ok(await stat(unfinished));
    clock.time += 61 * 60_000;
    await cache().evict();
    await assert.rejects(stat(unfinished));
    assert.ok(await cache().find(hash));
  });

  it('stays within its bytes also where several windows fill it', async () => {
    const windows = Array.from({ length: 4 }, () => cache(450_000));
    for (let seed = 1; seed <= 24; seed += 1) {
      const { file, hash } = await source(seed);
      await windows[seed % 4]?.add(hash, file);
      const held = (await filesBelow(join(folder.path, 'cache'))).length * 100_000;
      assert.ok(held <= 450_000, `${held} after ${seed}`);
    }
  });

  it('lets several add the same file at the same time', async () => {
    const { file, hash } = await source(1);
    await Promise.all(Array.from({ length: 8 }, () => cache().add(hash, file)));
    assert.deepEqual(await filesBelow(join(folder.path, 'cache')), [join(hash.slice(0, 2), hash.slice(2, 4), hash)]);
  });
});

describe('a copy for reading', () => {
  const home = temporaryFolder();
  const clock = new FakeClock();
  const options = () => ({
    root: home.path,
    store: new ContentCache({ directory: join(home.path, 'pdf'), clock, logger: silentLogger }),
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

  it('is for this user alone, and stays in its folder whatever the key is', async () => {
    const { report: one } = await stored(1, '../../../x');
    const path = (await openedCopy(one, options())) ?? '';
    assert.ok(path.startsWith(join(home.path, 'opened')), path);
    const modes = [path, dirname(path), join(home.path, 'opened')].map(async (of) => (await stat(of)).mode & 0o777);
    assert.deepEqual(await Promise.all(modes), [0o600, 0o700, 0o700]);
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
