import assert from 'node:assert/strict';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { keepGuide, keptGuide } from '../../../../src/editor/pdf/fieldGuide.ts';
import { filesBelow, pdf, temporaryFolder } from '../../downloads/fixtures.ts';

describe('the kept field guide', () => {
  const home = temporaryFolder();
  const folder = () => join(home.path, 'guide');

  it('is the one that was kept last, with its mark and its time', async () => {
    assert.equal(await keptGuide(folder()), undefined);
    await keepGuide(folder(), pdf(1), '"a"', 1_000);
    const kept = await keepGuide(folder(), pdf(2), null, 2_000);
    assert.deepEqual(await keptGuide(folder()), kept);
    assert.deepEqual([kept.etag, kept.fetchedAt], [undefined, 2_000]);
    assert.deepEqual(await readFile(kept.path), pdf(2));
    assert.deepEqual(await filesBelow(home.path), ['guide/Field Guide.pdf', 'guide/field-guide.json']);
    await keepGuide(folder(), pdf(3), '"c"', 3_000);
    assert.equal((await keptGuide(folder()))?.etag, '"c"');
  });

  it('is none when the file is not the one that was kept, or its note can not be read', async () => {
    const { path } = await keepGuide(folder(), pdf(1), '"a"', 1_000);
    await appendFile(path, 'x');
    assert.equal(await keptGuide(folder()), undefined);
    await keepGuide(folder(), pdf(1), '"a"', 1_000);
    await writeFile(join(home.path, 'guide', 'field-guide.json'), '{"sha256": 7}');
    assert.equal(await keptGuide(folder()), undefined);
  });
});
