import assert from 'node:assert/strict';
import type { PlacedText } from '../../../src/base/placedText.ts';
import { Finder, hitsIn, type Search } from '../../../src/webview/pdfPreview/find.ts';
import { passageOf, ShownTexts, wholeWords } from '../../../src/webview/pdfPreview/pageTexts.ts';
import { tableWords } from '../../../src/webview/pdfPreview/pageWords.ts';

const placed = (text: string): PlacedText => ({
  text,
  boxes: text.split('').flatMap((character, at) => (character === ' ' ? [0, 0, 0, 0] : [5 * at, 0, 5 * at + 5, 10])),
});
const search = (text: string, more: Partial<Search> = {}): Search => ({ text, matchCase: false, ...more });
const found = (text: string, words: string, more: Partial<Search> = {}) =>
  hitsIn(1, placed(text), search(words, more)).map(({ start, end }) => text.slice(start, end));

describe('a selection', () => {
  for (const [text, part, whole] of [
    ['Emissions fell by a tenth.', 'issions fe', 'Emissions fell'],
    ['were (39,533 tonnes)', '9,5', '39,533'],
    ['Our group’s plans', 'roup', 'group’s'],
    ['(whole words)', '(whole words)', '(whole words)'],
  ] as const)
    it(`of ${part} in ${text} is widened to ${whole}`, () => {
      const at = text.indexOf(part);
      assert.equal(text.slice(...wholeWords(text, at, at + part.length)), whole);
    });
});

describe('what is found in a page', () => {
  for (const [text, words, wanted] of [
    ['Scope one and scope two', 'SCOPE', ['Scope', 'scope']],
    ['Émissions évitées', 'emissions evitees', ['Émissions évitées']],
    ['emissions', 'émissions', ['emissions']],
    ['the group’s “own” plans', 'group\'s "own"', ['group’s “own”']],
    ['a long-term plan, a longterm plan', 'longterm', ['long-term', 'longterm']],
    ['a long-term plan, a longterm plan', 'long-term', ['long-term', 'longterm']],
    ['12.5² GWh', '12.5 GWh', ['12.5² GWh']],
    ['12.5² GWh', '12.52', []],
    ['12.5² GWh', '12.5', ['12.5']],
    ['406,615 m³ of water', '615 m3 of', ['615 m³ of']],
    ['Total (net), in EUR', 'total ( net )', ['Total (net)']],
    ['a.b axb', 'a.b', ['a.b']],
    ['日本語報告書', '日本', ['日本']],
    ['한국', '하', []],
    ['كتـــاب', 'كتاب', ['كتـــاب']],
    ['İstanbul', 'istanbul', ['İstanbul']],
    ['nothing here', '  ', []],
    ['long term', 'long-term', []],
    ['Total − net, a – b', 'total - net', ['Total − net']],
    ['ΟΔΟΣ οδός', 'οδοσ', ['ΟΔΟΣ', 'οδός']],
    ['aaaa', 'aa', ['aa', 'aa']],
    ['one two', 'onetwo', []],
  ] as const)
    it(`has ${words} in ${text} ${wanted.length} times`, () => assert.deepEqual(found(text, words), wanted));

  it('is other where case counts, and each of several terms', () => {
    assert.deepEqual(found('Scope one, scope two', 'scope', { matchCase: true }), ['scope']);
    assert.deepEqual(found('Scope one, scope two', 'x', { terms: ['two', 'one', 'on'] }), ['one', 'two']);
  });
});

