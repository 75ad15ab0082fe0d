import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readHashed, TooLarge } from '../../../src/text/hashedFile.ts';
import { temporaryFolder } from '../downloads/fixtures.ts';
import { hashOf } from './support/texts.ts';

describe('A file that is read with its hash', () => {
  const folder = temporaryFolder();
  let path = '';
  const bytes = Uint8Array.from({ length: 200_000 }, (_, index) => (index * index) % 251);
  const sha256 = hashOf(bytes);
  beforeEach(async () => {
    path = join(folder.path, 'a.pdf');
    await writeFile(path, bytes);
  });

  it('gives the bytes that were hashed, and no others later', async () => {
    const file = readHashed(path, 200_000);
    await writeFile(path, 'something else');
    assert.equal(file.sha256, sha256);
    assert.deepEqual(Buffer.from(file.bytes), Buffer.from(bytes));
  });

  it('is not opened when it is too large, or no file', () => {
    assert.throws(() => readHashed(path, 199_999), TooLarge);
    assert.throws(() => readHashed(folder.path, 1), TypeError);
  });
});
