import assert from 'node:assert/strict';
import { addedBlank, addedBreak, type PageCharacter, partBreak } from '../../../src/text/pageCharacter.ts';
import { rawText } from '../../../src/text/pageText.ts';

interface Printing {
  readonly y?: number;
  readonly size?: number;
  /** Of each character; by default three fifths of the size. */
  readonly width?: number;
  readonly object?: number;
  readonly angle?: number;
  readonly isUnknown?: boolean;
}
type Part = PageCharacter | readonly [text: string, x: number, how?: Printing];

/** Characters as PDFium gives them: each part from its left on; a size of 10 unless another is given. */
const printed = (parts: readonly Part[]): PageCharacter[] =>
  parts.flatMap((part, index) => {
    if (!Array.isArray(part)) return part as PageCharacter;
    const [text, left, how = {}] = part as Exclude<Part, PageCharacter>;
    const { y = 700, size = 10, width = size * 0.6, object = index, angle = 0, isUnknown = false } = how;
    return Array.from(text, (letter, at): PageCharacter => {
      const x = left + at * width;
      const box: PageCharacter['box'] = [x, y - 2, x + width, y - 2 + size / 0.85];
      return { code: letter.codePointAt(0) ?? 0, box, x, y, angle, object, isUnknown, isGenerated: false };
    });
  });
const one = { object: 1 };
const small = (y: number, more: Printing = {}): Printing => ({ y, size: 6, ...more });

