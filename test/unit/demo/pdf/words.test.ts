import assert from 'node:assert/strict';
import { isShown } from '../../../../src/demo/pdf/paper.ts';
import { documentWords } from '../../../../src/demo/pdf/report.ts';

const names = /^(company|label|start|end|base|change|scope1|renewable|provider|standard|currency|n|row|now|before)$/;

function texts(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return value !== null && typeof value === 'object' ? Object.values(value).flatMap(texts) : [];
}

/** How many of what each part has, to compare languages. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape);
  if (value === null || typeof value !== 'object') return typeof value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, name === 'paragraphs' ? 0 : shape(each)]),
  );
}

describe('words of the demo PDFs', () => {
  for (const [language, words] of Object.entries(documentWords)) {
    it(`${language}: uses characters that the standard fonts have, and known placeholders only`, () => {
      for (const text of texts(words)) {
        assert.ok(isShown(text), text);
        for (const [, name] of text.matchAll(/\{(\w+)\}/g)) assert.match(name ?? '', names);
      }
      assert.match(words.date, /^(?=.*\bd\b)(?=.*\bm\b)(?=.*\by\b)/);
    });

    it(`${language}: says everything that the others say`, () => {
      assert.deepEqual(shape(words), shape(documentWords.en));
      assert.equal(words.months.length, 12);
    });
  }
});
