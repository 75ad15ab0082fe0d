import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLogger } from '../../../src/base/logger.ts';
import { ContentCache } from '../../../src/downloads/cache.ts';
import {
  FakeClock,
  FakeSource,
  filesBelow,
  pdf,
  put,
  reportOf,
  sha256,
  temporaryFolder,
} from '../../unit/downloads/fixtures.ts';
import { lockRow, openFolder, putLock } from '../../unit/downloads/folders.ts';

describe('a copy from another file of the machine', function () {
  if (process.platform === 'win32') return;
  this.timeout(20_000);
  const home = temporaryFolder();
  const clock = new FakeClock();
  const bytes = pdf(1);
  const inside = (...parts: string[]) => join(home.path, 'workspace', 'reports', ...parts);
  const row = (report_id: number, path: string, of = bytes) =>
    lockRow(report_id, { path, sha256: sha256(of), bytes: of.length });
  const cacheOf = () =>
    new ContentCache({ directory: join(home.path, 'cache'), maxBytes: 1e9, clock, logger: silentLogger });

  /** A folder whose lock names two files of the same bytes, of which the second one is for the test to make. */
  async function open(other: string, of = bytes, cache?: ContentCache) {
    await put(join(home.path, 'outside', 'secret.pdf'), bytes);
    await putLock(join(home.path, 'workspace'), row(1, 'a.pdf', of), row(2, other, of));
    const source = new FakeSource().tell(1, reportOf(of, { report_id: 1 })).serve(1, of);
    const stores = cache ? [cache] : [];
    return { folder: openFolder(join(home.path, 'workspace'), source, { clock, stores }), source };
  }

  for (const [what, other, make] of [
    ['a link out of the workspace', 'z.pdf', () => symlink('../../outside/secret.pdf', inside('z.pdf'))],
    ['a folder that is a link', 'z/secret.pdf', () => symlink('../../outside', inside('z'))],
    ['a pipe', 'z.pdf', async () => void execFileSync('mkfifo', [inside('z.pdf')])],
  ] as const)
    it(`is not made through ${what}: the service is asked`, async () => {
      const { folder, source } = await open(other);
      await make();
      const [restored] = await folder.restore({ only: [1] });
      assert.deepEqual([restored?.status, source.links], ['downloaded', [1]]);
      assert.deepEqual(await readFile(inside('a.pdf')), bytes);
    });

  it('is not hidden by such a row: the plain file of the next row is taken', async () => {
    const { folder, source } = await open('z.pdf');
    await putLock(join(home.path, 'workspace'), row(1, 'a.pdf'), row(2, 'm.pdf'), row(3, 'z.pdf'));
    await writeFile(inside('m.pdf'), bytes);
    await symlink('nowhere.pdf', inside('z.pdf'));
    assert.equal((await folder.restore({ only: [1] }))[0]?.status, 'downloaded');
    assert.deepEqual(source.links, []);
  });

  for (const [what, make] of [
    ['a link', (at: string) => symlink(join(home.path, 'outside', 'secret.pdf'), at)],
    ['a pipe', async (at: string) => void execFileSync('mkfifo', [at])],
  ] as const)
    it(`leaves nothing of a store's file that became ${what} after it was found, and asks the next one`, async () => {
      const swapped = join(home.path, 'swapped');
      const cache = cacheOf();
      cache.find = async () => swapped;
      const { folder, source } = await open('z.pdf', bytes, cache);
      await make(swapped);
      const [restored] = await folder.restore({ only: [1] });
      assert.deepEqual([restored?.status, restored?.links], ['downloaded', 1], restored?.reason);
      assert.deepEqual(source.links, [1]);
      assert.ok(!(await filesBelow(home.path)).some((name) => name.endsWith('.part')));
    });

  it('is made with the rights of a new file', async () => {
    const kept = join(home.path, 'kept');
    const cache = cacheOf();
    cache.find = async () => kept;
    const { folder, source } = await open('z.pdf', bytes, cache);
    await writeFile(kept, bytes, { mode: 0o400 });
    assert.equal((await folder.restore({ only: [1] }))[0]?.status, 'downloaded');
    assert.deepEqual([await readFile(inside('a.pdf')), source.links], [bytes, []]);
    assert.equal((await stat(inside('a.pdf'))).mode & 0o777, 0o666 & ~process.umask());
  });
});
