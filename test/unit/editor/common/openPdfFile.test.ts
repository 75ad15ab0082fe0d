import assert from 'node:assert/strict';
import { pdfEditor } from '../../../../src/editor/common/openPdfFile.ts';

const own = { id: 'report-library.report-library', viewType: 'reportLibrary.pdfPreview' };
const usual = { kind: 'usual' };
const theirs = { kind: 'named', viewType: 'a.pdf' };
const ours = { kind: 'named', viewType: own.viewType };

function extension(id: string, viewType: string, filenamePattern: unknown, priority?: string) {
  const editor = { viewType, selector: [{ filenamePattern }], ...(priority === undefined ? {} : { priority }) };
  return { id, packageJSON: { contributes: { customEditors: [editor] } } };
}
const mine = extension('Report-Library.report-library', own.viewType, '**/reports/**/*.pdf', 'default');

describe('the editor that a PDF opens in', () => {
  it('is our preview when there is no other', () => {
    assert.deepEqual(pdfEditor([mine], {}, own), ours);
    assert.deepEqual(pdfEditor([mine, { id: 'a.b', packageJSON: {} }], undefined, own), ours);
  });

  it('is the person’s own PDF editor when one is installed', () => {
    for (const pattern of ['*.pdf', '**/*.PDF', '*.[pP][dD][fF]', '*.{pdf,ps}', '*.{ps,pdf}']) {
      assert.deepEqual(pdfEditor([mine, extension('a.b', 'a.pdf', pattern)], {}, own), theirs, pattern);
    }
  });

  it('is one that is merely offered for PDFs, by its name', () => {
    const offered = extension('a.b', 'a.pdf', '*.pdf', 'option');
    assert.deepEqual(pdfEditor([mine, offered], {}, own), theirs);
    const claims = extension('c.d', 'c.pdf', '*.pdf', 'default');
    assert.deepEqual(pdfEditor([offered, claims], {}, own), { kind: 'named', viewType: 'c.pdf' });
  });

  it('is what the person chose in the settings, whatever is installed', () => {
    assert.deepEqual(pdfEditor([mine], { '*.pdf': 'default' }, own), usual);
    assert.deepEqual(pdfEditor([mine], { '*.md': 'default' }, own), ours);
    assert.deepEqual(pdfEditor([mine], { '**/reports/**/*.pdf': own.viewType }, own), ours);
  });

  it('is no editor for any file, and none of a manifest that makes no sense', () => {
    for (const pattern of ['*', '*.*', '*.pdfx', '*.pdf.txt', 'pdf', 7, null]) {
      assert.deepEqual(pdfEditor([extension('a.b', 'a.any', pattern)], {}, own), ours, String(pattern));
    }
    const broken = [null, 7, 'x', { contributes: null }, { contributes: { customEditors: 3 } }];
    assert.deepEqual(
      pdfEditor(
        [...broken, { contributes: { customEditors: [null, {}, { selector: [null] }] } }].map((packageJSON) => ({
          id: 'a.b',
          packageJSON,
        })),
        {},
        own,
      ),
      ours,
    );
  });
});
