import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { silentLogger } from '../../../../src/base/logger.ts';
import { Secret } from '../../../../src/base/secret.ts';
import { LibraryFiles } from '../../../../src/editor/common/libraryFiles.ts';
import { favourite, formatList, parseList } from '../../../../src/favourites/list.ts';
import { temporaryFolder } from '../../downloads/fixtures.ts';

const connection = (key: string, isDemo = false) => {
  return { baseUrl: 'https://reports.example.com/api/v2', key: new Secret(key), isDemo };
};

describe('the favourites beside the libraries on this machine', () => {
  const home = temporaryFolder();
  const [one, two] = [connection('rlk_test_live_1'), connection('rlk_test_live_2')];
  let files: LibraryFiles;
  const keep = (of: typeof one, text: string) => writeFile(join(files.favourites, files.favouritesOf(of)), text);
  const kept = (of: typeof one) => readFile(join(files.favourites, files.favouritesOf(of)), 'utf8');
  beforeEach(async () => {
    files = new LibraryFiles(home.path);
    for (const folder of [files.folder, files.favourites]) await mkdir(folder);
    await keep(one, 'one');
  });

  it('are those of one origin and key, and never say which; the demo has the same in each window', () => {
    assert.notEqual(files.favouritesOf(one), files.favouritesOf(two));
    assert.match(files.favouritesOf(one), /^[0-9a-f]{32}\.json$/);
    assert.equal(files.favouritesOf(connection('a', true)), files.favouritesOf(connection('b', true)));
  });

  it('go with the library when that is removed, and with no other', async () => {
    await keep(two, 'two');
    await keep(connection('', true), 'demo');
    await writeFile(files.pathOf(one), '');
    await files.remove(files.pathOf(one));
    assert.deepEqual(await readdir(files.folder), []);
    assert.deepEqual((await readdir(files.favourites)).sort(), [files.favouritesOf(two), 'demo.json'].sort());
  });

  it('go along to a key that replaces another, and join what was starred under that one before', async () => {
    const star = (company_key: string, note = '') => favourite({ company_key }, { note, tags: [] });
    const list = async (of: typeof one) => parseList(await kept(of), 'list');
    await keep(one, formatList([star('A', 'a')], 'list'));
    await files.replaceKey(one, two, silentLogger);
    assert.deepEqual([await list(one), await list(two)], [[star('A', 'a')], [star('A', 'a')]]);
    await keep(two, formatList([star('A', 'later'), star('B')], 'list'));
    await files.replaceKey(two, two, silentLogger);
    await files.replaceKey(two, one, silentLogger);
    assert.deepEqual(await list(one), [star('A', 'later'), star('B')]);
    await files.replaceKey(connection('rlk_test_live_3'), one, silentLogger);
    assert.deepEqual(await list(one), [star('A', 'later'), star('B')]);
    assert.equal((await readdir(files.favourites)).length, 2);
  });
});