describe('a search through pages', () => {
  /** Pages that come when they are let through, in the order in which they are asked for. */
  function pages(...given: readonly (string | Error)[]) {
    const asked: number[] = [];
    const gates = given.map(() => Promise.withResolvers<void>());
    const texts = new ShownTexts(async (page) => {
      asked.push(page);
      await gates[page - 1]?.promise;
      const text = given[page - 1] ?? '';
      if (text instanceof Error) throw text;
      return placed(text);
    });
    const shown: number[] = [];
    const finder = new Finder(
      texts,
      () => undefined,
      ({ page }) => shown.push(page),
    );
    return { asked, shown, finder, texts, let: (page: number) => gates[page - 1]?.resolve() };
  }

  /** Long enough for what can go on to have gone on. */
  const settled = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

  it('shows the first match from the page in view on at once, and counts those of the pages before it', async () => {
    const { asked, shown, finder, ...given } = pages('a', 'x', 'a a', 'a');
    const over = finder.find(search('a'), 4, 3);
    assert.deepEqual([finder.isSearching, finder.current, finder.hits.length], [true, 0, 0]);
    given.let(3);
    await settled();
    assert.deepEqual([shown, finder.current, finder.hits.length], [[3], 1, 2]);
    for (const page of [1, 2, 4]) given.let(page);
    await over;
    assert.deepEqual([asked, shown, finder.isSearching], [[3, 4, 1, 2], [3], false]);
    assert.deepEqual([finder.current, finder.hits.length], [2, 4]);
    finder.go('next');
    finder.go('next');
    finder.go('next');
    assert.deepEqual([shown, finder.current], [[3, 3, 4, 1], 1]);
    finder.go('previous');
    assert.equal(finder.current, 4);
  });

  it('waits for the match before the first one until it is known which that is', async () => {
    const { shown, finder, ...given } = pages('a', 'a', 'a');
    const over = finder.find(search('a'), 3, 1);
    given.let(1);
    await settled();
    finder.go('previous');
    assert.deepEqual(shown, [1]);
    for (const page of [2, 3]) given.let(page);
    await over;
    assert.deepEqual([shown, finder.current], [[1, 3], 3]);
  });

  it('stays on a page where it is told to, until another match is asked for', async () => {
    const { shown, finder, ...given } = pages('a', 'x');
    for (const page of [1, 2]) given.let(page);
    await finder.find(search('a'), 2, 2, 2);
    assert.deepEqual([shown, finder.current], [[], 1]);
    finder.go('next');
    assert.deepEqual(shown, [1]);
  });

  it('forgets one that another overtakes, and asks for no more pages once it ends', async () => {
    const { asked, finder, ...given } = pages('a b', 'b');
    const first = finder.find(search('a'), 2, 1);
    const second = finder.find(search('b'), 2, 1);
    for (const page of [1, 2]) given.let(page);
    await Promise.all([first, second]);
    assert.equal(finder.hits.length, 2);
    assert.deepEqual(asked, [1, 2]);
    finder.end();
    assert.deepEqual([finder.hits.length, finder.selected], [0, undefined]);
  });

  it('says how many pages it could not read, and asks for these again', async () => {
    const { asked, finder, ...given } = pages('a', new Error('It is damaged.'));
    for (const page of [1, 2]) given.let(page);
    await finder.find(search('a'), 2, 1);
    assert.deepEqual([finder.hits.length, finder.unread.pages], [1, 1]);
    await finder.find(search('a'), 2, 1);
    assert.deepEqual(asked, [1, 2, 2]);
  });
});

describe('parts of pages as a quote', () => {
  const line = (text: string, bottom: number) =>
    text
      .split('')
      .flatMap((character, at) => (character === ' ' ? [0, 0, 0, 0] : [5 * at, bottom, 5 * at + 5, bottom + 10]));
  const page = (...lines: readonly string[]): PlacedText => ({
    text: lines.join(' '),
    boxes: lines.flatMap((text, at) => [...line(text, 700 - 20 * at), ...(at + 1 < lines.length ? [0, 0, 0, 0] : [])]),
  });

  it('leave out the head and foot that both pages have, but for their numbers', () => {
    const one = page('Example AG', 'Our emissions fell,', 'as everybody had', 'Report 2024 2');
    const two = page('Example AG', 'hoped for, by a tenth.', 'More.', 'Report 2024 3');
    const start = one.text.indexOf('Our');
    const end = two.text.indexOf(' More');
    const passage = passageOf([
      { page: 2, label: null, placed: one, start, end: one.text.length },
      { page: 3, label: '1', placed: two, start: 0, end },
    ]);
    assert.equal(
      passage?.text.slice(passage.start, passage.end).replace(/\s+/g, ' '),
      'Our emissions fell, as everybody had hoped for, by a tenth.',
    );
    assert.deepEqual(
      passage?.regions.map(({ page: number, label, rectangles }) => [number, label, rectangles.length]),
      [
        [2, null, 2],
        [3, '1', 1],
      ],
    );
  });

  it('are none without words, and too many over six pages', () => {
    const part = { page: 1, label: null, placed: page('Words here'), start: 0, end: 5 };
    assert.equal(passageOf([{ ...part, end: 0 }]), undefined);
    const six = [...'abcdef'].map((letter) => ({ ...part, placed: page(`${letter} words`) }));
    assert.throws(() => passageOf(six), /up to 5 pages/);
  });
});

describe('the words of a page for a table', () => {
  const upright = { convertToViewportPoint: (x: number, y: number) => [x, 800 - y] };

  it('have their places as the page is shown, notes with their figure, and a hyphen where a line ends in a word', () => {
    const words = tableWords(placed('12.5² GWh'), upright);
    assert.deepEqual(
      words.map(({ text, left, right }) => [text, left, right]),
      [
        ['12.5²', 0, 25],
        ['GWh', 30, 45],
      ],
    );
    const parted = {
      text: 'Emissions',
      boxes: [
        ...(placed('Emis').boxes as number[]),
        ...'sions'.split('').flatMap((_, at) => [5 * at, -12, 5 * at + 5, -2]),
      ],
    };
    assert.deepEqual(
      tableWords(parted, upright).map(({ text }) => text),
      ['Emis-', 'sions'],
    );
  });
});