describe('Glyphs become words', () => {
  const rows: readonly (readonly [text: string, ...parts: Part[]])[] = [
    // Gaps that PDFium knows, and gaps between parts that are printed by themselves.
    ['ab', ['ab', 0]],
    ['a b', ['a', 0, one], addedBlank, ['b', 6, one]],
    ['a\nb', ['a', 0, one], addedBreak, addedBlank, ['b', 6, one]],
    ['д а', ['д', 0, one], addedBlank, ['а', 7, one]],
    ['ab c', ['ab', 0, one], partBreak, ['c', 15, one]],
    ['abc', ['ab', 0, one], ['c', 15, one]],
    ['abc', ['ab', 0], ['c', 14]],
    ['ab c', ['ab', 0], ['c', 15]],
    ['ab\nc', ['ab', 0], ['c', -4]],
    ['abc', ['ab', 0], ['c', -2]],
    ['ab\nc', ['ab', 0], ['c', 12, { y: 707 }]],
    ['abc', ['ab', 0], ['c', 12, { y: 705 }]],
    ['a b', ['a ', 0, one], ['b', 12, one]],
    // Each glyph once, though it is printed again to look bold; letters of a ligature share their box.
    ['ab', ['a', 0], ['a', 0.4], addedBlank, ['b', 6]],
    ['ff', ['f', 0, one], ['f', 0, one]],
    ['f', ['f', 0], ['f', 0]],
    ['f', ['f', 0, { object: 1, width: 0 }], ['f', 0, { object: 1, width: 0 }]],
    ['i', ['i', 0, { width: 2 }], ['i', 1, { width: 2 }]],
    ['ii', ['i', 0, { width: 2 }], ['i', 1.3, { width: 2 }]],
    ['aa', ['a', 0], ['a', 1.6]],
    ['a', ['a', 0, { y: 0 }], ['a', 0, { y: 0, angle: 0.1 }]],
    ['a\na', ['a', 0, { y: 0 }], ['a', 0, { y: 0, angle: 0.3 }]],
    // Letters that run to the left follow each other as PDFium says.
    ['אב', ['א', 10], ['ב', -8]],
    ['ﺍﺏ', ['ﺍ', 10], ['ﺏ', -8]],
    ['אב גד', ['אב', 20, one], addedBlank, ['גד', 0, one]],
    ...[
      [15.8, 16.3],
      [16.3, 15.8],
    ].flatMap(([first = 0, second = 0]): [string, ...Part[]][] => [
      ['a', ['a', first], ['a', second]],
      ['a', ['a', 0, { y: first }], ['a', 0, { y: second }]],
    ]),
    // Raised digits are marks, also behind a number that is complete by itself.
    ['m²', ['m', 0], ['2', 6, small(701.5)]],
    ['m2', ['m', 0], ['2', 6, small(701)]],
    ['m2', ['m', 0], ['2', 6, { y: 702 }]],
    ['m²', ['m', 0], ['2', 6, { y: 703 }]],
    ['m¹²', ['m', 0], ['1', 6, small(704)], ['2', 9.6, small(704)]],
    ['m²', ['m', 0], ['2', 0.5, small(704)]],
    ['m² x', ['m', 0], ['2', 6, small(704)], addedBreak, ['x', 12]],
    ['m²x', ['m', 0], ['2', 6, small(704)], addedBreak, ['x', 10]],
    ...[',', '.', "'", '’'].map((mark): [string, ...Part[]] => [`1${mark}234¹`, [`1${mark}234`, 0], ['1', 30]]),
    ['1;2341', ['1;234', 0], ['1', 30]],
    ['a1,234¹', ['a1,234', 0], ['1', 36]],
    ['1,234¹²', ['1,234', 0], ['12', 30]],
    ['1,234123', ['1,234', 0], ['123', 30]],
    ['1,2341a', ['1,234', 0], ['1a', 30]],
    ['1,2341', ['1,2341', 0, one]],
    ['123451', ['12345', 0], ['1', 30]],
    ['¹ Note', ['1', 0, small(704)], addedBlank, ['Note', 6]],
    ['1 Note', ['1', 0, small(700)], addedBlank, ['Note', 6]],
    ['1 Note', ['1', 0, { y: 702, size: 9 }], addedBlank, ['Note', 6]],
    ['End\n¹ Note', ['End', 0, { y: 720 }], addedBreak, ['1', 0, small(704)], addedBlank, ['Note', 6]],
    // Letters that are spaced out are words again, but not cells of a table, codes and single letters.
    ['WATER', ...[...'WATER'].map((letter, at): Part => [letter, 12 * at])],
    ['WATER USE', ...[...'WATER USE'].flatMap((letter, at): Part[] => (letter === ' ' ? [] : [[letter, 12 * at]]))],
    ['W A T E R', ...[...'WATER'].map((letter, at): Part => [letter, 24 * at])],
    ['W A T', ...[...'WAT'].map((letter, at): Part => [letter, 12 * at])],
    ['1 2 3 4 5', ...[...'12345'].map((letter, at): Part => [letter, 12 * at])],
  ];
  for (const [text, ...parts] of rows)
    it(`as in ${JSON.stringify(text)} of ${parts.length} parts`, () =>
      assert.equal(rawText(printed(parts)).text, text));

  it('unless most of them are unknown, of which nothing is kept but what is written over the page', () => {
    const unknown: Part = ['xy', 0, { isUnknown: true }];
    const note = { text: 'Value', box: [0, 0, 50, 10] as PageCharacter['box'] };
    const isUnreadable = (...parts: Part[]) => rawText(printed(parts)).isUnreadable;
    assert.deepEqual(rawText(printed([unknown, ['abc', 12, { isUnknown: true }]])), {
      ...{ text: '', boxes: [], isUnreadable: true },
    });
    assert.equal(rawText(printed([unknown]), [note]).text, '\nValue\n');
    const lines = rawText([], [{ text: 'A\r\nB', box: [0, 0, 50, 20] }]);
    assert.deepEqual(lines.boxes, [null, [0, 10, 5, 20], null, null, [0, 0, 5, 10], null]);
    assert.equal(isUnreadable(unknown, ['   ', 12]), true);
    assert.equal(isUnreadable(unknown, ['ab', 12]), false);
    assert.equal(isUnreadable(unknown, ['a', 12]), true);
    for (const code of ['\uE000', '\uF8FF', '\u{F0000}']) assert.equal(isUnreadable([code, 0]), true, code);
    for (const code of ['\uD7FF', '\uF900', '\u{E0FFF}']) assert.equal(isUnreadable([code, 0]), false, code);
    assert.equal(rawText([]).isUnreadable, false);
    const [character] = printed([['a', 0]]) as [PageCharacter];
    assert.equal(rawText([character, { ...character, code: 0x110000, x: 6, object: 0 }]).text, 'a\uFFFD');
  });
});
