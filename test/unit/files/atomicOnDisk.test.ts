import assert from 'node:assert/strict';
import fs, { type FileHandle, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { silentLogger } from '../../../src/base/logger.ts';
import { partName, sweepParts, Unfinished } from '../../../src/files/atomic.ts';
import { DiskProblem, type DiskProblemCode } from '../../../src/files/guard.ts';
import { FakeClock, filesBelow, pdf, sha256, temporaryFolder } from '../downloads/fixtures.ts';

const bytes = pdf(1);

function isProblem(code: DiskProblemCode) {
  return (error: unknown) => error instanceof DiskProblem && error.code === code;
}

describe('putting a file in its place, when the disk has its own mind', () => {
  const folder = temporaryFolder();
  const clock = new FakeClock();
  const open = (path: string) => Unfinished.begin({ root: folder.path, path }, clock);
  const { statfs, mkdir: realMkdir, open: realOpen, link: realLink, unlink: realUnlink } = fs;
  afterEach(() => {
    Object.assign(fs, { statfs, mkdir: realMkdir, open: realOpen, link: realLink, unlink: realUnlink });
    syncBuiltinESMExports();
  });
  /** A disk with so many free bytes. */
  function free(bytesFree: number, blocks = 1_000_000): void {
    Object.assign(fs, { statfs: async () => ({ bavail: bytesFree / 4, blocks, bsize: 4 }) });
    syncBuiltinESMExports();
  }
  const openWith = (room: number) => Unfinished.begin({ root: folder.path, path: 'c.pdf' }, clock, room);

  it('leaves no file open on a disk that refuses the rights of a share', async () => {
    const opened: FileHandle[] = [];
    const open = async (...given: Parameters<typeof realOpen>) => {
      const file = await realOpen(...given);
      opened.push(file);
      file.chmod = () => Promise.reject(Object.assign(new Error('no'), { code: 'EIO', syscall: 'fchmod' }));
      return file;
    };
    Object.assign(fs, { open });
    syncBuiltinESMExports();
    const begun = Unfinished.begin({ root: folder.path, path: 'c.pdf', isShared: true }, clock);
    await assert.rejects(begun, isProblem('disk'));
    assert.deepEqual(
      opened.map(({ fd }) => fd),
      [-1, -1],
    );
    assert.deepEqual(await filesBelow(folder.path), []);
  });

  it('begins only when there is room for every byte, and believes no disk without a size', async () => {
    free(1000);
    await assert.rejects(openWith(1001), isProblem('no-space'));
    assert.deepEqual(await filesBelow(folder.path), []);
    await (await openWith(1000)).discard();
    free(0, 0);
    await (await openWith(1000)).discard();
    free(0, 1);
    await assert.rejects(openWith(1), isProblem('no-space'));
  });

  for (const [whose, content, mayReplace] of [
    ['with other bytes stays', 'theirs', []],
    ['with bytes that may go is replaced', 'ours', [sha256(Buffer.from('ours'))]],
  ] as const) {
    it(`a file ${whose} when it takes the name in the last moment`, async () => {
      const unfinished = await open('c.pdf');
      await unfinished.file.write(bytes);
      const late = async (from: string, to: string) => {
        await writeFile(to, content, { flag: 'wx' });
        return realLink(from, to);
      };
      Object.assign(fs, { link: late });
      syncBuiltinESMExports();
      const committed = unfinished.publish(mayReplace);
      await (mayReplace.length > 0 ? committed : assert.rejects(committed, isProblem('foreign')));
      const kept = mayReplace.length > 0 ? bytes : Buffer.from(content);
      assert.deepEqual(await readFile(join(folder.path, 'c.pdf')), kept);
      assert.deepEqual(await filesBelow(folder.path), ['c.pdf']);
    });
  }

  /** Whatever has such a name can't be removed. */
  function holding(name: RegExp) {
    const held = async (path: string) => {
      if (name.test(path)) throw Object.assign(new Error('EBUSY'), { code: 'EBUSY', syscall: 'unlink' });
      await realUnlink(path);
    };
    Object.assign(fs, { unlink: held });
    syncBuiltinESMExports();
  }

  it('tells why it was given up, though it could not be removed either', async () => {
    holding(/\.part$/);
    const failing = async () => {
      await using unfinished = await open('c.pdf');
      throw new DiskProblem('no-space', `No room for ${unfinished.file.fd}.`);
    };
    await assert.rejects(failing, isProblem('no-space'));
    assert.equal((await filesBelow(folder.path)).length, 1);
    await writeFile(join(folder.path, 'd.pdf'), 'of somebody else');
    const unfinished = await open('d.pdf');
    await assert.rejects(unfinished.publish([]), isProblem('foreign'));
  });

  it('sweeps the other parts that a crash left when one of them is held', async () => {
    const names = ['a.pdf', 'b.pdf', 'c.pdf'].map((name) => partName(name).replace(/-\d+-\d+-/, '-999999999-1-'));
    for (const name of names) await writeFile(join(folder.path, name), '');
    holding(/\.a\.pdf\./);
    const told: string[] = [];
    const logger = { ...silentLogger, warn: (message: string) => void told.push(message) };
    assert.equal(await sweepParts(folder.path, clock, logger), 2);
    assert.deepEqual(await filesBelow(folder.path), names.slice(0, 1));
    assert.deepEqual(told, ['Unfinished downloads could not be removed: EBUSY']);
  });

  it('follows no link that takes the place of a folder while it is made', async () => {
    await mkdir(join(folder.path, 'inner'));
    const slow = async (path: string) => {
      await symlink(join(folder.path, 'inner'), path);
      throw Object.assign(new Error('EEXIST'), { code: 'EEXIST', syscall: 'mkdir' });
    };
    Object.assign(fs, { mkdir: slow });
    syncBuiltinESMExports();
    await assert.rejects(open('a/c.pdf'), isProblem('symlink'));
    assert.deepEqual(await filesBelow(join(folder.path, 'inner')), []);
  });
});
