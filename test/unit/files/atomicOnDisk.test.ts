import assert from 'node:assert/strict';
import fs, { type FileHandle, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLogger } from '../../../src/base/logger.ts';
import { partName, sweepParts, Unfinished } from '../../../src/files/atomic.ts';
import { changeFile } from '../../../src/files/changeFile.ts';
import { DiskProblem, type DiskProblemCode } from '../../../src/files/guard.ts';
import { knownFile } from '../../../src/files/hash.ts';
import {
  FakeClock,
  filesBelow,
  pdf,
  replacements,
  sha256,
  systemError,
  temporaryFolder,
} from '../downloads/fixtures.ts';

const bytes = pdf(1);

function isProblem(code: DiskProblemCode) {
  return (error: unknown) => error instanceof DiskProblem && error.code === code;
}

describe('putting a file in its place, when the disk has its own mind', () => {
  const folder = temporaryFolder();
  const clock = new FakeClock();
  const open = (path: string) => Unfinished.begin({ root: folder.path, path }, clock);
  const replace = replacements();
  const { open: realOpen, link: realLink, lstat: realLstat, rename: realRename, unlink: realUnlink } = fs;
  /** A disk with so many free bytes. */
  function free(bytesFree: number, blocks = 1_000_000): void {
    replace(fs, { statfs: async () => ({ bavail: bytesFree / 4, blocks, bsize: 4 }) });
  }
  const openWith = (room: number) => Unfinished.begin({ root: folder.path, path: 'c.pdf' }, clock, room);

  it('leaves no file open on a disk that refuses the rights of a share', async () => {
    const opened: FileHandle[] = [];
    const open = async (...given: Parameters<typeof realOpen>) => {
      const file = await realOpen(...given);
      opened.push(file);
      file.chmod = () => Promise.reject(systemError('EIO', 'fchmod'));
      return file;
    };
    replace(fs, { open });
    const begun = Unfinished.begin({ root: folder.path, path: 'c.pdf', isShared: true }, clock);
    await assert.rejects(begun, isProblem('disk'));
    assert.deepEqual(
      opened.map(({ fd }) => fd),
      [-1, -1],
    );
    assert.deepEqual(await filesBelow(folder.path), []);
  });

  /** Notes each step that decides what a power cut could leave of a file. */
  function noteSteps(): string[] {
    const steps: string[] = [];
    const noting =
      <A extends unknown[], R>(step: string, run: (...args: A) => Promise<R>) =>
      async (...args: A) => {
        const result = await run(...args);
        steps.push(step);
        return result;
      };
    const opening = async (...given: Parameters<typeof realOpen>) => {
      const file = await realOpen(...given);
      const what = String(given[0]).endsWith('.part') ? 'bytes' : 'name';
      return Object.assign(file, { sync: noting(`${what} safe`, file.sync.bind(file)) });
    };
    replace(fs, { open: opening, link: noting('named', realLink), rename: noting('named', realRename) });
    return steps;
  }

  const publish = async (mayReplace: readonly string[], isLasting?: boolean) => {
    const unfinished = await open('c.pdf');
    await unfinished.file.write(bytes);
    await unfinished.publish(mayReplace, undefined, isLasting);
  };
  for (const [what, work, steps] of [
    ['a new file', () => publish([]), ['bytes safe', 'named', 'name safe']],
    ['one in place of ours', () => publish([sha256(Buffer.from('old'))]), ['bytes safe', 'named', 'name safe']],
    ['a text', () => changeFile({ root: folder.path, path: 'c.pdf' }, () => 'x'), ['bytes safe', 'named', 'name safe']],
    ['one that is hashed before use', () => publish([], false), ['named']],
  ] as const)
    it(`has ${what} on the disk before it has its name, and the name before it is done`, async () => {
      if (what === 'one in place of ours') await writeFile(join(folder.path, 'c.pdf'), 'old');
      const noted = noteSteps();
      await work();
      assert.deepEqual(noted, process.platform === 'win32' ? steps.filter((step) => step !== 'name safe') : steps);
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
      replace(fs, { link: late });
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
      if (name.test(path)) throw systemError('EBUSY', 'unlink');
      await realUnlink(path);
    };
    replace(fs, { unlink: held });
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

  it('gives the name by a rename on a disk without hard links, and by nothing where the disk fails', async () => {
    const without = ['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EINVAL', 'EBADF', 'EMLINK', 'UNKNOWN'];
    for (const code of [...without, 'EIO']) {
      replace(fs, { link: () => Promise.reject(systemError(code, 'link')) });
      const published = (await open(`${code}.pdf`)).publish([]);
      await (code === 'EIO' ? assert.rejects(published, isProblem('disk')) : published);
    }
    assert.deepEqual(await filesBelow(folder.path), without.map((code) => `${code}.pdf`).sort());
  });

  it('says what a disk refuses when a folder is to be made', async () => {
    replace(fs, { mkdir: () => Promise.reject(systemError('EROFS', 'mkdir')) });
    await assert.rejects(open('a/c.pdf'), isProblem('read-only'));
  });

  it('knows the hash of what it wrote, unless times are too coarse to tell of a write in between', async () => {
    const at = { root: folder.path, path: 'c.pdf' };
    const content = { sha256: sha256(bytes), bytes: bytes.length };
    const coarse = (...names: readonly ('mtimeMs' | 'ctimeMs')[]) => ({
      lstat: async (path: string) => {
        const stats = await realLstat(path);
        for (const name of names) stats[name] = Math.floor(stats[name] / 1000) * 1000;
        return stats;
      },
    });
    for (const [disk, isKnown] of [
      [coarse(), true],
      [coarse('mtimeMs'), false],
      [coarse('ctimeMs'), false],
    ] as const) {
      replace(fs, disk);
      const unfinished = await open('c.pdf');
      await unfinished.file.write(bytes);
      await unfinished.publish([sha256(bytes)], content);
      const known = knownFile(at, await fs.lstat(join(folder.path, 'c.pdf')), undefined);
      assert.deepEqual(known, isKnown ? content : undefined);
    }
    // Another program wrote to it before it had its name.
    const unfinished = await open('c.pdf');
    await unfinished.file.write(bytes);
    replace(fs, {
      rename: async (from: string, to: string) => {
        await writeFile(from, pdf(2));
        return realRename(from, to);
      },
    });
    await unfinished.publish([sha256(bytes)], content);
    assert.equal(knownFile(at, await realLstat(join(folder.path, 'c.pdf')), undefined), undefined);
  });

  it('follows no link that takes the place of a folder while it is made', async () => {
    await mkdir(join(folder.path, 'inner'));
    const slow = async (path: string) => {
      await symlink(join(folder.path, 'inner'), path);
      throw systemError('EEXIST', 'mkdir');
    };
    replace(fs, { mkdir: slow });
    await assert.rejects(open('a/c.pdf'), isProblem('symlink'));
    assert.deepEqual(await filesBelow(join(folder.path, 'inner')), []);
  });
});
