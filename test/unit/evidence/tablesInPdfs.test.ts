import assert from 'node:assert/strict';
import { SearchedPages } from '../../../src/evidence/anchor.ts';
import { quoteWords } from '../../../src/evidence/quoted.ts';
import { isInside } from '../../../src/webview/pdfPreview/pageWords.ts';
import { demoTables, madeTables, textOfPage } from '../../support/tables/madeTables.ts';
import { pdfReader } from '../text/support/texts.ts';

describe('the text of tables that the preview read, in the text that the check reads', function () {
  this.timeout(120_000);
  const pdfs = pdfReader();

  it('is found again, but not with another figure', async () => {
    const notFound: string[] = [];
    for (const { name, bytes, box } of [...madeTables(), ...(await demoTables(10))]) {
      const { text, words } = await textOfPage(pdfs, bytes);
      const inside = words.filter((word) => isInside(word, box));
      const region = quoteWords(text, inside[0]?.start ?? 0, inside.at(-1)?.end ?? 0);
      const read = await pdfs.reader.read(await pdfs.put(bytes));
      assert.ok(read.kind === 'read');
      const pages = ['A page before', ...read.pages.map((page) => page.text)];
      const found = new SearchedPages(pages).find(region);
      if (found.state !== 'found' || found.page !== 2) notFound.push(`${name}: ${found.state}`);
      const exact = `${region.exact.slice(0, region.exact.lastIndexOf(' '))} 8,765,431`;
      assert.equal(new SearchedPages(pages).find({ ...region, exact }).state, 'gone', name);
    }
    // The preview's engine doesn't tell the raised mark of a note behind a figure from the figure's digits.
    assert.deepEqual(
      notFound.filter((name) => !name.startsWith('kind 4,')),
      [],
    );
  });
});
