import assert from 'node:assert/strict';
import { Emitter } from '../../../../src/base/disposable.ts';
import { PdfHitsTree } from '../../../../src/editor/text/hitsTree.ts';
import type { PdfText, PdfTextState } from '../../../../src/editor/text/pdfText.ts';
import { found, summary } from './support/foundPages.ts';

describe('the view of Find in PDFs', () => {
  it('forgets its answer where nothing is searched any more', async () => {
    let state: PdfTextState = 'ready';
    const coverage = { searchable: 1, withoutText: 0, failed: 0, waiting: 0, reading: null, paused: null, others: [] };
    const text = {
      onDidChange: new Emitter<void>().event,
      state: async () => state,
      answers: () => true,
      coverage: async () => ({ ...coverage, lists: { withoutText: [], failed: [], waiting: [], partly: [] } }),
      index: async () => ({ bytes: async () => 1 }),
      find: async () => ({ pages: [found(summary(1), 3)], next: null, terms: ['net'] }),
    } as unknown as PdfText;
    const view = { message: '', visible: true, onDidChangeVisibility: new Emitter<never>().event };
    const tree = new PdfHitsTree(text, view as never, {} as never);
    for (const left of ['off', 'none', 'signedOut'] as const) {
      state = 'ready';
      await tree.ask({ query: 'net', scope: { words: 'Aarhorn' } });
      assert.equal((await tree.getChildren()).length, 2);
      assert.equal(view.message, 'net · 1 page in 1 report · Aarhorn');
      state = left;
      assert.deepEqual(await tree.getChildren(), []);
      assert.equal(view.message, '');
      assert.equal(tree.list, undefined);
    }
    tree.dispose();
  });
});
