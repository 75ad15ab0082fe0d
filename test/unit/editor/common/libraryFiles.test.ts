import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { silentLogger } from '../../../../src/base/logger.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { LibraryFiles } from '../../../../src/editor/common/libraryFiles.ts';
import { formatFavorites, parseFavorites } from '../../../../src/favorites/favorites.ts';
import { temporaryFolder } from '../../downloads/fixtures.ts';

const connection = (key: string, isDemo = false) => {
  return { baseUrl: 'https://reports.example.com/api/v2', key: new Secret(key), isDemo };
};

describe('the favorites beside the libraries on this computer', () => {
  const home = temporaryFolder();
  const [one, two] = [connection('rlk_test_live_1'), connection('rlk_test_live_2')];
  let files: LibraryFiles;
  const keep = (of: typeof one, text: string) => writeFile(join(files.favorites, files.favoritesOf(of)), text);
  const kept = (of: typeof one) => readFile(join(files.favorites, files.favoritesOf(of)), 'utf8');
  beforeEach(async () => {
    files = new LibraryFiles(home.path);
    for (const folder of [files.folder, files.favorites]) await mkdir(folder);
    await keep(one, 'one');
  });

  it('are those of one origin and key, and never say which; the demo has the same in each window', () => {
    assert.notEqual(files.favoritesOf(one), files.favoritesOf(two));
    assert.match(files.favoritesOf(one), /^[0-9a-f]{32}\.json$/);
    assert.equal(files.favoritesOf(connection('a', true)), files.favoritesOf(connection('b', true)));
  });

  it('and all versions of a library are one, and go together with what is kept beside them', async () => {
    const name = basename(files.pathOf(one));
    const id = name.slice(0, 32);
    const beside = [name, `${name}-wal`, `${id}.v99.sqlite`, `${id}.v99.sqlite-shm`, `${name}.damaged-1`];
    for (const file of beside) await writeFile(join(files.folder, file), '1234');
    await writeFile(files.pathOf(two), '1');
    assert.equal(await files.bytes(one), 12);
    assert.deepEqual(
      (await files.stray([two])).map(({ bytes }) => bytes),
      [12],
    );
    assert.deepEqual(await files.stray([one, two]), []);
    const [stray] = await files.stray([two]);
    await files.remove(stray?.path ?? '');
    assert.deepEqual(await readdir(files.folder), [basename(files.pathOf(two))]);
    assert.equal(await files.bytes(one), null);
  });

  it('go with the library when that is removed, and with no other', async () => {
    await keep(two, 'two');
    await keep(connection('', true), 'demo');
    await writeFile(files.pathOf(one), '');
    await files.remove(files.pathOf(one));
    assert.deepEqual(await readdir(files.folder), []);
    assert.deepEqual((await readdir(files.favorites)).sort(), [files.favoritesOf(two), 'demo.json'].sort());
  });

  it('go along to a key that replaces another, and join what was starred under that one before', async () => {
    const star = (company_key: string) => ({ company_key, report_id: null, report_key: null });
    const list = async (of: typeof one) => parseFavorites(await kept(of), 'list');
    await keep(one, formatFavorites([star('A')]));
    await files.replaceKey(one, two, silentLogger);
    assert.deepEqual([await list(one), await list(two)], [[star('A')], [star('A')]]);
    await keep(two, formatFavorites([star('B'), star('C')]));
    await files.replaceKey(two, two, silentLogger);
    await files.replaceKey(two, one, silentLogger);
    assert.deepEqual(await list(one), [star('A'), star('B'), star('C')]);
    await files.replaceKey(connection('rlk_test_live_3'), one, silentLogger);
    assert.deepEqual(await list(one), [star('A'), star('B'), star('C')]);
    assert.equal((await readdir(files.favorites)).length, 2);
  });
});
