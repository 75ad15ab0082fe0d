import assert from 'node:assert/strict';
import { rename, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type * as vscode from 'vscode';
import { FileChanged, headOf, openPdfBytes } from '../../../../src/editor/pdf/pdfBytes.ts';
import { longestRange, pdfPreviewProtocol, placeSchema, positionSchema } from '../../../../src/protocol/pdfPreview.ts';
import { temporaryFolder } from '../../downloads/fixtures.ts';

describe('the bytes of a PDF', () => {
  const folder = temporaryFolder();
  const path = () => join(folder.path, 'a.pdf');
  const open = () => openPdfBytes({ scheme: 'file', fsPath: path() } as vscode.Uri);

  it('are read where they are asked for', async () => {
    await writeFile(path(), '0123456789');
    const bytes = await open();
    assert.equal(bytes.length, 10);
    assert.equal(Buffer.from(await bytes.read(3, 7)).toString(), '3456');
    assert.equal(Buffer.from(await headOf(bytes)).toString(), '0123456789');
  });

  it('are a small part at first where there are many', async () => {
    await writeFile(path(), Buffer.alloc(longestRange + 1));
    assert.equal((await headOf(await open())).length, 64 * 1024);
  });

  it('are not those of another file that took its place, or of the same that was written', async () => {
    await writeFile(path(), '0123456789');
    const replaced = await open();
    await writeFile(`${path()}.part`, '9876543210');
    await utimes(`${path()}.part`, 500, 500);
    await rename(`${path()}.part`, path());
    await assert.rejects(replaced.read(0, 4), FileChanged);
    const written = await open();
    await utimes(path(), 1000, 1000);
    await assert.rejects(written.read(0, 4), FileChanged);
    const cut = await open();
    await writeFile(path(), '01');
    await assert.rejects(cut.read(0, 4), FileChanged);
  });

  it('are missed in plain words when the file is gone', async () => {
    await writeFile(path(), '0123456789');
    const bytes = await open();
    await rm(path());
    await assert.rejects(open(), /The file was moved or deleted/);
    await assert.rejects(bytes.read(0, 4), /The file was moved or deleted/);
  });
});

describe('the messages of the PDF preview', () => {
  const { range, act, actions } = pdfPreviewProtocol.host.calls;
  const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
    schema.safeParse(value).success;

  it('ask for ranges of whole bytes, in order and of a bearable length', () => {
    assert.ok(accepts(range.params, { version: 1, begin: 0, end: longestRange }));
    for (const [begin, end] of [
      [0, longestRange + 1],
      [5, 5],
      [6, 5],
      [-1, 5],
      [0.5, 5],
      [0, Number.POSITIVE_INFINITY],
      [2 ** 41, 2 ** 41 + 1],
      ['0', 5],
    ]) {
      assert.ok(!accepts(range.params, { version: 1, begin, end }), `${begin} to ${end}`);
    }
    assert.ok(!accepts(range.params, { begin: 0, end: 5 }));
    assert.ok(!accepts(range.params, { version: 1, begin: 0, end: 5, path: '/etc/passwd' }));
  });

  it('name actions by a list, and places by page and text', () => {
    assert.ok(accepts(act.params, { action: 'copyLink', page: 57 }));
    assert.ok(!accepts(act.params, { action: 'workbench.action.quit', page: 57 }));
    assert.ok(!accepts(actions.result, ['command:x']));
    for (const place of [{}, { page: 57 }, { text: 'scope' }, { page: 1, text: 'x'.repeat(1000) }])
      assert.ok(accepts(placeSchema, place));
    for (const place of [
      { page: 0 },
      { page: 1.5 },
      { page: '1' },
      { text: '' },
      { text: 'x'.repeat(1001) },
      { id: 1 },
    ])
      assert.ok(!accepts(placeSchema, place), JSON.stringify(place));
  });

  it('hold places of before, and turn pages by right angles alone', () => {
    assert.ok(accepts(positionSchema, { page: 3, zoom: 'page-fit' }));
    assert.ok(accepts(positionSchema, { page: 3, zoom: 1.5, rotation: 270, spread: true }));
    assert.ok(!accepts(positionSchema, { page: 3, zoom: 1.5, rotation: 45 }));
  });
});
