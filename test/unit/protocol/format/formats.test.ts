import assert from 'node:assert/strict';
import fc from 'fast-check';
import { oneLine, visibleText } from '../../../../src/base/words.ts';
import { markColumnText, markOf, markWords, missingIsin, parseGoals } from '../../../../src/protocol/format/facts.ts';
import {
  formatDate,
  formatLanguages,
  formatMegabytes,
  formatPeriod,
  formatTimestamp,
  languageCodes,
} from '../../../../src/protocol/format/numbers.ts';

/** Some spaces of the locale data are narrow or do not break; what matters here are the words. */
const plain = (text: string | null) => text?.replace(/\s+/g, ' ').replace(/ ?– ?/g, ' – ') ?? null;

describe('dates at their precision (CNV-5)', () => {
  it('shows year, month or day, never more than was stated', () => {
    assert.equal(formatDate('2024', 'en'), '2024');
    assert.equal(formatDate('2024-05', 'en'), 'May 2024');
    assert.equal(formatDate('2024-05-01', 'en'), 'May 1, 2024');
    assert.equal(formatDate('2024-05-01', 'de'), '1. Mai 2024');
  });

  it('leaves alone what is no date', () => {
    for (const text of ['2019-13', '2019-02-30', '0', 'spring', '2024-5', '', '20240501'])
      assert.equal(formatDate(text, 'en'), text);
  });

  it('shows periods, also open or impossible ones', () => {
    assert.equal(plain(formatPeriod('2023-04-01', '2024-03-31', 'en')), 'Apr 1, 2023 – Mar 31, 2024');
    assert.equal(formatPeriod('2023-04-01', null, 'en'), 'from Apr 1, 2023');
    assert.equal(formatPeriod(null, '2024-03-31', 'en'), 'until Mar 31, 2024');
    assert.equal(plain(formatPeriod('2024-03-31', '2023-04-01', 'en')), 'Mar 31, 2024 – Apr 1, 2023');
    assert.equal(formatPeriod(null, null, 'en'), null);
  });

  it('shows timestamps in UTC, wherever the reader is', () => {
    assert.equal(plain(formatTimestamp('2024-06-03T23:41:12Z', 'en')), 'Jun 3, 2024, 23:41 UTC');
    assert.equal(plain(formatTimestamp('2024-06-03 23:41:12', 'en')), 'Jun 3, 2024, 23:41 UTC');
    assert.equal(formatTimestamp('yesterday', 'en'), 'yesterday');
  });
});

describe('languages (CNV-6)', () => {
  it('reads two codes in any separation', () => {
    for (const text of ['de;en', 'de, en', 'de/en', 'de en', 'de|en'])
      assert.deepEqual(languageCodes(text), ['de', 'en']);
    assert.equal(formatLanguages('de;en', 'en'), 'German and English');
  });

  it('keeps a code that it can’t name', () => {
    assert.equal(formatLanguages('<i>xx', 'en'), '<i>xx');
    assert.equal(formatLanguages('', 'en'), '');
  });
});

describe('numbers', () => {
  it('shows megabytes as megabytes', () => {
    assert.equal(formatMegabytes(8.42, 'en'), '8.4 MB');
    assert.equal(formatMegabytes(0.04, 'en'), '40 kB');
    assert.equal(formatMegabytes(0.0001, 'en'), '100 bytes');
    assert.equal(formatMegabytes(0, 'en'), '0 bytes');
    assert.equal(formatMegabytes(148.9, 'en'), '149 MB');
    assert.equal(formatMegabytes(8.42, 'de'), '8,4 MB');
  });
});

describe('three-valued facts (CNV-2)', () => {
  it('gives three different marks, words and column texts', () => {
    const marks = [true, false, null].map(markOf);
    assert.deepEqual(marks, ['yes', 'no', 'undetermined']);
    assert.equal(new Set(marks.map((mark) => markWords(mark))).size, 3);
    assert.deepEqual(
      marks.map((mark) => markColumnText[mark]),
      ['TRUE', 'FALSE', ''],
    );
  });
});

describe('goals', () => {
  it('names the 17 goals and keeps anything else', () => {
    assert.deepEqual(parseGoals('13; 7;SDG 05'), [
      { number: '13', name: 'Climate action' },
      { number: '7', name: 'Affordable and clean energy' },
      { number: '5', name: 'Gender equality' },
    ]);
    assert.deepEqual(parseGoals('18;0;<svg>;'), [
      { number: '18', name: null },
      { number: '0', name: null },
      { number: '<svg>', name: null },
    ]);
    assert.ok(parseGoals(Array.from({ length: 17 }, (_, i) => i + 1).join(';')).every(({ name }) => name));
  });
});

describe('a missing ISIN (COM-2)', () => {
  it('says what is known and offers what is there', () => {
    assert.equal(
      missingIsin({ country: 'Canada', lei: 'x', figi: 'y' }),
      'Withheld for US and Canadian issuers; use the LEI or FIGI',
    );
    assert.equal(missingIsin({ country: null, lei: null, figi: 'y' }), 'Withheld or unknown; use the FIGI');
    assert.equal(missingIsin({ country: 'Japan', lei: null, figi: null }), 'Withheld or unknown');
  });
});

describe('visible text', () => {
  it('shows what would hide or reorder', () => {
    assert.equal(visibleText('a\u202Eb\u0000c\u2066d\uFEFF'), 'a⟨U+202E⟩b⟨U+0000⟩c⟨U+2066⟩d⟨U+FEFF⟩');
    assert.equal(visibleText('\uD800x'), '\uFFFDx');
    assert.equal(visibleText('line\r\nline\tend'), 'line\nline\tend');
  });

  it('leaves scripts and joined signs legible', () => {
    for (const text of ['شركة مساهمة', 'می‌خواهم', 'क्‍ष', '株式会社', 'Ö ß ñ', '👩‍🔬'])
      assert.equal(visibleText(text), text);
  });

  it('leaves no control or bidi character in any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        assert.doesNotMatch(visibleText(text), /(?![\t\n])[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
      }),
      { numRuns: 5000 },
    );
  });

  it('makes one short line', () => {
    assert.equal(oneLine('  a\n\tb  c ', 10), 'a b c');
    assert.equal(oneLine('👩👩👩👩', 3), '👩👩…');
  });
});
