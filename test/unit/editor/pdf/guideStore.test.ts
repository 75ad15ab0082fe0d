import assert from 'node:assert/strict';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { GuideStore } from '../../../../src/editor/pdf/guideStore.ts';
import { filesBelow, pdf, temporaryFolder } from '../../downloads/fixtures.ts';

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
