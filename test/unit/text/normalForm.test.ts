import assert from 'node:assert/strict';
import fc from 'fast-check';
import { bareForm, bareWithSources, normalForm } from '../../../src/text/normalForm.ts';

/** Texts in which what is special comes often, and close together. */
const units = fc.oneof(
  fc.constantFrom(
    ...'aßé ﬁＡ１ｶﾞカ\u3099東京データー한¹ㄱㅏ가\u1161\u11A8عﻋ\u0301\u0323-\u2010\u2011\u00AD\uFFFE\n\r\t\u00A0\u3000\u2028\u202E\u2066\u200D\u200B\uFEFF\u0000\u0085\uE000\uFFFD\uD83D\uDE00\uDBFF゛´2Zund',
  ),
  fc.string({ unit: 'binary', maxLength: 2 }),
);
const texts = fc.array(units, { maxLength: 40 }).map((parts) => parts.join(''));

describe('The normal form', () => {
  it('joins words that a line’s end breaks', () => {
    for (const broken of [
      'sustain-\nability',
      'sustain-\r\nability',
      'sustain\u00AD\nability',
      'sustain\uFFFEability',
      'sustain- \n ability',
    ])
      assert.equal(normalForm(broken), 'sustainability');
    assert.equal(normalForm('Nach\u00ADhaltig\u00ADkeit'), 'Nachhaltigkeit');
    assert.equal(normalForm('COVID-\n19 and EU-\nTaxonomie'), 'COVID-19 and EU-Taxonomie');
    assert.equal(normalForm('2024-\nbased'), '2024-based');
    assert.equal(normalForm('Umwelt-\nund Sozialstandards'), 'Umwelt- und Sozialstandards');
    assert.equal(
      normalForm('long-\nterm, well-\nknown, high-\ner, net-\nwork'),
      'long-term, well-known, higher, network',
    );
    assert.equal(normalForm('Umwelt\uFFFEunddort'), 'Umweltunddort');
    assert.equal(normalForm('first -\nsecond, long-term'), 'first - second, long-term');
  });

  it('has one spelling of what only looks different', () => {
    assert.equal(normalForm('ﬁnancial eﬀect ＳＣＯＰＥ　３ CO₂ m²'), 'financial effect SCOPE 3 CO2 m²');
    assert.equal(normalForm('e\u0301 \u2010 non\u2011stop ½'), 'é - non-stop 1⁄2');
    assert.equal(normalForm('ﻣﺮﺣﺒﺎ'), 'مرحبا');
    assert.equal(normalForm('ｶﾞｽ 한국'), 'ガス 한국');
  });

  it('is on one line, without what can’t be seen or reorders', () => {
    assert.equal(normalForm(' a\u202Eb\u2066c\u200Bd\uFEFF \u0000\n\n e\u0007f\u{E0041}\uE000g '), 'abcd e f g');
    assert.equal(normalForm('نفت\u200Fو گاز می\u200Cخواهم'), 'نفتو گاز میخواهم');
  });

  it('puts no space between Chinese and Japanese characters', () => {
    assert.equal(normalForm('データー\r\n変換 と 温室\n効果\nガス GHG 排出'), 'データー変換と温室効果ガス GHG 排出');
    assert.equal(normalForm('온실 가스\n배출'), '온실 가스 배출');
  });

  it('is its own normal form', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const once = normalForm(text);
        assert.equal(normalForm(once), once);
        // Raised digits stay, as no digits of a number.
        const plain = once.replace(/[⁰¹²³⁴-⁹]/g, '');
        assert.equal(plain.normalize('NFKC'), plain);
      }),
      { numRuns: 3000 },
    );
  });

  it('holds nothing of what it leaves out, whatever character it meets', () => {
    for (let first = 0; first <= 0x10ffff; first += 512) {
      // Planes that hold nothing, or only what is private, are seen by their ends.
      if (first > 0x32400 && first % 0x10000 > 0x1000 && first % 0x10000 < 0xfe00) continue;
      const codes = Array.from({ length: 512 }, (_, index) => String.fromCodePoint(first + index));
      const once = normalForm(codes.map((character) => `a${character}\u0301 x${character}`).join(''));
      assert.equal(normalForm(once), once, first.toString(16));
      assert.doesNotMatch(
        once,
        /[\p{Cc}\p{Cs}\p{Co}\u2028\u2029\u200B-\u200F\u202A-\u202E\u2066-\u2069\uFEFF]|\s\s/u,
        first.toString(16),
      );
    }
  }).timeout(60_000);

  it('knows where each of its characters comes from, blanks aside', () => {
    fc.assert(
      fc.property(texts, (text) => {
        const { bare, sources } = bareWithSources(text);
        assert.equal(bare, bareForm(text));
        assert.equal(sources.length, bare.length);
        assert.deepEqual(
          sources,
          sources.toSorted((a, b) => a - b),
        );
        assert.ok((sources.at(-1) ?? 0) < Math.max(1, text.length));
      }),
      { numRuns: 2000 },
    );
    const sourcesOf = (text: string) => bareWithSources(text).sources;
    assert.deepEqual(sourcesOf('  ﬁt sus-\ntain'), [2, 2, 3, 5, 6, 7, 10, 11, 12, 13]);
    assert.deepEqual(sourcesOf('re-\nuse of EU-\nTaxonomie on-line').slice(0, 8), [0, 1, 4, 5, 6, 8, 9, 11]);
    assert.deepEqual(sourcesOf('COVID\uFFFE19, cafe\u0301 a\u00ADb').slice(5), [6, 6, 7, 8, 10, 11, 12, 13, 16, 18]);
  });

  it('takes no more than in proportion to a long text of one kind', () => {
    for (const unit of [
      '-',
      '- ',
      '-\n',
      'a-\n',
      '\u0301',
      '\u0301\u0323',
      'a\u0301',
      ' ',
      '\n',
      '\u00AD',
      '\u200D\u0301',
      '\uFFFE',
      'ㄱ',
      '東 ',
      '\uD800',
      'ﷺ',
    ]) {
      const begun = process.cpuUsage();
      normalForm(unit.repeat(100_000));
      assert.ok(process.cpuUsage(begun).user < 3_000_000, JSON.stringify(unit));
    }
  }).timeout(60_000);
});

describe('Raised digits', () => {
  it('are apart from the number that they are a footnote of, and are digits elsewhere', () => {
    assert.equal(normalForm('100¹ of 12²³ m³ and CO₂; note¹'), '100¹ of 12²³ m³ and CO2; note¹');
    assert.equal(normalForm('1½, 3⅓, 12₂, 1,234① and ½'), '1 1⁄2, 3 1⁄3, 12 2, 1,234 1 and 1⁄2');
    assert.deepEqual(bareWithSources('7 in 100¹ of').sources.slice(3, 8), [5, 6, 7, 8, 10]);
  });
});
