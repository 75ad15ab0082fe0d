import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Places } from '../../../../src/editor/pdf/places.ts';
import { firstPlace } from '../../../../src/protocol/pdfPreview.ts';
import { filesBelow, temporaryFolder } from '../../downloads/fixtures.ts';

describe('the memory for places in PDFs', () => {
  const folder = temporaryFolder();
  const path = () => join(folder.path, 'storage', 'places.json');

  it('keeps one for each file, across windows', async () => {
    await new Places(path()).keep('file:///a.pdf', { page: 3, zoom: 1.5 });
    await new Places(path()).keep('file:///b.pdf', { page: 7, zoom: 'page-fit' });
    await new Places(path()).keep('file:///a.pdf', { page: 4, zoom: 1.5 });
    const places = new Places(path());
    assert.deepEqual(await places.of('file:///a.pdf'), { page: 4, zoom: 1.5 });
    assert.deepEqual(await places.of('file:///b.pdf'), { page: 7, zoom: 'page-fit' });
    assert.deepEqual(await places.of('file:///c.pdf'), firstPlace);
    assert.deepEqual(await filesBelow(folder.path), ['storage/places.json']);
  });

  it('has the last of many on the disk once keeping is done, and tells it before', async () => {
    const places = new Places(path());
    const kept = [1, 2, 3, 4, 5].map((page) => places.keep('a', { page, zoom: 1 }));
    assert.equal((await places.of('a')).page, 5);
    await Promise.all(kept);
    assert.equal((await new Places(path()).of('a')).page, 5);
    await places.keep('a', { page: 6, zoom: 1 });
    assert.equal((await new Places(path()).of('a')).page, 6);
  });

  it('forgets the file that was looked at longest ago', async () => {
    const places = new Places(path());
    for (let n = 0; n < 201; n += 1) await places.keep(String(n), { page: 2, zoom: 'page-width' });
    assert.deepEqual(await places.of('0'), firstPlace);
    assert.equal((await places.of('1')).page, 2);
    assert.equal((JSON.parse(await readFile(path(), 'utf8')) as unknown[]).length, 200);
  });

  it('starts at the first page when what was kept can not be trusted', async () => {
    await new Places(path()).keep('b', { page: 2, zoom: 1 });
    for (const stored of [7, {}, [['a', { page: -1, zoom: 1 }]], [['a', { page: 1, zoom: '9999' }]], [['a']], ['a']]) {
      await writeFile(path(), JSON.stringify(stored));
      assert.deepEqual(await new Places(path()).of('a'), firstPlace, JSON.stringify(stored));
    }
    await writeFile(path(), '[["a", {"pa');
    assert.deepEqual(await new Places(path()).of('a'), firstPlace);
  });

  it('says so when the disk refuses, and goes on with what comes next', async () => {
    await writeFile(join(folder.path, 'storage'), 'in the way');
    const places = new Places(path());
    await assert.rejects(places.keep('a', { page: 2, zoom: 1 }));
    await assert.rejects(places.keep('a', { page: 3, zoom: 1 }));
  });
});
