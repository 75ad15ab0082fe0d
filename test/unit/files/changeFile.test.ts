import assert from 'node:assert/strict';
import { readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { changeFile, readText } from '../../../src/files/changeFile.ts';
import { filesBelow, temporaryFolder } from '../downloads/fixtures.ts';

describe('a text file of a folder', () => {
  const home = temporaryFolder();
  const place = () => ({ root: home.path, path: 'note.txt' });

  it('is not read when it is huge', async () => {
    await writeFile(join(home.path, 'note.txt'), '');
    await truncate(join(home.path, 'note.txt'), 64 * 1024 ** 2 + 1);
    await assert.rejects(readText(place()), { name: 'DiskProblem', code: 'in-the-way' });
  });

  it('is left as it is by a change that has nothing to say', async () => {
    await changeFile(place(), () => undefined);
    assert.deepEqual(await filesBelow(home.path), []);
    await writeFile(join(home.path, 'note.txt'), 'a');
    await changeFile(place(), () => undefined);
    assert.equal(await readText(place()), 'a');
  });

  it('is changed again when it was written meanwhile', async () => {
    const seen: (string | undefined)[] = [];
    await writeFile(join(home.path, 'note.txt'), 'a');
    await changeFile(place(), async (old) => {
      if (seen.push(old) === 1) await writeFile(join(home.path, 'note.txt'), 'theirs');
      return `${old}+mine`;
    });
    assert.deepEqual([seen, await readText(place())], [['a', 'theirs'], 'theirs+mine']);
  });

  it('that another program writes all the time is given up after twenty attempts, and stays theirs', async () => {
    let attempts = 0;
    const change = async () => {
      await writeFile(join(home.path, 'note.txt'), `theirs ${++attempts}`);
      return 'mine';
    };
    await assert.rejects(changeFile(place(), change), { name: 'DiskProblem', code: 'foreign' });
    assert.equal(attempts, 20);
    assert.deepEqual(await filesBelow(home.path), ['note.txt']);
    assert.equal(await readText(place()), 'theirs 20');
  });

  it('that isn’t UTF-8 is named, and never written', async () => {
    for (const bytes of [
      Buffer.from('{"a": "\xe4"}', 'latin1'),
      Buffer.from([0xff, 0xfe, 0x00, 0xd8]),
      Buffer.from('{}', 'utf16le'),
    ]) {
      await writeFile(join(home.path, 'note.txt'), bytes);
      await assert.rejects(readText(place()), /note\.txt isn’t UTF-8 text\. Save it as UTF-8/);
      await assert.rejects(
        changeFile(place(), () => 'mine'),
        { code: 'in-the-way' },
      );
      assert.deepEqual(await readFile(join(home.path, 'note.txt')), bytes);
    }
  });
});
