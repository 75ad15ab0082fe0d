import assert from 'node:assert/strict';
import { type DocumentWords, wordsIn } from '../../../../src/demo/pdf/content.ts';
import { isShown, type Style, widthOf } from '../../../../src/demo/pdf/paper.ts';

const languages = ['de', 'en', 'fr'];
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

function fits(labels: readonly string[], width: number, style: Style): void {
  for (const label of labels) assert.ok(widthOf(label, style) < width, label);
}

const bold = { size: 9, bold: true };
const plain = { size: 9 };

describe('DocumentWords of the demo PDFs', () => {
  for (const language of languages) {
    const words: DocumentWords = wordsIn(language);

    it(`${language}: uses characters that the standard fonts have, and known placeholders only`, () => {
      for (const text of texts(words)) {
        assert.ok(isShown(text), text);
        for (const [, name] of text.matchAll(/\{(\w+)\}/g)) assert.match(name ?? '', names);
      }
      assert.match(words.date, /^(?=.*\bd\b)(?=.*\bm\b)(?=.*\by\b)/);
    });

    it(`${language}: says everything that the others say`, () => {
      assert.deepEqual(shape(words), shape(wordsIn('en')));
      assert.equal(words.months.length, 12);
    });

    it(`${language}: has labels that fit their columns`, () => {
      const { emissions, resources, figures, scope3, energy, waste, workforce, income, balance, targets } = words;
      const tables = [emissions, resources, figures, scope3, energy, waste, workforce, income, balance, targets];
      for (const { rows } of tables) fits(rows, 188, plain);
      for (const { rows } of [emissions, income, balance]) fits(rows.slice(-1), 188, bold);
      fits(
        tables.map(({ caption }) => caption),
        470,
        { size: 10, bold: true },
      );
      fits(words.targets.head.slice(1), 80, bold);
      fits(words.annex.head.slice(1), 64, bold);
    });
  }

  it('stand in English for a language without words', () => assert.equal(wordsIn('ja'), wordsIn('en')));
});
