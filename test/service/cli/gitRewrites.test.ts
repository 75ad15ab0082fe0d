import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { cliStage } from './stage.ts';

describe('PDFs that Git rewrote, on the command line', function () {
  this.timeout(120_000);
  const stage = cliStage(2);

  it('are named by verify, status and search, and restored', async () => {
    await stage.cli(['download', ...stage.keys]);
    const text = await readFile(stage.lockPath(), 'utf8');
    const { reports } = JSON.parse(text) as { reports: { path: string; sha256: string; bytes: number }[] };
    const [first, second] = reports;
    assert.ok(first && second);
    const [pointerAt, crlfAt] = [first, second].map(({ path }) => join(stage.cwd, 'reports', path)) as [string, string];
    const before = [await readFile(pointerAt), await readFile(crlfAt)];
    const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${first.sha256}\nsize ${first.bytes}\n`;
    await writeFile(pointerAt, pointer);
    await writeFile(crlfAt, before[1]?.toString('latin1').replaceAll('\n', '\r\n') ?? '', 'latin1');
    for (const command of ['verify', 'status', 'search emissions']) {
      const { code, stdout } = await stage.cli(command);
      assert.equal(code, 1, stdout);
      assert.match(stdout, /Git LFS pointer, not the PDF\. Run git lfs pull, or restore/, command);
      assert.match(stdout, /mark \*\.pdf as binary in \.gitattributes/, command);
    }
    const { reports: checked } = JSON.parse((await stage.cli('verify --json')).stdout) as {
      reports: { state: string }[];
    };
    assert.deepEqual(
      checked.map(({ state }) => state),
      ['lfs-pointer', 'line-ends'],
    );
    assert.equal((await stage.cli('restore')).code, 0);
    assert.deepEqual([await readFile(pointerAt), await readFile(crlfAt)], before);
    assert.equal((await stage.cli('verify')).code, 0);
  });
});
