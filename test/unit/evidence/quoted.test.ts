import assert from 'node:assert/strict';
import type { PlacedLine } from '../../../src/base/placedText.ts';
import { SearchedPages } from '../../../src/evidence/anchor.ts';
import { quoteWords, requireDistinct, runAround, sentenceAround } from '../../../src/evidence/quoted.ts';

/** Lines of a page, each with its left, its distance from the line before it and its height in points; a row's parts are 0 apart. */
type Shape = readonly [words: string, left: number, distance: number, height: number];

function shaped(lines: readonly Shape[]) {
  const text = lines.map(([words]) => words).join(' ');
  let [top, start] = [800, 0];
  const boxes = lines.map(([words, left, distance, height]): PlacedLine => {
    top -= distance;
    const line = { start, box: [left, top - height, left + words.length * 5, top] as PlacedLine['box'] };
    start += words.length + 1;
    return line;
  });
  const quoted = (words: string) => {
    const at = text.indexOf(words);
    const hit = [at, at + words.length] as const;
    const sentence = sentenceAround(text, ...hit);
    const within = boxes.filter((line) => line.start >= sentence[0] && line.start < sentence[1]);
    return text.slice(...runAround(text, sentence, hit, within));
  };
  return { quoted };
}

describe('the sentence around a search result', () => {
  const { quoted } = shaped([
    ['Climate and emissions', 50, 0, 18],
    ['Our direct emissions fell by a tenth', 50, 30, 11],
    ['in the year, as was planned before.', 50, 13, 11],
    ['Emissions by scope', 50, 24, 11],
    ['Scope 1: direct', 50, 24, 11],
    ['43,748', 250, 0, 11],
    ['41,176', 350, 0, 11],
    ['Scope 2: location-based', 50, 13, 11],
    ['69,623', 250, 0, 11],
    ['65,849', 350, 0, 11],
    ['All figures are in tonnes of', 50, 24, 11],
    ['carbon dioxide equivalents, and', 50, 13, 11],
    ['their sources are named below.', 300, -400, 11],
  ]);

  it('begins below a heading', () => {
    assert.equal(quoted('emissions fell'), 'Our direct emissions fell by a tenth in the year, as was planned before.');
    assert.equal(quoted('Climate and'), 'Climate and emissions');
  });

  it('is a row of a table, whole and alone', () => {
    assert.equal(quoted('43,748'), 'Scope 1: direct 43,748 41,176');
    assert.equal(quoted('location-based'), 'Scope 2: location-based 69,623 65,849');
  });

  it('goes on in the next column', () => {
    const sentence = 'All figures are in tonnes of carbon dioxide equivalents, and their sources are named below.';
    assert.equal(quoted('in tonnes'), sentence);
    assert.equal(quoted('sources are'), sentence);
  });

  it('is that of the text where nothing is known of its lines, and a short line where it stands alone', () => {
    const text = 'Scope 1 direct emissions were 43,748 tonnes. More follows.';
    const sentence = sentenceAround(text, 8, 14);
    assert.deepEqual(sentence, [0, 44]);
    assert.deepEqual(runAround(text, sentence, [8, 14], []), sentence);
    const lines: PlacedLine[] = [
      { start: 0, box: [50, 700, 90, 718] },
      { start: 8, box: [50, 670, 300, 681] },
    ];
    assert.deepEqual(runAround(text, sentence, [0, 5], lines), [0, 7]);
  });
});

describe('a figure', () => {
  const page = 'Scope 1: 39,533 tonnes in 2024. Scope 1: 39,533 tonnes in 2023.';

  it('is a quote, told from the same one elsewhere on the page by what is around it', () => {
    for (const at of [9, 41]) {
      const words = quoteWords(page, at, at + 6);
      assert.equal(words.exact, '39,533');
      assert.doesNotThrow(() => requireDistinct(words, page));
      assert.deepEqual(new SearchedPages(['Before.', page]).find(words), { state: 'found', page: 2 });
    }
    const twice = 'A 7 A 7 A';
    assert.throws(() => requireDistinct({ exact: '7', prefix: 'A', suffix: 'A' }, twice), /more than once/);
    assert.throws(() => requireDistinct({ exact: '•', prefix: '', suffix: '' }, page), /words or a figure/);
  });
});

describe('the words of a quote', () => {
  it('have 48 characters before and after them, and no half of one', () => {
    const text = `${'😀'.repeat(30)}b said so ${'x'.repeat(100)}`;
    const start = text.indexOf('said');
    const words = quoteWords(text, start, start + 'said so'.length);
    assert.deepEqual(words, { exact: 'said so', prefix: `${'😀'.repeat(23)}b`, suffix: 'x'.repeat(48) });
    assert.deepEqual(sentenceAround('', 0, 0), [0, 0]);
  });
});
