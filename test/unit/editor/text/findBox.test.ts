import assert from 'node:assert/strict';
import { foundItems } from '../../../../src/editor/text/findBox.ts';
import type { PdfText } from '../../../../src/editor/text/pdfText.ts';

describe('the box that finds in PDFs', () => {
  const coverage = { searchable: 14, withoutText: 0, failed: 0, waiting: 0, lists: {}, others: [] };
  const text = { find: async () => ({ pages: [], next: null }), coverage: async () => coverage } as unknown as PdfText;
  const scope = { words: '' } as Parameters<typeof foundItems>[2];
  const said = async (query: string) => (await foundItems(text, query, scope, AbortSignal.abort()))[0];

  it('says of several words that no page has all of them, and nothing more of a single one', async () => {
    const question = await said('How much water was used in 2019?');
    assert.deepEqual(question, { label: 'Nothing found', description: 'No page has all of these words. Try fewer.' });
    assert.deepEqual(await said('waterr '), { label: 'Nothing found', description: '' });
  });
});
