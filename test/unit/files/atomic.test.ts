import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs, {
  chmod,
  lstat,
  mkdir,
  readFile,
  realpath,
  rename,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { silentLogger } from '../../../src/base/logger.ts';
import { partName, retryWhileHeld, sweepParts, Unfinished } from '../../../src/files/atomic.ts';
import { DiskProblem, type DiskProblemCode } from '../../../src/files/guard.ts';
import { fileThere, hashFile } from '../../../src/files/hash.ts';
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

describe('putting a file in its place', () => {
  const folder = temporaryFolder();
  const clock = new FakeClock();
  const open = (path: string) => Unfinished.begin({ root: folder.path, path }, clock);

  it('shows nothing under the name before commit, and a readable file after', async () => {
    const unfinished = await open('a/b/c.pdf');
    await unfinished.file.write(bytes);
    const [part = ''] = await filesBelow(folder.path);
    assert.match(part, /^a\/b\/\.c\.pdf\..*\.part$/);
    await unfinished.publish([]);
    assert.equal(unfinished.file.fd, -1, 'it is closed');
    await unfinished.discard();
    assert.deepEqual(await filesBelow(folder.path), ['a/b/c.pdf']);
    const placed = await stat(join(folder.path, 'a/b/c.pdf'));
    assert.equal(placed.mode & 0o777, 0o666 & ~process.umask());
    assert.equal(placed.nlink, 1);
    assert.deepEqual(await fileThere({ root: folder.path, path: 'a/b/c.pdf' }), {
      sha256: sha256(bytes),
      bytes: bytes.length,
    });
  });

  it('copies and hashes a file, and shares nothing with the original', async () => {
    await writeFile(join(folder.path, 'kept'), bytes, { mode: 0o600 });
    await using unfinished = await open('c.pdf');
    assert.deepEqual(await unfinished.copy(join(folder.path, 'kept')), { sha256: sha256(bytes), bytes: bytes.length });
    await unfinished.file.write(Buffer.from('edited'), 0, 6, 0);
    await unfinished.publish([]);
    assert.deepEqual(await readFile(join(folder.path, 'kept')), bytes);
    assert.equal((await stat(join(folder.path, 'c.pdf'))).mode & 0o777, 0o666 & ~process.umask());
    const missing = await open('d.pdf');
    await assert.rejects(missing.copy(join(folder.path, 'missing')), DiskProblem);
    await missing.discard();
    assert.deepEqual(await filesBelow(folder.path), ['c.pdf', 'kept']);
  });

  it('replaces a file only when its hash is one that may go', async () => {
    await writeFile(join(folder.path, 'c.pdf'), 'old');
    const first = await open('c.pdf');
    await first.file.write(bytes);
    await assert.rejects(first.publish([sha256(bytes)]), isProblem('foreign'));
    assert.deepEqual(await filesBelow(folder.path), ['c.pdf']);
    const second = await open('c.pdf');
    await second.file.write(bytes);
    await second.publish([sha256(Buffer.from('old'))]);
    assert.deepEqual(await readFile(join(folder.path, 'c.pdf')), bytes);
  });

  it('refuses links, other things in the way, and paths that leave the folder', async () => {
    await mkdir(join(folder.path, 'outside'));
    await mkdir(join(folder.path, 'root/inner'), { recursive: true });
    const root = join(folder.path, 'root');
    await symlink(join(folder.path, 'outside'), join(root, 'out'));
    await symlink(join(root, 'inner'), join(root, 'in'));
    await symlink(join(folder.path, 'outside/x.pdf'), join(root, 'dangling.pdf'));
    await writeFile(join(root, 'file'), '');
    const cases: [string, DiskProblemCode][] = [
      ['out/x.pdf', 'symlink'],
      ['out/deeper/x.pdf', 'symlink'],
      ['in/x.pdf', 'symlink'],
      ['file/x.pdf', 'in-the-way'],
      ['../x.pdf', 'outside'],
      ['a/../../x.pdf', 'outside'],
      ['/x.pdf', 'outside'],
      ['a//x.pdf', 'outside'],
      ['a\\..\\x.pdf', 'outside'],
      ['a\0b/x.pdf', 'outside'],
      ['.git/x.pdf', 'outside'],
      ['a/.VSCode/x.pdf', 'outside'],
      ['.devcontainer/x.pdf', 'outside'],
    ];
    for (const [path, code] of cases) {
      await assert.rejects(Unfinished.begin({ root, path }, clock), isProblem(code), path);
      await assert.rejects(fileThere({ root, path }), isProblem(code), path);
    }
    await assert.rejects(fileThere({ root, path: 'file/in/x.pdf' }), /file is a file, but a folder is needed there/);
    await assert.rejects(fileThere({ root, path: 'dangling.pdf' }), isProblem('symlink'));
    await assert.rejects(fileThere({ root, path: 'inner' }), isProblem('in-the-way'));
    const dangling = await Unfinished.begin({ root, path: 'dangling.pdf' }, clock);
    await assert.rejects(dangling.publish([]), isProblem('symlink'));
    assert.deepEqual(await filesBelow(join(folder.path, 'outside')), []);
  });

  it('does not wait for a pipe in its place', async function () {
    if (spawnSync('mkfifo', [join(folder.path, 'c.pdf')]).status !== 0) this.skip();
    await assert.rejects(fileThere({ root: folder.path, path: 'c.pdf' }), isProblem('in-the-way'));
    // One that was put there after the look.
    await assert.rejects(hashFile(join(folder.path, 'c.pdf')), { code: 'ESPIPE' });
    await symlink(join(folder.path, 'c.pdf'), join(folder.path, 'd.pdf'));
    await assert.rejects(hashFile(join(folder.path, 'd.pdf')), { code: 'ELOOP' });
  });

  it('works in a folder that was opened through a link', async () => {
    await mkdir(join(folder.path, 'real'));
    await symlink(join(folder.path, 'real'), join(folder.path, 'link'));
    const unfinished = await Unfinished.begin({ root: join(folder.path, 'link'), path: 'a/c.pdf' }, clock);
    await unfinished.publish([]);
    assert.deepEqual(await filesBelow(join(folder.path, 'real')), ['a/c.pdf']);
  });

  it('refuses to finish in a folder that was exchanged meanwhile', async () => {
    await mkdir(join(folder.path, 'outside'));
    const byLink = await open('a/c.pdf');
    await rename(join(folder.path, 'a'), join(folder.path, 'moved'));
    await symlink(join(folder.path, 'outside'), join(folder.path, 'a'));
    await assert.rejects(byLink.publish([]), isProblem('symlink'));
    const byFolder = await open('b/c.pdf');
    await rename(join(folder.path, 'b'), join(folder.path, 'moved2'));
    await mkdir(join(folder.path, 'b'));
    await assert.rejects(byFolder.publish([]), isProblem('outside'));
    assert.deepEqual(await filesBelow(join(folder.path, 'outside')), []);
  });

  it('says it in words when the folder went away or may not be written', async function () {
    const lost = await open('a/c.pdf');
    await rm(join(folder.path, 'a'), { recursive: true });
    await assert.rejects(lost.publish([]), isProblem('disk'));
    if (process.getuid?.() === 0) this.skip();
    await chmod(folder.path, 0o555);
    await assert.rejects(open('b/c.pdf'), isProblem('read-only'));
    await chmod(folder.path, 0o755);
  });

  it('sees the file that differs only in case, where the disk does', async function () {
    await writeFile(join(folder.path, 'KEY.pdf'), 'theirs');
    const ignoresCase = await lstat(join(folder.path, 'key.pdf')).then(
      () => true,
      () => false,
    );
    if (!ignoresCase) this.skip();
    const unfinished = await open('key.pdf');
    await assert.rejects(unfinished.publish([]), isProblem('foreign'));
  });
});

describe('unfinished files that a crash left', () => {
  const folder = temporaryFolder();
  const sweep = (clock = new FakeClock()) => sweepParts(folder.path, clock, silentLogger);

  it('go when their process is gone, stay while it lives, and nothing else is touched', async () => {
    const clock = new FakeClock();
    clock.time = Date.now();
    const ours = partName('a.pdf');
    const ended = spawnSync(process.execPath, ['-e', '']).pid;
    const other = (pid: number) => ours.replace(/-\d+-\d+-/, `-${pid}-1-`);
    await mkdir(join(folder.path, 'x/y'), { recursive: true });
    const running = ours.replace(/-\d+-\d+-/, `-${process.ppid}---`);
    const stay = [ours, running, '.a.pdf.part', 'a.part', '.a.pdf.zzzz-1-1-00000000.part', 'a.pdf'];
    for (const name of stay) await writeFile(join(folder.path, 'x/y', name), '');
    await writeFile(join(folder.path, 'x/y', other(ended)), '');
    await writeFile(join(folder.path, other(process.pid)), '');
    assert.equal(await sweep(clock), 2);
    assert.deepEqual(await filesBelow(folder.path), stay.map((name) => `x/y/${name}`).sort());
  });

  it('go after an hour, whoever made them', async () => {
    const clock = new FakeClock();
    const foreign = partName('a.pdf').replace(/\.[0-9a-f]{4}-\d+-/, '.0000-1-');
    await writeFile(join(folder.path, foreign), '');
    const touched = clock.time / 1000;
    await utimes(join(folder.path, foreign), touched, touched);
    clock.time += 59 * 60_000;
    assert.equal(await sweep(clock), 0);
    clock.time += 2 * 60_000;
    assert.equal(await sweep(clock), 1);
  });

  it('are not looked for behind links, nor where there is no folder', async () => {
    const dead = partName('a.pdf').replace(/-\d+-\d+-/, '-999999999-1-');
    await mkdir(join(folder.path, 'outside'));
    await mkdir(join(folder.path, 'root'));
    await writeFile(join(folder.path, 'outside', dead), '');
    await symlink(join(folder.path, 'outside'), join(folder.path, 'root/link'));
    await symlink(join(folder.path, 'outside', dead), join(folder.path, 'root', dead));
    assert.equal(await sweepParts(join(folder.path, 'root'), new FakeClock(), silentLogger), 0);
    assert.equal(await sweepParts(join(folder.path, 'missing'), new FakeClock(), silentLogger), 0);
    assert.ok(await realpath(join(folder.path, 'root', dead)));
  });
});

describe('a file that another program holds', () => {
  it('is waited for on Windows, for a minute and with growing pauses', async () => {
    const clock = new FakeClock();
    let tries = 0;
    const freed = retryWhileHeld(
      async () => (++tries < 15 ? Promise.reject(systemError('EBUSY')) : 'done'),
      clock,
      'win32',
    );
    assert.equal(await freed, 'done');
    assert.deepEqual(clock.sleeps.slice(0, 11), [10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 100]);
    const started = clock.time;
    await assert.rejects(
      retryWhileHeld(() => Promise.reject(systemError('EPERM')), clock, 'win32'),
      { code: 'EPERM' },
    );
    assert.ok(clock.time - started >= 60_000 && clock.time - started < 60_200);
  });

  describe('on a disk that refuses the last step', () => {
    const folder = temporaryFolder();
    const { platform } = process;
    const replace = replacements();
    const { rename: realRename, unlink: realUnlink } = fs;
    afterEach(() => void Object.defineProperty(process, 'platform', { value: platform }));
    /** As on Windows, where another program keeps a file for some tries. */
    function holdFor(tries: number, code: string) {
      Object.defineProperty(process, 'platform', { value: 'win32' });
      let left = tries;
      const refusing =
        <A extends unknown[]>(run: (...args: A) => Promise<void>) =>
        (...args: A) =>
          left-- > 0 ? Promise.reject(systemError(code, 'rename')) : run(...args);
      // No hard links: the name is given by a rename.
      const noLinks = () => Promise.reject(systemError('ENOTSUP', 'link'));
      replace(fs, { rename: refusing(realRename), unlink: refusing(realUnlink), link: noLinks });
    }
    const at = () => ({ root: folder.path, path: 'a.pdf' });

    for (const code of ['EPERM', 'EBUSY', 'EACCES']) {
      it(`gives the name once ${code} is over`, async () => {
        const clock = new FakeClock();
        const unfinished = await Unfinished.begin(at(), clock);
        await unfinished.file.write(bytes);
        holdFor(4, code);
        await unfinished.publish([]);
        assert.deepEqual(clock.sleeps, [10, 20, 30, 40]);
        assert.deepEqual(await readFile(join(folder.path, 'a.pdf')), bytes);
        assert.deepEqual(await filesBelow(folder.path), ['a.pdf']);
      });
    }

    it('gives up after a minute, keeps the file that was there, and leaves no other', async () => {
      await writeFile(join(folder.path, 'a.pdf'), 'old');
      const clock = new FakeClock();
      const unfinished = await Unfinished.begin(at(), clock);
      await unfinished.file.write(bytes);
      // The rename is refused for a minute; then the unfinished file can be removed.
      holdFor(610, 'EBUSY');
      await assert.rejects(unfinished.publish([sha256(Buffer.from('old'))]), DiskProblem);
      assert.equal(await readFile(join(folder.path, 'a.pdf'), 'utf8'), 'old');
      assert.deepEqual(await filesBelow(folder.path), ['a.pdf']);
    });
  });

  it('is an error at once elsewhere, and for any other reason', async () => {
    const clock = new FakeClock();
    await assert.rejects(retryWhileHeld(() => Promise.reject(systemError('EPERM')), clock, 'linux'));
    await assert.rejects(retryWhileHeld(() => Promise.reject(systemError('ENOSPC')), clock, 'win32'));
    assert.deepEqual(clock.sleeps, []);
  });
});
