import assert from 'node:assert/strict';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GuideStore, Positions } from '../../../../src/editor/pdf/keptFiles.ts';
import { firstPosition } from '../../../../src/protocol/pdfPreview.ts';
import { filesBelow, pdf, temporaryFolder } from '../../downloads/fixtures.ts';

describe('the memory for positions in PDFs', () => {
  const folder = temporaryFolder();
  const path = () => join(folder.path, 'storage', 'places.json');

  it('keeps one for each file, across windows', async () => {
    await new Positions(path()).keep('file:///a.pdf', { page: 3, zoom: 1.5 });
    await new Positions(path()).keep('file:///b.pdf', { page: 7, zoom: 'page-fit' });
    await new Positions(path()).keep('file:///a.pdf', { page: 4, zoom: 1.5 });
    const positions = new Positions(path());
    assert.deepEqual(await positions.of('file:///a.pdf'), { page: 4, zoom: 1.5 });
    assert.deepEqual(await positions.of('file:///b.pdf'), { page: 7, zoom: 'page-fit' });
    assert.deepEqual(await positions.of('file:///c.pdf'), firstPosition);
    assert.deepEqual(await filesBelow(folder.path), ['storage/places.json']);
  });

  it('has the last of many on the disk once keeping is done, and tells it before', async () => {
    const positions = new Positions(path());
    const kept = [1, 2, 3, 4, 5].map((page) => positions.keep('a', { page, zoom: 1 }));
    assert.equal((await positions.of('a')).page, 5);
    await Promise.all(kept);
    assert.equal((await new Positions(path()).of('a')).page, 5);
    await positions.keep('a', { page: 6, zoom: 1 });
    assert.equal((await new Positions(path()).of('a')).page, 6);
  });

  it('forgets the file that was looked at longest ago', async () => {
    const positions = new Positions(path());
    for (let n = 0; n < 201; n += 1) await positions.keep(String(n), { page: 2, zoom: 'page-width' });
    assert.deepEqual(await positions.of('0'), firstPosition);
    assert.equal((await positions.of('1')).page, 2);
    assert.equal((JSON.parse(await readFile(path(), 'utf8')) as unknown[]).length, 200);
  });

  it('starts at the first page when what was kept can not be trusted', async () => {
    await new Positions(path()).keep('b', { page: 2, zoom: 1 });
    for (const stored of [7, {}, [['a', { page: -1, zoom: 1 }]], [['a', { page: 1, zoom: '9999' }]], [['a']], ['a']]) {
      await writeFile(path(), JSON.stringify(stored));
      assert.deepEqual(await new Positions(path()).of('a'), firstPosition, JSON.stringify(stored));
    }
    await writeFile(path(), '[["a", {"pa');
    assert.deepEqual(await new Positions(path()).of('a'), firstPosition);
  });

  it('says so when the disk refuses, and goes on with what comes next', async () => {
    await writeFile(join(folder.path, 'storage'), 'in the way');
    const positions = new Positions(path());
    await assert.rejects(positions.keep('a', { page: 2, zoom: 1 }));
    await assert.rejects(positions.keep('a', { page: 3, zoom: 1 }));
  });
});

describe('the kept field guide', () => {
  const home = temporaryFolder();
  const store = () => new GuideStore(join(home.path, 'guide'));

  it('is the one that was kept last, with its mark and its time', async () => {
    assert.equal(await store().kept(), undefined);
    await store().keep(pdf(1), '"a"', 1_000);
    const kept = await store().keep(pdf(2), null, 2_000);
    assert.deepEqual(await store().kept(), kept);
    assert.deepEqual([kept.etag, kept.fetchedAt], [undefined, 2_000]);
    assert.deepEqual(await readFile(kept.path), pdf(2));
    assert.deepEqual(await filesBelow(home.path), ['guide/Field Guide.pdf', 'guide/field-guide.json']);
    await store().keep(pdf(3), '"c"', 3_000);
    assert.equal((await store().kept())?.etag, '"c"');
  });

  it('is none when the file is not the one that was kept, or its note can not be read', async () => {
    const { path } = await store().keep(pdf(1), '"a"', 1_000);
    await appendFile(path, 'x');
    assert.equal(await store().kept(), undefined);
    await store().keep(pdf(1), '"a"', 1_000);
    await writeFile(join(home.path, 'guide', 'field-guide.json'), '{"sha256": 7}');
    assert.equal(await store().kept(), undefined);
  });
});
