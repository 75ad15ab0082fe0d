import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { withPdfsIgnored } from '../../../../src/editor/downloads/ignoreOffer.ts';
import { temporaryFolder } from '../../downloads/fixtures.ts';

describe('keeping licensed PDFs out of version control', () => {
  const folder = temporaryFolder();

  it('adds one line, once, in the line ends of the file', () => {
    const added = withPdfsIgnored('', 'reports');
    assert.equal(added, '# Licensed PDFs; reports.lock.json restores them\n/reports/**/*.pdf\n');
    assert.equal(withPdfsIgnored(added ?? '', 'reports'), undefined);
    assert.equal(withPdfsIgnored('reports/**/*.pdf  \n', 'reports'), undefined);
    assert.equal(withPdfsIgnored('*.pdf\n', 'reports'), undefined);
    assert.match(withPdfsIgnored('node_modules', 'a/b') ?? '', /^node_modules\n# .*\n\/a\/b\/\*\*\/\*\.pdf\n$/);
    assert.match(withPdfsIgnored('x\r\ny\r\n', 'a') ?? '', /^x\r\ny\r\n# .*\r\n\/a\/\*\*\/\*\.pdf\r\n$/);
  });

  it('means to git what it says, also for odd folder names', async function () {
    if (spawnSync('git', ['init', '-q'], { cwd: folder.path }).status !== 0) this.skip();
    for (const name of ['reports', 'a b/[x]*?', '#hash', '!not', 'end \\ ']) {
      await mkdir(join(folder.path, name, 'deep'), { recursive: true });
      await writeFile(join(folder.path, '.gitignore'), withPdfsIgnored('', name) ?? '');
      const ignored = (file: string) =>
        spawnSync('git', ['check-ignore', '-q', join(name, file)], { cwd: folder.path }).status === 0;
      assert.ok(ignored('a.pdf') && ignored('deep/b.pdf'), name);
      assert.ok(!ignored('reports.lock.json') && !ignored('reports.csv'), name);
    }
  });
});
