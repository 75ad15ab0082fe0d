import assert from 'node:assert/strict';
import { mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  filesBelow,
  findFile,
  isThere,
  notThroughLinks,
  present,
  setRights,
  statOf,
} from '../../../src/files/guard.ts';
import { temporaryFolder } from '../downloads/fixtures.ts';

describe('guarded files', () => {
  const home = temporaryFolder();
  const inHome = (...parts: string[]) => join(home.path, ...parts);
  beforeEach(async () => {
    await mkdir(inHome('a', 'b'), { recursive: true });
    await writeFile(inHome('a', 'b', 'one'), '1');
    await symlink(inHome('a'), inHome('link'));
    await symlink(inHome('nowhere'), inHome('dangling'));
  });

  it('are told from missing ones, links from their targets', async () => {
    const all = [inHome('a', 'b', 'one'), inHome('missing'), inHome('dangling'), inHome('a')];
    assert.deepEqual([...(await present(all))], [all[0], all[2], all[3]]);
    assert.deepEqual(await Promise.all(all.map(isThere)), [true, false, false, true]);
    const stats = await Promise.all(all.map(statOf));
    assert.deepEqual(
      stats.map((found) => [found?.isFile(), found?.isSymbolicLink()]),
      [
        [true, false],
        [undefined, undefined],
        [false, true],
        [false, false],
      ],
    );
    await assert.rejects(statOf(inHome('a', 'b', 'one', 'below')), { code: 'ENOTDIR' });
  });

  it('are listed without folders and links, and none where there is no folder', async () => {
    assert.deepEqual(await filesBelow(home.path), [inHome('a', 'b', 'one')]);
    assert.deepEqual(await filesBelow(inHome('missing')), []);
    await assert.rejects(filesBelow(inHome('a', 'b', 'one')), { code: 'ENOTDIR' });
  });

  it('are found in plain folders alone, whether they exist or not', async () => {
    const find = (path: string) => findFile({ root: inHome('link'), path });
    assert.equal(await find('b/two'), inHome('a', 'b', 'two'));
    assert.equal(await find('two'), inHome('a', 'two'));
    assert.equal(await find('c/d/two'), undefined);
    for (const path of ['', '.', '..', 'b/', './b', 'b/../two', 'b/.git/two'])
      await assert.rejects(find(path), { code: 'outside' }, path);
    const paths = ['top', 'a/b/one', 'a/missing', 'link/b/one', 'a/b/one/below', 'missing/x', 'link/x/y/z'];
    assert.deepEqual([...(await notThroughLinks(home.path, paths))], paths.slice(0, 3));
  });

  it('get rights that they are given', async function () {
    if (process.platform === 'win32') this.skip();
    await setRights(inHome('a', 'b', 'one'), 0o640);
    assert.equal((await stat(inHome('a', 'b', 'one'))).mode & 0o777, 0o640);
    await assert.rejects(setRights(inHome('dangling'), 0o640), { code: 'ELOOP' });
  });
});
