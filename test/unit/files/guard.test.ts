import assert from 'node:assert/strict';
import { mkdir, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DiskProblem,
  type DiskProblemCode,
  filesBelow,
  findFile,
  foldedName,
  guardParent,
  isObeyedFolder,
  isThere,
  notThroughLinks,
  onDisk,
  present,
  setRights,
  statOf,
} from '../../../src/files/guard.ts';
import { systemError, temporaryFolder } from '../downloads/fixtures.ts';

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
    await assert.rejects(find('b/one/two'), { code: 'in-the-way' });
    for (const path of ['', '.', '..', 'b/', './b', 'b/../two', 'b/.git/two'])
      await assert.rejects(find(path), { code: 'outside' }, path);
    const paths = ['top', 'a/b/one', 'a/missing', 'link/b/one', 'a/b/one/below', 'missing/x', 'link/x/y/z'];
    assert.deepEqual([...(await notThroughLinks(home.path, paths))], paths.slice(0, 3));
  });

  it('are made in plain folders of the root alone, whose exchange is noticed', async () => {
    const root = inHome('a');
    await symlink(inHome('a', 'b'), inHome('a', 'link'));
    const at = (path: string) => guardParent({ root, path });
    for (const [path, code] of [
      ['link/x', 'symlink'],
      ['link/deeper/x', 'symlink'],
      ['b/one/x', 'in-the-way'],
      ['../x', 'outside'],
      ['a/.VSCode/x', 'outside'],
      ['/x', 'outside'],
      ['a\\x', 'outside'],
      ['a\0b/x', 'outside'],
    ] as const)
      await assert.rejects(at(path), { name: 'DiskProblem', code }, path);
    const made = await at('new/deeper/x');
    assert.equal(made.path, join(root, 'new', 'deeper'));
    await made.recheck();
    await rename(join(root, 'new'), join(root, 'moved'));
    await mkdir(join(root, 'new', 'deeper'), { recursive: true });
    await assert.rejects(made.recheck(), { code: 'outside', message: /was replaced/ });
    for (const [to, code] of [
      [join(root, 'moved'), 'symlink'],
      [inHome('beside'), 'outside'],
    ] as const) {
      await rm(join(root, 'new'), { recursive: true });
      await symlink(to, join(root, 'new'));
      await mkdir(join(to, 'deeper'), { recursive: true });
      await assert.rejects(made.recheck(), { code });
    }
  });

  it('get rights that they are given', async function () {
    if (process.platform === 'win32') this.skip();
    await setRights(inHome('a', 'b', 'one'), 0o640);
    assert.equal((await stat(inHome('a', 'b', 'one'))).mode & 0o777, 0o640);
    await assert.rejects(setRights(inHome('dangling'), 0o640), { code: 'ELOOP' });
  });
});

describe('names', () => {
  it('compare without case and normalization', () => {
    assert.equal(foldedName('STRASSE'), foldedName('straße'));
    assert.equal(foldedName('e\u0301'), foldedName('É'));
    assert.notEqual(foldedName('a'), foldedName('b'));
  });

  it('of folders that tools obey are known in every spelling', () => {
    const spellings = ['.git', '.GIT', '.g\u200cit', '.git.', '.git ', '.git::$X', 'GIT~1', '.VSCode', '.devcontainer'];
    for (const name of [...spellings, 'vscode~1', 'DevCon~1']) assert.ok(isObeyedFolder(name), name);
    assert.ok(!isObeyedFolder('git') && !isObeyedFolder('.github.io reports'));
  });
});

describe('work on a disk', () => {
  const failing = (error: Error) => onDisk(() => Promise.reject(error));

  it('that a system call refused is told in words, with the code where there are none', async () => {
    const cases: Readonly<Record<string, readonly [DiskProblemCode, RegExp]>> = {
      ENOSPC: ['no-space', /disk is full/],
      EDQUOT: ['no-space', /quota/],
      EROFS: ['read-only', /read-only/],
      EACCES: ['read-only', /permissions/],
      EPERM: ['read-only', /permissions/],
      EBUSY: ['locked', /Another program/],
      ENAMETOOLONG: ['name-too-long', /too long/],
      ENOTDIR: ['in-the-way', /A file has the name/],
      EISDIR: ['in-the-way', /A folder has the name/],
      ENOENT: ['disk', /was removed/],
      EIO: ['disk', /\(EIO\)/],
    };
    for (const [code, [kind, message]] of Object.entries(cases)) {
      const cause = systemError(code, 'write');
      await assert.rejects(failing(cause), { name: 'DiskProblem', code: kind, message, cause });
    }
  });

  it('that failed for another reason fails with that', async () => {
    const others = [
      new DiskProblem('foreign', 'Another file.'),
      Object.assign(new Error('no system call'), { code: 'ERR_STREAM_DESTROYED' }),
      Object.assign(new Error('no code'), { syscall: 'write' }),
      new DOMException('aborted', 'AbortError'),
    ];
    for (const error of others) await assert.rejects(failing(error), (thrown) => thrown === error);
  });
});
