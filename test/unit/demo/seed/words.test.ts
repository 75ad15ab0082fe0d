import assert from 'node:assert/strict';
import { isShown } from '../../../../src/demo/seed/pdf/latin.ts';
import { Paper } from '../../../../src/demo/seed/pdf/paper.ts';
import { wordsIn } from '../../../../src/demo/seed/pdf/words.ts';

const languages = ['de', 'en', 'es', 'fr', 'it', 'nl', 'pt', 'sv'];
const paper = Paper.create({ title: 't', author: 'a', language: 'en', created: '2020-01-01', fileId: '0'.repeat(32) });

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(texts) : [];
}

describe('Words of the demo PDFs', () => {
  for (const language of languages) {
    const words = wordsIn(language);
    it(`${language}: uses characters that the standard fonts have, and known placeholders only`, () => {
      for (const text of texts(words)) {
        assert.ok(isShown(text), text);
        for (const [, name] of text.matchAll(/\{(\w+)\}/g)) {
          assert.match(
            name ?? '',
            /^(company|label|start|end|base|change|scope1|renewable|provider|standard|currency|n)$/,
          );
        }
      }
    });

    it(`${language}: has labels that fit their columns`, () => {
      const { change, chart, caption, ...rows } = words.emissions;
      const bold = { size: 9, bold: true };
      for (const label of Object.values(rows)) assert.ok(paper.width(label, bold) < 134, label);
      assert.ok(paper.width(`${change} (%)`, bold) < 60, change);
      for (const text of [chart, caption]) assert.ok(paper.width(text, { size: 10, bold: true }) < 470, text);
      const { caption: _, ...further } = { ...words.resources, ...words.figures };
      for (const label of Object.values(further)) assert.ok(paper.width(label, { size: 9 }) < 186, label);
    });
  }

  it('stand in English for a language without words', () => assert.equal(wordsIn('ja'), wordsIn('en')));
});
