import assert from 'node:assert/strict';
import { normalForm } from '../../../src/text/normalForm.ts';
import { catalogOf } from '../../support/demo/generated.ts';
import { smallPdf } from '../../support/text/smallPdf.ts';
import { pdfReader } from '../../unit/text/support/texts.ts';

/** The words of each page as pdf.js, the preview's engine, reads them. */
async function wordsByPdfjs(data: Uint8Array): Promise<string[][]> {
  // It looks for what draws, which reading text does without.
  for (const name of ['DOMMatrix', 'ImageData', 'Path2D']) Reflect.set(globalThis, name, class {});
  const { getDocument } = await import('pdfjs-dist/legacy/build/pdf.mjs');
  const task = getDocument({ data: Uint8Array.from(data), useSystemFonts: false, verbosity: 0 });
  const document = await task.promise;
  const pages: string[][] = [];
  for (let number = 1; number <= document.numPages; number += 1) {
    const { items } = await (await document.getPage(number)).getTextContent();
    const text = items.map((item) => ('str' in item ? item.str + (item.hasEOL ? '\n' : '') : '')).join('');
    pages.push(wordsOf(normalForm(text)));
  }
  await task.destroy();
  return pages;
}

const wordsOf = (text: string) => (text.match(/[\p{L}\p{M}\p{N}]+/gu) ?? []).toSorted();

describe('The words of a page', () => {
  const pdfs = pdfReader();

  it('are the same whether PDFium or pdf.js read them', async () => {
    const { reports, pdf } = catalogOf(24);
    // One of each language, those in two languages too.
    const byLanguage = Map.groupBy(
      reports.filter(({ has_file }) => has_file),
      ({ report_lang }) => report_lang,
    );
    const drawn = await Promise.all(
      [...byLanguage.values()].map(async (of) => (await pdf(of.at(-1) ?? assert.fail())).bytes),
    );
    const own = smallPdf({
      pages: [
        // Without soft hyphens: pdf.js leaves out all of them, those at a line’s end too.
        ['The ﬁnancial eﬀect of sustain-', 'ability, CO₂ and COVID-', '19', 'non\u2011stop ＳＣＯＰＥ ３'],
        ['温室効果ガスの排出', '量を削減する', '한국어 보고서'],
      ],
    });
    assert.ok(drawn.length >= 8);
    for (const bytes of [...drawn, own]) {
      const read = await pdfs.reader.read(await pdfs.put(bytes));
      assert.ok(read.kind === 'read');
      const theirs = await wordsByPdfjs(bytes);
      assert.deepEqual(
        read.pages.map(({ text }) => wordsOf(text)),
        theirs,
      );
    }
  }).timeout(60_000);
});
