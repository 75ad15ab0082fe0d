import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Positions, safeAddress } from '../../../../src/editor/pdf/preview.ts';
import { firstPosition } from '../../../../src/protocol/pdfPreview.ts';
import { filesBelow, temporaryFolder } from '../../downloads/fixtures.ts';

describe('a link in a PDF', () => {
  it('may lead to a web page', () => {
    assert.equal(safeAddress('https://example.com/a b?c#d'), 'https://example.com/a%20b?c#d');
    assert.equal(safeAddress('HTTP://EXAMPLE.com'), 'http://example.com/');
  });

  for (const address of [
    'command:workbench.action.terminal.new',
    'file:///etc/passwd',
    'vscode://report-library.report-library/x',
    'vscode-webview://x/y',
    'javascript:alert(1)',
    ' javascript:alert(1)',
    'data:text/html,x',
    'mailto:a@example.com',
    'ftp://example.com/',
    '\\\\server\\share',
    '//example.com/',
    'example.com',
    'https://',
    '',
  ]) {
    it(`may not lead to ${JSON.stringify(address)}`, () => {
      assert.throws(() => safeAddress(address), /does not lead to a web page/);
    });
  }

  it('may carry no name and password', () => {
    assert.throws(() => safeAddress('https://example.com@evil.example/'), /user name or a password/);
    assert.throws(() => safeAddress('https://a:b@example.com/'), /user name or a password/);
  });
});

describe('the memory for positions in PDFs', () => {
  const folder = temporaryFolder();
  const home = () => join(folder.path, 'storage');
  const path = () => join(home(), 'pdf-places.json');

  it('keeps one for each file, across windows', async () => {
    await new Positions(home()).keep('file:///a.pdf', { page: 3, zoom: 1.5 });
    await new Positions(home()).keep('file:///b.pdf', { page: 7, zoom: 'page-fit' });
    await new Positions(home()).keep('file:///a.pdf', { page: 4, zoom: 1.5 });
    const positions = new Positions(home());
    assert.deepEqual(await positions.of('file:///a.pdf'), { page: 4, zoom: 1.5 });
    assert.deepEqual(await positions.of('file:///b.pdf'), { page: 7, zoom: 'page-fit' });
    assert.deepEqual(await positions.of('file:///c.pdf'), firstPosition);
    assert.deepEqual(await filesBelow(folder.path), ['storage/pdf-places.json']);
  });

  it('has the last of many on the disk once keeping is done, and tells it before', async () => {
    const positions = new Positions(home());
    const kept = [1, 2, 3, 4, 5].map((page) => positions.keep('a', { page, zoom: 1 }));
    assert.equal((await positions.of('a')).page, 5);
    await Promise.all(kept);
    assert.equal((await new Positions(home()).of('a')).page, 5);
    await positions.keep('a', { page: 6, zoom: 1 });
    assert.equal((await new Positions(home()).of('a')).page, 6);
  });

  it('forgets the file that was looked at longest ago', async () => {
    const positions = new Positions(home());
    for (let n = 0; n < 201; n += 1) await positions.keep(String(n), { page: 2, zoom: 'page-width' });
    assert.deepEqual(await new Positions(home()).of('0'), firstPosition);
    assert.equal((await new Positions(home()).of('1')).page, 2);
    assert.equal((JSON.parse(await readFile(path(), 'utf8')) as unknown[]).length, 200);
  });

  it('starts at the first page when what was kept can not be trusted', async () => {
    await new Positions(home()).keep('b', { page: 2, zoom: 1 });
    for (const stored of [7, {}, [['a', { page: -1, zoom: 1 }]], [['a', { page: 1, zoom: '9999' }]], [['a']], ['a']]) {
      await writeFile(path(), JSON.stringify(stored));
      assert.deepEqual(await new Positions(home()).of('a'), firstPosition, JSON.stringify(stored));
    }
    await writeFile(path(), '[["a", {"pa');
    assert.deepEqual(await new Positions(home()).of('a'), firstPosition);
  });

  it('says so when the disk refuses, and goes on with what comes next', async () => {
    await writeFile(join(folder.path, 'storage'), 'in the way');
    const positions = new Positions(home());
    await assert.rejects(positions.keep('a', { page: 2, zoom: 1 }));
    await assert.rejects(positions.keep('a', { page: 3, zoom: 1 }));
  });
});
